import type { z } from 'zod';
import type { approved, declined, tokenized } from '@cobro/contracts/acquirer/answers.ts';
import type { Problem } from '@cobro/contracts/acquirer/problems.ts';

/** The answer to an operation, kept as it was sent. */
export type Answer = (z.input<typeof approved> | z.input<typeof tokenized> | z.input<typeof declined>) & {
  reference: string | null;
};

/** How an attempt ended: decided, provably not done, or not known. */
export type Ending =
  | { is: 'decided'; answer: Answer }
  /** Nothing was done and nothing will be: the key is to be closed. */
  | { is: 'not done'; problem: 'retry' | 'refused'; message: string }
  | { is: 'closed' }
  | { is: 'unknown' };

export const unknown: Ending = { is: 'unknown' };

/** An answer that is no 200. */
export class ProblemAnswer extends Error {
  readonly problem: Problem;
  constructor(problem: Problem, message: string) {
    super(message);
    this.name = 'ProblemAnswer';
    this.problem = problem;
  }
}

interface Shown {
  /** When Stripe did it, in seconds, as far as Stripe shows that. */
  at?: number | null | undefined;
  authCode?: string | null | undefined;
  resultCode?: string | null | undefined;
  text?: string | null | undefined;
}

const said = ({ at, authCode, resultCode, text }: Shown) => ({
  time: (at == null ? new Date() : new Date(at * 1_000)).toISOString(),
  authCode: authCode ?? null,
  resultCode: resultCode ?? null,
  text: text ?? null,
});

export const approve = (reference: string, shown: Shown = {}, more: object = {}): Ending => ({
  is: 'decided',
  answer: { outcome: 'approved', reference, ...said(shown), ...more },
});

export const decline = (declineCode: string, reference: string | null = null, shown: Shown = {}): Ending => ({
  is: 'decided',
  answer: { outcome: 'declined', declineCode, reference, ...said(shown) },
});

/** The answer under a key that was closed. */
export const keyClosed = (closedAt: Date): Answer => ({
  outcome: 'declined',
  declineCode: 'key_closed',
  reference: null,
  time: closedAt.toISOString(),
  authCode: null,
  resultCode: null,
  text: null,
});

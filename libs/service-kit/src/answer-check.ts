import type { RefusalCode } from '@cobro/contracts/refusals.ts';
import type { RouteContract } from '@cobro/contracts/route.ts';

/** An answer that is about to be sent: the use case's answer, or a refusal. */
export type CheckedAnswer =
  | { status: number; body?: unknown; text?: string; parts?: AsyncIterable<string> }
  | { status: number; refusal: RefusalCode; body: unknown };

type Check = (contract: RouteContract, answer: CheckedAnswer) => void;

let installed: Check | undefined;

/**
 * Installs a check of every answer; only tests do so. The check throws if an answer is not what its contract promises, and the
 * caller then gets a 500.
 */
export const installAnswerCheck = (check: Check): void => {
  installed = check;
};

export const checkAnswer: Check = (contract, answer) => installed?.(contract, answer);

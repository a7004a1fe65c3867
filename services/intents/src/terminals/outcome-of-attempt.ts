import { DatabaseUnavailable } from '@cobro/postgres/unavailable.ts';
import type { Deps } from '../deps.ts';
import type { AttemptRow } from './attempt.row.ts';
import { findAttempt } from './attempt.store.ts';

/** How long a terminal's request waits for the outcome of its charge. */
const WAIT_MS = 10_000;
/** Time kept for answering. */
const ANSWER_MS = 500;
/** A slot under the decline limits runs out after this time. */
const WORTH_WAITING_MS = 10 * 60_000;

type Sent = Pick<AttemptRow, 'intentId' | 'attemptId'>;

/**
 * Waits until the attempt has ended, on any replica, and returns it; unended if that takes too long, or if the database fails once
 * the caller has the row: no 503, because the card may be charged.
 */
export const outcomeOfAttempt = (deps: Deps, attempt: Sent | AttemptRow, deadline: number) =>
  waitForOutcome(deps, attempt, Math.min(WAIT_MS, deadline - ANSWER_MS - performance.now()));

/** The same, but no request waits for it. */
export const endOfAttempt = (deps: Deps, attempt: AttemptRow) => waitForOutcome(deps, attempt, WORTH_WAITING_MS);

async function waitForOutcome(deps: Deps, sent: Sent | AttemptRow, ms: number): Promise<AttemptRow> {
  const waiter = deps.outcomes.wait([sent.intentId], ms);
  try {
    for (;;) {
      const attempt = await readAttempt(deps, sent);
      if (attempt.status !== 'REQUESTED' || (await waiter.next()) === undefined) return attempt;
    }
  } finally {
    waiter.end();
  }
}

async function readAttempt({ db }: Deps, sent: Sent | AttemptRow): Promise<AttemptRow> {
  const attempt = await findAttempt(db, sent.intentId, sent.attemptId).catch((error: unknown) => {
    if (error instanceof DatabaseUnavailable && 'status' in sent) return sent;
    throw error;
  });
  if (attempt === undefined) throw new Error('an attempt is gone');
  return attempt;
}

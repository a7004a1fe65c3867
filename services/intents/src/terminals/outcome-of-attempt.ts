import type { Deps } from '../deps.ts';
import type { AttemptRow } from './attempt.row.ts';
import { findAttempt } from './attempt.store.ts';

/** How long a terminal's request waits for the outcome of its charge. */
const WAIT_MS = 10_000;
/** What answering may take. */
const ANSWER_MS = 500;
/** A slot under the decline limits runs out after so long. */
const WORTH_WAITING_MS = 10 * 60_000;

/** The attempt once it has ended, on whichever replica that was written down; as it is where that takes too long. */
export const outcomeOfAttempt = (deps: Deps, intentId: string, attemptId: string, deadline: number) =>
  waitForOutcome(deps, { intentId, attemptId }, Math.min(WAIT_MS, deadline - ANSWER_MS - performance.now()));

/** The same for what no request waits for. */
export const endOfAttempt = (deps: Deps, intentId: string, attemptId: string) =>
  waitForOutcome(deps, { intentId, attemptId }, WORTH_WAITING_MS);

async function waitForOutcome(
  deps: Deps,
  { intentId, attemptId }: { intentId: string; attemptId: string },
  ms: number,
): Promise<AttemptRow> {
  const waiter = deps.outcomes.wait([intentId], ms);
  try {
    for (;;) {
      const attempt = await findAttempt(deps.db, intentId, attemptId);
      if (attempt === undefined) throw new Error('an attempt is gone');
      if (attempt.status !== 'REQUESTED' || (await waiter.next()) === undefined) return attempt;
    }
  } finally {
    waiter.end();
  }
}

import type { Deps } from '../deps.ts';
import type { AttemptRow } from './attempt.row.ts';
import { findAttempt } from './attempt.store.ts';

/** How long a terminal's request waits for the outcome of its charge. */
const WAIT_MS = 10_000;
/** What answering may take. */
const ANSWER_MS = 500;
/** The notice of an outcome may be lost with a connection, so a look comes at least this often. */
const LOOK_EVERY_MS = 1_000;

/** A place under the limits of declines runs out after so long. */
const WORTH_WAITING_MS = 10 * 60_000;
const LOOK_LATER_EVERY_MS = 30_000;

/** The attempt once it has ended, on whichever replica that was written down; as it is where that takes too long. */
export async function outcomeOfAttempt(
  deps: Deps,
  intentId: string,
  attemptId: string,
  deadline: number,
): Promise<AttemptRow> {
  const until = Math.min(performance.now() + WAIT_MS, deadline - ANSWER_MS);
  return waitForOutcome(deps, { intentId, attemptId }, until, LOOK_EVERY_MS);
}

/** The same for what no request waits for. */
export async function endOfAttempt(deps: Deps, intentId: string, attemptId: string): Promise<AttemptRow> {
  const until = performance.now() + WORTH_WAITING_MS;
  return waitForOutcome(deps, { intentId, attemptId }, until, LOOK_LATER_EVERY_MS);
}

async function waitForOutcome(
  deps: Deps,
  { intentId, attemptId }: { intentId: string; attemptId: string },
  until: number,
  lookEveryMs: number,
): Promise<AttemptRow> {
  for (;;) {
    const leftMs = until - performance.now();
    const outcome = deps.outcomes.next(intentId, Math.max(0, Math.min(leftMs, lookEveryMs)));
    const attempt = await findAttempt(deps.db, intentId, attemptId);
    if (attempt === undefined) throw new Error('an attempt is gone');
    if (attempt.status !== 'REQUESTED' || leftMs <= 0) {
      outcome.cancel();
      return attempt;
    }
    await outcome.came;
  }
}

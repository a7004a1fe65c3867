import type { Deps } from '../deps.ts';
import { takeOverdue } from './attempt.store.ts';
import { learnOutcome } from './learn-outcome.ts';

const AT_ONCE = 32;

/** Asks payments about attempts whose outcome has not come: the bank is slow, or hand-over and broker failed. */
export async function askForOutcomes(deps: Deps): Promise<number> {
  const overdue = await takeOverdue(deps.db, AT_ONCE);
  const asked = await Promise.allSettled(overdue.map((attempt) => learnOutcome(deps, attempt)));
  const failed = asked.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    deps.log.warn(
      { error: failed.reason as unknown, event: 'outcome_not_learned' },
      'payments could not be asked for an outcome, or its answer not be applied; it is asked again',
    );
  }
  return overdue.length;
}

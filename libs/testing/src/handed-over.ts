import { setTimeout as sleep } from 'node:timers/promises';
import { until } from './until.ts';

const TRIES = 10;

/** How many failed hand-overs these logs tell of. */
export const failedHandOvers = (logs: string): number => logs.split('hand-over failed').length - 1;

/**
 * The first result of an attempt that is fresh. A machine may be too slow for the 150 ms of a hand-over: then a service says
 * so in its log, and that attempt says nothing. @throws where an attempt is not fresh although no hand-over failed
 */
export async function handedOver<T>(
  attempt: () => Promise<T>,
  { isFresh, failures }: { isFresh: (result: T) => boolean; failures: () => number },
): Promise<T> {
  for (let tries = 0; tries < TRIES; tries++) {
    const before = failures();
    const result = await attempt();
    if (isFresh(result)) return result;
    // Log lines take a moment to leave.
    await until(`a failed hand-over is logged, or this is fresh: ${JSON.stringify(result)}`, () => failures() > before);
    // After several in a row hand-overs are left out for a second, which is not logged.
    await sleep(1_100);
  }
  throw new Error(`no hand-over in ${TRIES} tries`);
}

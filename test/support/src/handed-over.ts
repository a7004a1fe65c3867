import { setTimeout as sleep } from 'node:timers/promises';
import { until } from './until.ts';

const TRIES = 10;

/** How many failed hand-overs these logs report. */
export const failedHandOvers = (logs: string): number => logs.split('hand-over failed').length - 1;

/**
 * Returns the first fresh result of `act`. On a slow machine a hand-over may fail because it takes more than 150 ms. The service then
 * logs that, and `act` runs again. @throws if a result is not fresh although no hand-over failed
 */
export async function handedOver<T>(
  act: () => Promise<T>,
  { isFresh, failures }: { isFresh: (result: T) => boolean; failures: () => number },
): Promise<T> {
  for (let tries = 0; tries < TRIES; tries++) {
    const before = failures();
    const result = await act();
    if (isFresh(result)) return result;
    // Log lines take a moment to be written.
    await until(`a failed hand-over is logged, or this is fresh: ${JSON.stringify(result)}`, () => failures() > before);
    // After several failures in a row a service hands nothing over for a second.
    await sleep(1_100);
  }
  throw new Error(`no hand-over in ${TRIES} tries`);
}

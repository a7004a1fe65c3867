import { setTimeout as sleep } from 'node:timers/promises';

const SOONEST_MS = 25;
const LATEST_MS = 100;

/**
 * Waits for something that must become true soon, even on a slow machine. `what` names it in the failure; a function is called then. Asks less often the longer it
 * takes, because asking takes CPU from what it waits for.
 */
export async function until(
  what: string | (() => string),
  condition: () => boolean | Promise<boolean>,
  ms = 120_000,
): Promise<void> {
  const begun = Date.now();
  while (!(await condition())) {
    const waitedMs = Date.now() - begun;
    if (waitedMs > ms) throw new Error(`not within ${ms} ms: ${typeof what === 'string' ? what : what()}`);
    await sleep(Math.min(LATEST_MS, SOONEST_MS + waitedMs / 20));
  }
}

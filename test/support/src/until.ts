import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for something that must become true soon, even on a slow machine. `what` names it in the failure. */
export async function until(what: string, condition: () => boolean | Promise<boolean>, ms = 120_000): Promise<void> {
  for (const end = Date.now() + ms; !(await condition()); await sleep(25)) {
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${what}`);
  }
}

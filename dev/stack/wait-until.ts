import { setTimeout as sleep } from 'node:timers/promises';

/** Asks every `everyMs` until the answer is true. Returns false if `timeoutMs` have passed first. */
export async function waitUntil(
  ask: () => boolean | Promise<boolean>,
  timeoutMs: number,
  everyMs = 50,
): Promise<boolean> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    if (await ask()) return true;
    if (performance.now() > until) return false;
    await sleep(everyMs);
  }
}

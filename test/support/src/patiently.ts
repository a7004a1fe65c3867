import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpAnswer } from './start-services.ts';

/** Sends a request that only prepares a test, and repeats it after a 503, which means on a slow machine that nothing was done. */
export async function patiently(send: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  for (const end = Date.now() + 60_000; ; await sleep(100)) {
    const answer = await send();
    if (answer.status !== 503 || Date.now() > end) return answer;
  }
}

import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { validate } from '@cobro/contracts/validation.ts';

/** Business time, used for createdAt, windows and expiries. Leases, timeouts and caches use real time. */
export interface Clock {
  now(): Date;
  /** Present only if the stack tool may move the clock. */
  move?: (body: unknown) => void;
}

/** Long, because only the stack tool keeps such a clock, and it is busy while it starts. */
const ANSWER_WITHIN_MS = 60_000;

const offset = z.object({ offsetMs: z.int() });

/** Without an address: the machine's own time. With one: time moved by the offset that the stack tool keeps there. */
export async function openClock(clockUrl: string | undefined): Promise<Clock> {
  if (clockUrl === undefined) return { now: () => new Date() };
  // `fetch` would load all of its code for this one request.
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(clockUrl, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }, resolve).once('error', reject);
  });
  let { offsetMs } = offset.parse(JSON.parse(await text(answer)));
  return {
    now: () => new Date(Date.now() + offsetMs),
    move: (body) => {
      ({ offsetMs } = validate(offset, body));
    },
  };
}

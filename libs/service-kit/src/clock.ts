import { z } from 'zod';
import { validate } from '@cobro/contracts/validation.ts';

/** Business time: what createdAt, windows and expiries go by. Real time runs leases, timeouts and caches. */
export interface Clock {
  now(): Date;
  /** Present where the stack may move the clock. */
  move?: (body: unknown) => void;
}

const offset = z.object({ offsetMs: z.int() });

/** Without an address it is the machine's own time; with one, time moved by the offset that the stack holds. */
export async function openClock(clockUrl: string | undefined): Promise<Clock> {
  if (clockUrl === undefined) return { now: () => new Date() };
  const answer = await fetch(clockUrl, { signal: AbortSignal.timeout(5_000) });
  let { offsetMs } = offset.parse(await answer.json());
  return {
    now: () => new Date(Date.now() + offsetMs),
    move: (body) => {
      ({ offsetMs } = validate(offset, body));
    },
  };
}

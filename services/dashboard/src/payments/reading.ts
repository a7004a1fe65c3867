import type { Call } from '@cobro/client/call.ts';

/** A page waits for its parts no longer than this. */
export const READING = { withinMs: 2_000, attempts: 1 } as const;

/** What was read for a part of a page; null where it did not come in time, or was refused. */
export async function inTime<T>(call: Call<T>): Promise<T | null> {
  const result = await call.result();
  return result.kind === 'done' ? result.value : null;
}

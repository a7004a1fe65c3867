/**
 * What is left of the caller's time, in whole milliseconds. The gateway and the services send this header; nobody outside may.
 */
export const REMAINING_HEADER = 'x-remaining-ms';

/** The time of a request that does not say how much it has. It is the gateway's own limit. */
const UNSAID_MS = 20_000;

/** Until when (a `performance.now()` value) the caller of a request that has just come waits for the answer. */
export function deadlineOf(remaining: string | undefined): number {
  const said = remaining !== undefined && /^\d{1,7}$/.test(remaining);
  return performance.now() + (said ? Number(remaining) : UNSAID_MS);
}

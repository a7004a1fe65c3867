/** What is left of the caller's time, in whole milliseconds. The gateway and services send it, nobody from outside. */
export const REMAINING_HEADER = 'x-remaining-ms';

/** The gateway's own limit: the time of a request that does not say how much it has. */
const UNSAID_MS = 20_000;

/** Until when (a `performance.now()` value) the caller waits for the answer to a request that has just come. */
export function deadlineOf(remaining: string | undefined): number {
  const said = remaining !== undefined && /^\d{1,7}$/.test(remaining);
  return performance.now() + (said ? Number(remaining) : UNSAID_MS);
}

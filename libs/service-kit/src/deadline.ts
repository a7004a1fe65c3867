/**
 * The caller's remaining time, in whole milliseconds. The gateway and the services send this header; callers from outside may not.
 */
export const REMAINING_HEADER = 'x-remaining-ms';

/** The time of a request without the header: the gateway's own limit. */
const UNSAID_MS = 20_000;

/** Until when (a `performance.now()` value) a new request's caller waits for the answer. */
export function deadlineOf(remaining: string | undefined): number {
  const said = remaining !== undefined && /^\d{1,7}$/.test(remaining);
  return performance.now() + (said ? Number(remaining) : UNSAID_MS);
}

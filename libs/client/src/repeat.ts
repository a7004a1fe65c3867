import type { Result } from './refusal.ts';

/** Statuses after which sending a request again may help, even without a Retry-After. */
const TEMPORARY = new Set<number>([408, 500, 502, 503, 504]);
const FIRST_PAUSE_MS = 250;
/** If the API asks for a longer pause, the caller gets the refusal. */
const LONGEST_PAUSE_MS = 60_000;

/** What decides whether a request may be sent again. */
export interface Repeatability {
  method: string;
  /** True if the contract says that a repetition does nothing more. */
  repeatable: boolean;
  body: object | undefined;
}

/** True if a request that is sent again is carried out once. By its externalId or attemptId the API knows a repetition. */
export const isRepeatable = ({ method, repeatable, body }: Repeatability): boolean =>
  method === 'GET' || repeatable || ['externalId', 'attemptId'].some((name) => hasText(body, name));

const hasText = (body: object | undefined, name: string) => {
  const value = (body as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' && value !== '';
};

/**
 * Milliseconds until the request is sent again after this result; undefined if it is not. @param attempt from 0 @param chance
 * from 0 to 1, so that callers refused together do not come back together
 */
export function pauseAfter(result: Result<unknown>, attempt: number, chance: number): number | undefined {
  if (result.kind === 'done') return undefined;
  const growing = FIRST_PAUSE_MS * 2 ** attempt * (0.5 + chance);
  if (result.kind === 'lost') return growing;
  const { status, retryAfterMs } = result.refusal;
  if (retryAfterMs === undefined) return TEMPORARY.has(status) ? growing : undefined;
  return retryAfterMs <= LONGEST_PAUSE_MS ? Math.max(retryAfterMs, growing) : undefined;
}

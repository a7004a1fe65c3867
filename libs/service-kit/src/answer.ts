import { Refusal, TRY_AGAIN_AFTER_S } from '@cobro/contracts/refusals.ts';

export const ok = <Body>(body: Body) => ({ status: 200 as const, body });

/** 202: the outcome is not known yet, and the caller can read it at `location` later. */
export const accepted = <Body>(body: Body, location: string) => ({
  status: 202 as const,
  body,
  headers: { 'Retry-After': String(TRY_AGAIN_AFTER_S), Location: location },
});

/** 429: a limit of declined attempts is reached. @param retryAfterS whole seconds until it has room again */
export const tooManyAttempts = (retryAfterS: number) =>
  new Refusal('TOO_MANY_ATTEMPTS', { headers: { 'Retry-After': String(retryAfterS) } });

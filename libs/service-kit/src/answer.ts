import { TRY_AGAIN_AFTER_S } from '@cobro/contracts/refusals.ts';

/** 200 with a JSON body. */
export const ok = <Body>(body: Body) => ({ status: 200 as const, body });

/** 202: what becomes of it is not known yet, and `location` will tell. */
export const accepted = <Body>(body: Body, location: string) => ({
  status: 202 as const,
  body,
  headers: { 'Retry-After': String(TRY_AGAIN_AFTER_S), Location: location },
});

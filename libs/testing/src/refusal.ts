import type { RefusalCode } from '@cobro/contracts/refusals.ts';

/** What an answer that says no looks like, for `toMatchObject`. */
export const refusal = (status: number, code: RefusalCode) => ({ status, body: { code } });

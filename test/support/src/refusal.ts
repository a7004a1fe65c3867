import type { RefusalCode } from '@cobro/contracts/refusals.ts';

/** A refusal's status and body, for `toMatchObject`. */
export const refusal = (status: number, code: RefusalCode) => ({ status, body: { code } });

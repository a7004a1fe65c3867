import { refund, refundBody } from '../payments.ts';
import type { RefusalCode } from '../refusals.ts';

/** Body, answers and refusals of all routes that refund a payment in full, whatever its origin. */
export const refunding = {
  body: { json: refundBody },
  answers: {
    200: { means: 'REFUNDED.', json: refund },
    202: { means: 'Still CONFIRMED: the bank’s answer is not known yet; Location will show it.', json: refund },
  },
  refusals: [
    'REFUND_DECLINED',
    'PAYMENT_NOT_REFUNDABLE',
    'PAYMENT_ALREADY_REFUNDED',
    'REFUND_IN_PROGRESS',
    'BANK_UNAVAILABLE',
  ],
} as const satisfies { refusals: readonly RefusalCode[]; [part: string]: unknown };

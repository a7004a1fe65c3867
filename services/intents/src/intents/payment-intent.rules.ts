import { pesosOf } from '@cobro/contracts/amount.ts';
import type { RefusalCode } from '@cobro/contracts/refusals.ts';
import type { PaymentIntentRow } from './payment-intent.row.ts';

export const isExpired = ({ expiresAt }: Pick<PaymentIntentRow, 'expiresAt'>, now: Date): boolean => expiresAt <= now;

/** Why an intent cannot be cancelled; undefined if it can be, or already is. */
export function cancelRefusal({ status, chargingPaymentId }: PaymentIntentRow): RefusalCode | undefined {
  if (status === 'CONFIRMED') return 'INTENT_NOT_PENDING';
  return chargingPaymentId === null ? undefined : 'INTENT_IN_PROGRESS';
}

/** Why an intent cannot be paid now; undefined if it can be. */
export function payRefusal(intent: PaymentIntentRow, now: Date): RefusalCode | undefined {
  if (intent.status !== 'PENDING') return 'INTENT_NOT_PENDING';
  if (intent.chargingPaymentId !== null) return 'INTENT_IN_PROGRESS';
  return isExpired(intent, now) ? 'INTENT_EXPIRED' : undefined;
}

/** True if a request under the intent's externalId repeats its amount, currency and terminalCode. */
export const sameRequest = (
  row: PaymentIntentRow,
  asked: { amount: bigint; currency: string; terminalCode?: string | undefined },
): boolean =>
  row.amount === asked.amount && row.currency === asked.currency && row.terminalCode === (asked.terminalCode ?? null);

/** Our copy of the intent's latest payment. */
export const ownCopyOfPayment = ({ paymentId: id, paymentStatus: status, operationCode }: PaymentIntentRow) =>
  id === null || status === null || operationCode === null
    ? null
    : { id, status, operationCode: Number(operationCode) };

/** The answer to the intent's creation; a repeated request sees its current state. */
export const showCreated = (row: PaymentIntentRow) => ({
  id: row.id,
  status: row.status,
  amount: pesosOf(row.amount),
  currency: row.currency,
  externalId: row.externalId,
  ...(row.redirectAppId === null ? {} : { redirectAppId: row.redirectAppId }),
  organizationId: row.organizationId,
  ...(row.terminalId === null ? {} : { terminalId: row.terminalId }),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

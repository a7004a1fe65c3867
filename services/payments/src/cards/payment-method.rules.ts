import { Refusal } from '@cobro/contracts/refusals.ts';
import type { paymentMethodStatuses, PaymentMethod } from '@cobro/contracts/payment-methods.ts';
import { cardExpired, dayInMexicoCity } from '@cobro/domain/mexico-city.ts';
import type { PaymentMethodRow } from './payment-method.row.ts';

type Status = (typeof paymentMethodStatuses)[number];

/** EXPIRED is not stored, because it follows from the card's expiry month and the calendar of Mexico City. */
export function statusOf(row: PaymentMethodRow, now: Date): Status {
  const expiry = { month: row.expirationMonth, year: row.expirationYear };
  return row.status === 'ACTIVE' && cardExpired(expiry, now) ? 'EXPIRED' : row.status;
}

/** @throws Refusal 409 if there is no such card, or it is not ACTIVE */
export function refuseNotActive<Row extends PaymentMethodRow>(row: Row | undefined, now: Date): asserts row is Row {
  if (row === undefined || statusOf(row, now) !== 'ACTIVE') throw new Refusal('PAYMENT_METHOD_NOT_ACTIVE');
}

/** The present month as year × 12 + month, which is how the store compares it with a card's expiry month. */
export function monthNow(now: Date): number {
  const [year, month] = dayInMexicoCity(now).split('-').map(Number);
  return (year ?? 0) * 12 + (month ?? 0);
}

export function showPaymentMethod(row: PaymentMethodRow, now: Date): PaymentMethod {
  return {
    id: row.id,
    status: statusOf(row, now),
    externalId: row.externalId,
    card: { lastFourDigits: row.lastFourDigits, networkType: row.network },
    createdAt: row.createdAt.toISOString(),
  };
}

import { clockInMexicoCity } from './mexico-city.ts';

/**
 * Installments paid out to the merchant: 0 until money has moved, then 1, and one more every month on the same day in Mexico City
 * (or on the last day of a month that has no such day), up to `terms`.
 */
export function paidTerms(payment: { movedAt: Date | null; terms: number; now: Date }): number {
  const { movedAt, terms, now } = payment;
  if (movedAt === null) return 0;
  return Math.min(terms, Math.max(0, monthsBetween(clockInMexicoCity(movedAt), clockInMexicoCity(now))) + 1);
}

/** Whole months between the days of two clocks, read by their UTC fields. */
function monthsBetween(from: Date, to: Date): number {
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  const daysInMonth = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate();
  return to.getUTCDate() >= Math.min(from.getUTCDate(), daysInMonth) ? months : months - 1;
}

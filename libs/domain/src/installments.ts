import { clockInMexicoCity } from './mexico-city.ts';

/**
 * Installments settled to the merchant: 0 until money moved, then 1, and one more on each monthly return of that day
 * in Mexico City (on the last day of a month that has no such day), at most `terms`.
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

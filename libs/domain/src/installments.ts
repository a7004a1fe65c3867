import { clockInMexicoCity } from './mexico-city.ts';

interface InTerms {
  movedAt: Date | null;
  terms: number;
  /** Whether the acquirer pays the merchant all at once, or month by month. */
  installments: 'AT_ONCE' | 'MONTHLY';
  now: Date;
}

/**
 * Installments paid out to the merchant: 0 until money has moved. Then all of them or, if they are paid monthly, 1 and one more
 * every month on the same day in Mexico City (or on the last day of a month that has no such day), up to `terms`.
 */
export function paidTerms({ movedAt, terms, installments, now }: InTerms): number {
  if (movedAt === null) return 0;
  if (installments === 'AT_ONCE') return terms;
  return Math.min(terms, Math.max(0, monthsBetween(clockInMexicoCity(movedAt), clockInMexicoCity(now))) + 1);
}

/** Whole months between the days of two clocks, read by their UTC fields. */
function monthsBetween(from: Date, to: Date): number {
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  const daysInMonth = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate();
  return to.getUTCDate() >= Math.min(from.getUTCDate(), daysInMonth) ? months : months - 1;
}

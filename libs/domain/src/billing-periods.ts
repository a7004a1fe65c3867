import type { Periodicity } from '@cobro/contracts/periodicities.ts';
import { DateTime } from 'luxon';
import { dayInMexicoCity, dayStart, timeOfDay } from './mexico-city.ts';

/** Determines the periods of a subscription. `firstBillingDate` is a day in Mexico City, YYYY-MM-DD. */
export interface Billing {
  firstBillingDate: string;
  periodicity: Periodicity;
}

const units = {
  WEEKLY: { days: 7 },
  BIWEEKLY: { days: 14 },
  MONTHLY: { months: 1 },
  QUARTERLY: { months: 3 },
  SEMIANNUAL: { months: 6 },
  YEARLY: { months: 12 },
} as const satisfies Record<Periodicity, { days: number } | { months: number }>;

const dayMs = 86_400_000;
const dueHour = 8;
/** Days after the due day. */
const retryDays = [1, 3, 7, 14];

const dateOf = (day: string) => DateTime.fromISO(day, { zone: 'utc' });
const isoDay = (date: DateTime): string => date.toFormat('yyyy-MM-dd');

/**
 * The first day of period `number`, counted from 1. It is computed from the first billing date and clamped to the month's last
 * day, so that 31 January is followed by 28 February and 31 March.
 */
export function startsOn({ firstBillingDate, periodicity }: Billing, number: number): string {
  const unit = units[periodicity];
  const periods = number - 1;
  const ahead = 'days' in unit ? { days: unit.days * periods } : { months: unit.months * periods };
  return isoDay(dateOf(firstBillingDate).plus(ahead));
}

/** The last day of a period: the one before the next period's first. */
export const endsOn = (billing: Billing, number: number): string =>
  isoDay(dateOf(startsOn(billing, number + 1)).minus({ days: 1 }));

/** The first moment of a period. */
export const beginsAt = (billing: Billing, number: number): Date => dayStart(startsOn(billing, number));

/** When a period is charged: 08:00 in Mexico City on its first day. */
export const dueAt = (billing: Billing, number: number): Date =>
  timeOfDay(startsOn(billing, number), { days: 0, hour: dueHour, minute: 0 });

/** The period's number at this moment; 0 before the first. */
export function numberAt(billing: Billing, now: Date): number {
  const today = dayInMexicoCity(now);
  if (today < billing.firstBillingDate) return 0;
  const unit = units[billing.periodicity];
  const from = dateOf(billing.firstBillingDate);
  const to = dateOf(today);
  if ('days' in unit) return Math.floor((to.toMillis() - from.toMillis()) / dayMs / unit.days) + 1;
  const months = (to.year - from.year) * 12 + to.month - from.month;
  const number = Math.floor(months / unit.months) + 1;
  return startsOn(billing, number) > today ? number - 1 : number;
}

/** When a period that was declined is tried again: at 08:00, on days before the next period, so that periods never overlap. */
export function retrySlots(billing: Billing, number: number): Date[] {
  const day = startsOn(billing, number);
  const next = startsOn(billing, number + 1);
  return retryDays
    .filter((days) => isoDay(dateOf(day).plus({ days })) < next)
    .map((days) => timeOfDay(day, { days, hour: dueHour, minute: 0 }));
}

/** The latest first billing date that may be asked for on this day: a year later. */
export const latestFirstBilling = (today: string): string => isoDay(dateOf(today).plus({ years: 1 }));

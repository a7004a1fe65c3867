import { DAY, dayOf, HOUR, isoDay, startOf } from './days.ts';

/** Days of a period: a yearly one is longer than any history. */
const DAYS = { WEEKLY: 7, YEARLY: 365 };
export type Periodicity = keyof typeof DAYS;

/** Charged from `firstDay` on. `amount` in centavos; times in milliseconds since 1970. */
export interface Subscription {
  id: string | undefined;
  createdAt: string | undefined;
  card: number;
  amount: number;
  externalId: string | null;
  periodicity: Periodicity;
  /** Undefined: it is charged at its creation. */
  begins: 'tomorrow' | undefined;
  firstDay: number;
  ended: { at: number; reason: 'MERCHANT' | 'FIRST_CHARGE_FAILED' | 'PAYMENT_FAILED' } | null;
  pausedAt: number | null;
  cancelsAt: number | null;
  /** Lower periods are skipped. */
  chargesFrom: number;
  /** The highest period that was tried (0: none), and when it was last tried. */
  latest: number;
  attemptedAt: number;
  isPastDue: boolean;
  givesUpAt: number | null;
  /** The payments of each period that was charged, in their order. */
  payments: Record<number, number[]>;
}

export const begins = ({ firstDay, periodicity }: Subscription, number: number): number =>
  startOf(firstDay + (number - 1) * DAYS[periodicity]);
export const due = (one: Subscription, number: number): number => begins(one, number) + 8 * HOUR;
/** Retries: at 08:00 on 1, 3, 7 and 14 days after the due day, but before the next due day. */
export const slots = (one: Subscription, number: number): number[] =>
  [1, 3, 7, 14].filter((days) => days < DAYS[one.periodicity]).map((days) => due(one, number) + days * DAY);
/** The period of this moment; 0 before the first. */
export const numberAt = ({ firstDay, periodicity }: Subscription, now: number): number =>
  Math.max(0, Math.floor((dayOf(now) - firstDay) / DAYS[periodicity]) + 1);

/** It began while the subscription was paused, or before it was resumed. */
export const isSkipped = (one: Subscription, number: number): boolean =>
  number < one.chargesFrom || (one.pausedAt !== null && number > one.latest && begins(one, number + 1) > one.pausedAt);

function statusOf({ ended, pausedAt, isPastDue }: Subscription): string {
  if (ended !== null) return 'CANCELLED';
  if (pausedAt !== null) return 'PAUSED';
  return isPastDue ? 'PAST_DUE' : 'ACTIVE';
}

/** Times at which the clock may change it next. */
export function nextTimes(one: Subscription, now: number): number[] {
  if (one.ended !== null) return [];
  const number = numberAt(one, now);
  const ends = [one.cancelsAt, one.pausedAt === null ? one.givesUpAt : null].filter((time) => time !== null);
  const retries = one.isPastDue ? slots(one, one.latest) : [];
  return [...ends, ...retries, due(one, Math.max(1, number)), due(one, number + 1)].filter((time) => time > now);
}

/** The subscription of this saved card, without days and times. */
export const showSubscription = (subscription: Subscription, paymentMethodId: string | undefined): object => ({
  id: subscription.id,
  status: statusOf(subscription),
  description: null,
  paymentMethodId,
  product: null,
  amount: subscription.amount / 100,
  currency: 'MXN',
  periodicity: subscription.periodicity,
  firstBillingDate: isoDay(subscription.firstDay),
  totalPeriods: null,
  cancelAtPeriodEnd: subscription.cancelsAt !== null && subscription.ended === null,
  endReason: subscription.ended?.reason ?? null,
  externalId: subscription.externalId,
  createdAt: subscription.createdAt,
});

/** The payment that a period shows: the paid one, else the latest. */
export const shownOf = (payments: readonly number[], isDeclined: (payment: number) => boolean): number | undefined =>
  payments.find((payment) => !isDeclined(payment)) ?? payments.at(-1);

/** What a period shows: its number, amount, status, declines and payment. `isDeclined` takes a payment's position. */
export function showPeriods(one: Subscription, now: number, isDeclined: (payment: number) => boolean): Period[] {
  const until = one.ended === null ? now : Math.min(now, one.ended.at - 1);
  const paidOf = (number: number) => one.payments[number]?.find((payment) => !isDeclined(payment));
  const highestPaid = Math.max(
    0,
    ...Object.keys(one.payments)
      .map(Number)
      .filter((number) => paidOf(number) !== undefined),
  );
  const count = Math.max(numberAt(one, until), one.latest, highestPaid);
  return Array.from({ length: count }, (_, i) => {
    const number = count - i;
    const payments = one.payments[number] ?? [];
    const paid = paidOf(number);
    const isTried = payments.length > 0 || number === one.latest;
    const isOver = one.ended !== null || number < numberAt(one, now) || (isTried && number < one.chargesFrom);
    const unpaid = isTried ? (isOver ? 'FAILED' : 'OPEN') : isOver || isSkipped(one, number) ? 'SKIPPED' : 'OPEN';
    return {
      number,
      amount: one.amount / 100,
      status: paid === undefined ? unpaid : 'PAID',
      declines: payments.filter(isDeclined).length,
      payment: shownOf(payments, isDeclined),
    };
  });
}

interface Period {
  number: number;
  amount: number;
  status: string;
  declines: number;
  payment: number | undefined;
}

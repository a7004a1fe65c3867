import type { ReportQuery } from '@cobro/contracts/reports.ts';
import { dayEnd, dayStart } from '@cobro/domain/mexico-city.ts';
import { timeRange } from '@cobro/domain/time-range.ts';
import type { PaymentFilters } from './payment.store.ts';

const SETTLES_WITHIN_MS = 8 * 86_400_000;
const CLOCKS_APART_MS = 3_600_000;

/**
 * The range of creation times of payments that settled in a range, so that a statement need not read all payments: a hold is captured
 * within a week, a charge approved within a day, and the bank's clock, which sets the time, may be behind ours.
 */
export const madeToSettle = (from: Date, to: Date) => ({
  from: new Date(from.getTime() - SETTLES_WITHIN_MS),
  to: new Date(to.getTime() + CLOCKS_APART_MS),
});

/** The filters of GET /report/payment and of its export. */
export function filtersOf(query: Omit<ReportQuery, 'limit' | 'cursor'>): PaymentFilters {
  const { status, createdAtFrom, createdAtTo, settledOn, refundedOn, ...rest } = query;
  const made = timeRange({ createdAtFrom, createdAtTo });
  const settledFrom = settledOn === undefined ? undefined : dayStart(settledOn);
  const settledTo = settledOn === undefined ? undefined : dayEnd(settledOn);
  const toSettle = settledFrom && settledTo && madeToSettle(settledFrom, settledTo);
  return {
    ...rest,
    // Sorted and without repeats, so that a cursor fits the same filters however they are written.
    status: status && [...new Set(status)].toSorted(),
    email: rest.email?.toLowerCase(),
    from: latest(made.from, toSettle?.from),
    to: earliest(made.to, toSettle?.to),
    settledFrom,
    settledTo,
    refundedFrom: refundedOn === undefined ? undefined : dayStart(refundedOn),
    refundedTo: refundedOn === undefined ? undefined : dayEnd(refundedOn),
  };
}

const latest = (a: Date | undefined, b: Date | undefined) => (a === undefined || (b !== undefined && b > a) ? b : a);
const earliest = (a: Date | undefined, b: Date | undefined) => (a === undefined || (b !== undefined && b < a) ? b : a);

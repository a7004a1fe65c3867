import type { ReportQuery } from '@cobro/contracts/reports.ts';
import { dayEnd, dayStart } from '@cobro/domain/mexico-city.ts';
import { timeRange } from '@cobro/domain/time-range.ts';
import type { PaymentFilters } from './payment.store.ts';

/** A hold is captured within a week, and a charge approved within a day, so older rows did not settle on the day. */
export const SETTLES_WITHIN_MS = 8 * 86_400_000;

/** The filters of GET /report/payment and of its export. */
export function filtersOf(query: Omit<ReportQuery, 'limit' | 'cursor'>): PaymentFilters {
  const { status, createdAtFrom, createdAtTo, settledOn, refundedOn, ...rest } = query;
  const made = timeRange({ createdAtFrom, createdAtTo });
  const settledFrom = settledOn === undefined ? undefined : dayStart(settledOn);
  const settledTo = settledOn === undefined ? undefined : dayEnd(settledOn);
  return {
    ...rest,
    // Sorted and without repeats, so that a cursor fits the same filters however they are written.
    status: status && [...new Set(status)].toSorted(),
    email: rest.email?.toLowerCase(),
    // What settled on a day was made shortly before, which keeps the list from looking at all payments.
    from: latest(made.from, settledFrom && new Date(settledFrom.getTime() - SETTLES_WITHIN_MS)),
    to: earliest(made.to, settledTo),
    settledFrom,
    settledTo,
    refundedFrom: refundedOn === undefined ? undefined : dayStart(refundedOn),
    refundedTo: refundedOn === undefined ? undefined : dayEnd(refundedOn),
  };
}

const latest = (a: Date | undefined, b: Date | undefined) => (a === undefined || (b !== undefined && b > a) ? b : a);
const earliest = (a: Date | undefined, b: Date | undefined) => (a === undefined || (b !== undefined && b < a) ? b : a);

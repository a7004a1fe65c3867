import { holdsCardData } from '@cobro/contracts/card-data.ts';
import { uuid } from '@cobro/contracts/ids.ts';
import type { Result } from '@cobro/client/refusal.ts';
import type { PaymentFilters } from '@cobro/dashboard/payments/payment-filters.ts';
import { paymentsPage, type PaymentsView } from '@cobro/dashboard/payments/payments-page.ts';
import { paymentHref } from '@cobro/dashboard/payments/payment-parts.ts';
import { noticeOf } from '@cobro/dashboard/payments/action-page.ts';
import type { ReportedPayment } from '@cobro/contracts/reports.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, redirect } from '../http/visit.ts';
import { apiQueryOf, filtersOf } from './list-query.ts';
import { inTime, READING } from '../http/reading.ts';

/** GET /payments: every payment with an outcome, newest first. No filter is hidden. */
export async function showPayments(deps: Deps, visit: SignedIn): Promise<Answer> {
  // A number may have been typed into any field, or twice.
  if ([...visit.query].some(([name, value]) => name !== 'cursor' && holdsCardData(value))) {
    return draw(deps, visit, { filters: {}, names: {}, found: { kind: 'card-number' } });
  }
  const filters = filtersOf(visit.query);
  const asked = apiQueryOf(filters);
  if (asked.kind === 'payment') return redirect(paymentHref(asked.id));
  const cursor = visit.query.get('cursor') ?? undefined;
  const query = { ...asked.query, ...(cursor !== undefined && { cursor }), limit: '50' };
  const [result, names] = await Promise.all([
    visit.api.call('reportPayments', { query: query as never }, READING).result(),
    namesIn(visit, filters),
  ]);
  return draw(deps, visit, { filters, names, found: foundIn(visit, result, cursor === undefined) });
}

/** Names for the ids in the filters. */
async function namesIn({ api }: SignedIn, { salespersonId, branchId }: PaymentFilters): Promise<PaymentsView['names']> {
  const read = await Promise.all([
    isId(salespersonId) ? inTime(api.salespeople.get(salespersonId, READING)) : null,
    isId(branchId) ? inTime(api.branches.get(branchId, READING)) : null,
  ]);
  return Object.fromEntries(read.flatMap((one) => (one === null ? [] : [[one.id, one.name]])));
}

const isId = (text: string | undefined): text is string => uuid.safeParse(text).success;

const draw = (deps: Deps, visit: SignedIn, view: PaymentsView) =>
  show(deps, visit, (frame) => paymentsPage(frame, view));

interface Page {
  data: readonly ReportedPayment[];
  pagination: { nextCursor: string | null };
}

function foundIn({ language, requestId }: SignedIn, result: Result<Page>, isFirstPage: boolean): PaymentsView['found'] {
  if (result.kind === 'done') {
    const { data, pagination } = result.value;
    return { kind: 'rows', rows: data, nextCursor: pagination.nextCursor, isFirstPage };
  }
  if (result.kind === 'lost' || result.refusal.status >= 500) return { kind: 'unavailable' };
  const { code, status } = result.refusal;
  return { kind: 'refused', notice: noticeOf(language, { kind: 'refused', code, status, requestId }) };
}

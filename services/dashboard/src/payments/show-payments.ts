import { holdsCardData } from '@cobro/contracts/card-data.ts';
import { uuid } from '@cobro/contracts/ids.ts';
import type { Result } from '@cobro/client/refusal.ts';
import type { FilterTexts } from '@cobro/dashboard/payments/payment-filters.ts';
import { type Named, paymentsPage, type PaymentsView } from '@cobro/dashboard/payments/payments-page.ts';
import { paymentHref } from '@cobro/dashboard/payments/payment-parts.ts';
import { noticeOf } from '@cobro/dashboard/payments/action-page.ts';
import type { ReportedPayment } from '@cobro/contracts/reports.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, redirect } from '../http/visit.ts';
import { apiQueryOf, filtersOf } from './list-query.ts';
import { inTime, READING } from '../http/reading.ts';
import { readStaff } from '../sellers/sellers.ts';

/** GET /payments: every payment with an outcome, newest first. No filter is hidden. */
export async function showPayments(deps: Deps, visit: SignedIn): Promise<Answer> {
  // A card number may have been typed into any field, or twice.
  if ([...visit.query].some(([name, value]) => name !== 'cursor' && holdsCardData(value))) {
    return draw(deps, visit, { filters: {}, sellers: await readSellers(visit, {}), found: { kind: 'card-number' } });
  }
  const filters = filtersOf(visit.query);
  const asked = apiQueryOf(filters);
  if (asked.kind === 'payment') return redirect(paymentHref(asked.id));
  const cursor = visit.query.get('cursor') ?? undefined;
  const query = { ...asked.query, ...(cursor !== undefined && { cursor }), limit: '50' };
  const [result, sellers] = await Promise.all([
    visit.api.call('reportPayments', { query: query as never }, READING).result(),
    readSellers(visit, filters),
  ]);
  return draw(deps, visit, { filters, sellers, found: foundIn(visit, result, cursor === undefined) });
}

/** Sellers and branches to choose from, and those that the filters name. */
async function readSellers(
  visit: SignedIn,
  { salespersonId, branchId }: FilterTexts,
): Promise<PaymentsView['sellers']> {
  const { salespeople, branches: places } = visit.api;
  const [{ people, branches }, seller, branch] = await Promise.all([
    readStaff(visit),
    isId(salespersonId) ? inTime(salespeople.get(salespersonId, READING)) : null,
    isId(branchId) ? inTime(places.get(branchId, READING)) : null,
  ]);
  if (people === null || branches === null) return null;
  return { salespersonId: withNamed(people.rows, seller), branchId: withNamed(branches.rows, branch) };
}

const withNamed = (rows: readonly Named[], named: Named | null): readonly Named[] =>
  named === null || rows.some(({ id }) => id === named.id) ? rows : [...rows, named];

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

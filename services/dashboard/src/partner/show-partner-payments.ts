import { holdsCardData } from '@cobro/contracts/card-data.ts';
import { COUNTED_MATCHES } from '@cobro/contracts/partner-payments.ts';
import { partnerPaymentsPage, type PartnerPaymentsView } from '@cobro/dashboard/partner/partner-payments-page.ts';
import { noticeOf } from '@cobro/dashboard/payments/action-page.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field } from '../http/visit.ts';
import { READING } from '../http/reading.ts';
import { findOrganizationName } from '../people/organization.store.ts';
import { apiQueryOf, filtersOf } from './list-query.ts';

const PAGE = 50;

/** GET /partner/payments */
export async function showPartnerPayments(deps: Deps, visit: SignedIn): Promise<Answer> {
  const draw = (view: PartnerPaymentsView) => show(deps, visit, (frame) => partnerPaymentsPage(frame, view));
  if ([...visit.query.values()].some(holdsCardData)) {
    return draw({ filters: {}, organizationName: null, found: { kind: 'card-number' } });
  }
  const filters = filtersOf(visit.query);
  const offset = Number(field(visit.query, 'offset') || '0');
  const query = { ...apiQueryOf(filters), limit: PAGE, offset } as never;
  const result = await visit.api.call('listPartnerPayments', { query }, READING).result();
  if (result.kind === 'done') {
    const { data, pagination } = result.value;
    const { organizationId } = filters;
    // Only of an organization that the API has shown to be theirs.
    const organizationName =
      organizationId === undefined ? null : ((await findOrganizationName(deps.db, organizationId)) ?? null);
    const isCapped = filters.q !== undefined && pagination.count === COUNTED_MATCHES;
    const found = { kind: 'rows', rows: data, count: pagination.count, isCapped, offset } as const;
    return draw({ filters, organizationName, found });
  }
  if (result.kind === 'lost' || result.refusal.status >= 500) {
    return draw({ filters, organizationName: null, found: { kind: 'unavailable' } });
  }
  const { code, status } = result.refusal;
  const notice = noticeOf(visit.language, { kind: 'refused', code, status, requestId: visit.requestId });
  return draw({ filters, organizationName: null, found: { kind: 'refused', notice } });
}

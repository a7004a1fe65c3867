import { partnerPromotionsPage, type PartnerPromotionsView } from '@cobro/dashboard/partner/partner-promotions-page.ts';
import { promotionStatuses } from '@cobro/dashboard/promotions/promotion-parts.ts';
import type { Deps } from '../deps.ts';
import { pageIn } from '../http/page-of-list.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import type { Answer } from '../http/visit.ts';
import { inTime, READING } from '../http/reading.ts';

const PAGE_SIZE = 50;

/** GET /partner/promotions: newest first. Unknown values in the address are ignored. */
export async function showPartnerPromotions(deps: Deps, visit: SignedIn): Promise<Answer> {
  const status = promotionStatuses.find((one) => one === visit.query.get('status')) ?? null;
  const page = pageIn(visit.query);
  const query = { ...(status && { status: [status] }), limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE };
  const read = await inTime(visit.api.call('listPartnerPromotions', { query }, READING));
  const found: PartnerPromotionsView['found'] = read && {
    rows: read.data,
    page,
    hasMore: read.pagination.count > page * PAGE_SIZE,
  };
  return show(deps, visit, (frame) => partnerPromotionsPage(frame, { status, found }));
}

import { promotionStatuses } from '@cobro/dashboard/promotions/promotion-parts.ts';
import { promotionsPage } from '@cobro/dashboard/promotions/promotions-page.ts';
import type { Deps } from '../deps.ts';
import { pageIn, pageOf } from '../http/page-of-list.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import type { Answer } from '../http/visit.ts';
import { READING } from '../http/reading.ts';

const PAGE_SIZE = 50;

/** GET /promotions: newest first. Unknown values in the address are ignored. */
export async function showPromotions(deps: Deps, visit: SignedIn): Promise<Answer> {
  const status = promotionStatuses.find((one) => one === visit.query.get('status')) ?? null;
  const page = pageIn(visit.query);
  const query = { ...(status && { status }), page, pageSize: PAGE_SIZE };
  const result = await visit.api.promotions.list(query, READING).result();
  const found = pageOf(result, { page, pageSize: PAGE_SIZE });
  return show(deps, visit, (frame) => promotionsPage(frame, { status, found }));
}

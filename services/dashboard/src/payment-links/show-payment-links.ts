import { paymentLinkStatuses } from '@cobro/dashboard/payment-links/payment-link-parts.ts';
import { paymentLinksPage, type PaymentLinksView } from '@cobro/dashboard/payment-links/payment-links-page.ts';
import type { Deps } from '../deps.ts';
import { pageIn } from '../http/page-of-list.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import type { Answer } from '../http/visit.ts';
import { READING } from '../http/reading.ts';

const PAGE_SIZE = 50;

/** GET /payment-links: newest first. What the address says and we do not know is left out. */
export async function showPaymentLinks(deps: Deps, visit: SignedIn): Promise<Answer> {
  const status = paymentLinkStatuses.find((one) => one === visit.query.get('status')) ?? null;
  const page = pageIn(visit.query);
  const query = { ...(status && { status }), page, pageSize: PAGE_SIZE };
  const result = await visit.api.paymentLinks.list(query, READING).result();
  const found: PaymentLinksView['found'] =
    result.kind === 'done' ? { rows: result.value.items, page, hasMore: result.value.count > page * PAGE_SIZE } : null;
  return show(deps, visit, (frame) => paymentLinksPage(frame, { status, found }));
}

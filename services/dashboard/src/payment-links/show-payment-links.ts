import { COUNTED_LINKS } from '@cobro/contracts/payment-links.ts';
import { paymentLinkStatuses } from '@cobro/dashboard/payment-links/payment-link-parts.ts';
import { paymentLinksPage } from '@cobro/dashboard/payment-links/payment-links-page.ts';
import type { Deps } from '../deps.ts';
import { pageIn, pageOf } from '../http/page-of-list.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import type { Answer } from '../http/visit.ts';
import { READING } from '../http/reading.ts';

const PAGE_SIZE = 50;

/** GET /payment-links: newest first. Unknown values in the address are ignored. */
export async function showPaymentLinks(deps: Deps, visit: SignedIn): Promise<Answer> {
  const status = paymentLinkStatuses.find((one) => one === visit.query.get('status')) ?? null;
  const page = pageIn(visit.query);
  const query = { ...(status && { status }), page, pageSize: PAGE_SIZE };
  const result = await visit.api.paymentLinks.list(query, READING).result();
  const found = pageOf(result, { page, pageSize: PAGE_SIZE, ...(status && { counted: COUNTED_LINKS }) });
  return show(deps, visit, (frame) => paymentLinksPage(frame, { status, found }));
}

import { COUNTED_LINKS, LINK_PAGE_RULE } from '@cobro/contracts/payment-links.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listPaymentLinks as contract } from '@cobro/contracts/routes/payment-links.ts';
import { refuseField } from '@cobro/contracts/validation.ts';
import { answerPage } from '../answer-page.ts';
import type { Deps } from '../deps.ts';
import { showPaymentLink } from './payment-link.rules.ts';
import { listLinks } from './payment-link.store.ts';

/** GET /payment-link: newest first. */
export async function listPaymentLinks(
  deps: Deps,
  { caller: { organizationId }, query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { page, pageSize, status } = query;
  const isCounted = status !== undefined;
  if (isCounted && (page - 1) * pageSize >= COUNTED_LINKS) throw refuseField('page', LINK_PAGE_RULE);
  const list = { organizationId, status, now: deps.clock.now(), page, pageSize, most: COUNTED_LINKS + 1 };
  const { count, rows } = await deps.reads.inTurn(organizationId, () => listLinks(deps.reads, list));
  const items = rows.map((row) => showPaymentLink(row, deps.checkoutBaseUrl));
  return answerPage({ count, page, pageSize, items }, isCounted ? COUNTED_LINKS : undefined);
}

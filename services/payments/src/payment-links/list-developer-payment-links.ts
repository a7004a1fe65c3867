import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listDeveloperPaymentLinks as contract } from '@cobro/contracts/routes/payment-links.ts';
import { developerList } from '@cobro/frame/developer-list.ts';
import type { Deps } from '../deps.ts';
import { showPaymentLink } from './payment-link.rules.ts';
import { linksByStatus } from './payment-link.store.ts';

/** GET /developer/v1/payment-link */
export async function listDeveloperPaymentLinks(
  deps: Deps,
  { caller: { organizationId }, query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const list = { name: 'developer-payment-links', organizationId, query };
  const source = linksByStatus(organizationId, deps.clock.now());
  return developerList(deps, { ...list, ...source, show: (row) => showPaymentLink(row, deps.checkoutBaseUrl) });
}

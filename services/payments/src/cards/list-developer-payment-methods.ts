import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listDeveloperPaymentMethods as contract } from '@cobro/contracts/routes/saved-cards.ts';
import { developerList } from '@cobro/frame/developer-list.ts';
import type { Deps } from '../deps.ts';
import { monthNow, showPaymentMethod } from './payment-method.rules.ts';
import { cardsByStatus } from './payment-method.store.ts';

/** GET /developer/v1/payment-method */
export async function listDeveloperPaymentMethods(
  deps: Deps,
  { caller: { organizationId }, query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const now = deps.clock.now();
  return developerList(deps, {
    name: 'developer-payment-methods',
    organizationId,
    query,
    ...cardsByStatus(organizationId, monthNow(now)),
    show: (row) => showPaymentMethod(row, now),
  });
}

import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listDeveloperSubscriptions as contract } from '@cobro/contracts/routes/subscriptions.ts';
import { developerList } from '@cobro/frame/developer-list.ts';
import type { Deps } from '../deps.ts';
import { showSubscription } from './subscription.rules.ts';
import { subscriptionsByStatus } from './subscription.store.ts';

/** GET /developer/v1/subscription */
export async function listDeveloperSubscriptions(
  deps: Deps,
  { caller: { organizationId }, query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const now = deps.clock.now();
  const { paymentMethodId } = query;
  return developerList(deps, {
    // A cursor is good only for the card for which it was given.
    name: `developer-subscriptions${paymentMethodId === undefined ? '' : ` ${paymentMethodId}`}`,
    organizationId,
    query,
    ...subscriptionsByStatus(organizationId, now, paymentMethodId),
    show: (row) => showSubscription(row, now),
  });
}

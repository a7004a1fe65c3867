import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { getSubscription as contract } from '@cobro/contracts/routes/subscriptions.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { ownSubscription } from './own-subscription.ts';
import { showSubscription } from './subscription.rules.ts';

/** GET /subscription/{id}, and /developer/v1/subscription/{id}. */
export async function getSubscription(
  { db, clock }: Deps,
  { caller: { organizationId }, params: { id } }: Pick<InputOf<typeof contract>, 'caller' | 'params'>,
): Promise<AnswerOf<typeof contract>> {
  const now = clock.now();
  return ok(showSubscription(await ownSubscription(db, { organizationId, id, now }), now));
}

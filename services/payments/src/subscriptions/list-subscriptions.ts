import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listSubscriptions as contract } from '@cobro/contracts/routes/subscriptions.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { showSubscription } from './subscription.rules.ts';
import { listSubscriptions as list } from './subscription.store.ts';

/** GET /subscription: newest first. */
export async function listSubscriptions(
  { reads, clock }: Deps,
  { caller: { organizationId }, query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { page, pageSize, status, paymentMethodId } = query;
  const now = clock.now();
  const { count, rows } = await reads.inTurn(organizationId, () =>
    list(reads, { organizationId, status, paymentMethodId, now, page, pageSize }),
  );
  return ok({ count, page, pageSize, items: rows.map((row) => showSubscription(row, now)) });
}

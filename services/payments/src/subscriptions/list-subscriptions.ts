import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listSubscriptions as contract } from '@cobro/contracts/routes/subscriptions.ts';
import { COUNTED_SUBSCRIPTIONS, SUBSCRIPTION_PAGE_RULE } from '@cobro/contracts/subscriptions.ts';
import { refuseField } from '@cobro/contracts/validation.ts';
import { answerPage } from '../answer-page.ts';
import type { Deps } from '../deps.ts';
import { showSubscription } from './subscription.rules.ts';
import { listSubscriptions as list } from './subscription.store.ts';

/** GET /subscription: newest first. */
export async function listSubscriptions(
  { reads, clock }: Deps,
  { caller: { organizationId }, query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { page, pageSize, status, paymentMethodId } = query;
  const isCapped = status !== undefined || paymentMethodId !== undefined;
  if (isCapped && (page - 1) * pageSize >= COUNTED_SUBSCRIPTIONS) throw refuseField('page', SUBSCRIPTION_PAGE_RULE);
  const now = clock.now();
  const most = COUNTED_SUBSCRIPTIONS + 1;
  const { count, rows } = await reads.inTurn(organizationId, () =>
    list(reads, { organizationId, status, paymentMethodId, now, page, pageSize, most }),
  );
  const items = rows.map((row) => showSubscription(row, now));
  return answerPage({ count, page, pageSize, items }, isCapped ? COUNTED_SUBSCRIPTIONS : undefined);
}

import { PRICE_OF_PRODUCT_RULE } from '@cobro/contracts/payment-links.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { changePaymentLink as contract } from '@cobro/contracts/routes/payment-links.ts';
import { refuseField } from '@cobro/contracts/validation.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import { changesOf } from '@cobro/service-kit/changes.ts';
import type { Deps } from '../deps.ts';
import { ownPaymentLink } from './own-payment-link.ts';
import { refusePast, showPaymentLink } from './payment-link.rules.ts';
import { changeLink, lockingOwnPaymentLink } from './payment-link.store.ts';

/** PATCH /payment-link/{id}: fields that are not sent stay. A claimed payment goes on as it was claimed. */
export async function changePaymentLink(
  deps: Deps,
  { caller, params, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const now = deps.clock.now();
  const own = { organizationId: caller.organizationId, id: params.id, now };
  const link = await deps.db.inTransaction(async (tx) => {
    const locked = await tx.maybe<{ id: string }>(lockingOwnPaymentLink(own));
    if (locked === undefined) throw new Refusal('PAYMENT_LINK_NOT_FOUND');
    const row = await ownPaymentLink(tx, own);
    const asked = readBody();
    refusePast(asked.expiresAt, now);
    if (asked.amount !== undefined && row.productId !== null) throw refuseField('amount', PRICE_OF_PRODUCT_RULE);
    const changes = changesOf(row, asked);
    if (Object.keys(changes).length === 0) return row;
    changeLink(tx, row.id, changes, now);
    return ownPaymentLink(tx, own);
  });
  return ok(showPaymentLink(link, deps.checkoutBaseUrl));
}

import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { revokePaymentMethod as contract } from '@cobro/contracts/routes/saved-cards.ts';
import { newEvent } from '@cobro/contracts/events.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { wakeWaiting } from '../subscriptions/subscription.store.ts';
import { findPaymentMethod, revokePaymentMethod as revoke } from './payment-method.store.ts';

/** DELETE /payment-method/{id}: idempotent. Holds placed with the card can still be captured or released. */
export async function revokePaymentMethod(
  deps: Deps,
  { caller, params }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  await deps.db.inTransaction(async (tx) => {
    const found = await findPaymentMethod(tx, caller.organizationId, params.id);
    if (found === undefined) throw new Refusal('PAYMENT_METHOD_NOT_FOUND');
    const row = await revoke(tx, found.id);
    if (row === undefined) return;
    wakeWaiting(tx, [row.id]);
    const revokedAt = deps.clock.now();
    const { id, organizationId, lastFourDigits, network, externalId, createdAt, version } = row;
    const method = { paymentMethodId: id, organizationId, lastFourDigits, network, externalId, createdAt };
    const data = { ...method, revokedAt };
    const event = newEvent('PaymentMethodRevoked', { subject: id, sequence: version, time: revokedAt, data });
    deps.outbox.append(tx, event);
  });
  return ok({ success: true });
}

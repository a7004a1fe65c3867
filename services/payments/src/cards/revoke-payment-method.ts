import type { CallerOf } from '@cobro/contracts/caller.ts';
import { newEvent } from '@cobro/contracts/events.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { type Answer, ok } from '@cobro/service-kit/handle.ts';
import type { Deps } from '../deps.ts';
import { findPaymentMethod, revokePaymentMethod as revoke } from './payment-method.store.ts';

interface Input {
  caller: CallerOf<'merchant'>;
  params: { id: string };
}

/** DELETE /payment-method/{id}: idempotent. Holds that it placed can still be captured or released. */
export async function revokePaymentMethod(deps: Deps, { caller, params }: Input): Promise<Answer> {
  await deps.db.inTransaction(async (tx) => {
    const found = await findPaymentMethod(tx, caller.organizationId, params.id);
    if (found === undefined) throw new Refusal('PAYMENT_METHOD_NOT_FOUND');
    const row = await revoke(tx, found.id);
    if (row === undefined) return;
    const revokedAt = deps.clock.now();
    const { id, organizationId, lastFourDigits, network, version } = row;
    const data = { paymentMethodId: id, organizationId, lastFourDigits, network, revokedAt };
    const event = newEvent('PaymentMethodRevoked', { subject: id, sequence: version, time: revokedAt, data });
    deps.outbox.append(tx, event);
  });
  return ok({ success: true });
}

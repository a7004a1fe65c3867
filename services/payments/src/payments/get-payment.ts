import type { CallerOf } from '@cobro/contracts/caller.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { type Answer, ok } from '@cobro/service-kit/handle.ts';
import type { Deps } from '../deps.ts';
import { findPaymentMethod } from '../cards/payment-method.store.ts';
import { showPayment } from './payment.rules.ts';
import { findPayment } from './payment.store.ts';

interface Input {
  caller: CallerOf<'merchant'>;
  params: { id: string; paymentId: string };
}

/** GET /payment-method/{id}/payment/{paymentId} */
export async function getPayment(deps: Deps, { caller, params }: Input): Promise<Answer> {
  const method = await findPaymentMethod(deps.db, caller.organizationId, params.id);
  if (method === undefined) throw new Refusal('PAYMENT_METHOD_NOT_FOUND');
  const row = await findPayment(deps.db, caller.organizationId, params.paymentId);
  if (row?.paymentMethodId !== method.id) throw new Refusal('PAYMENT_NOT_FOUND');
  return ok(showPayment(row, deps.clock.now()));
}

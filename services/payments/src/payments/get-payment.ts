import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { getPayment as contract } from '@cobro/contracts/routes/saved-card-payments.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { findPaymentMethod } from '../cards/payment-method.store.ts';
import { showPayment } from './payment.rules.ts';
import { findPayment } from './payment.store.ts';

/** GET /payment-method/{id}/payment/{paymentId} */
export async function getPayment(
  deps: Deps,
  { caller, params }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const method = await findPaymentMethod(deps.db, caller.organizationId, params.id);
  if (method === undefined) throw new Refusal('PAYMENT_METHOD_NOT_FOUND');
  const find = () => findPayment(deps.db, caller.organizationId, params.paymentId);
  const row = await find();
  if (row?.paymentMethodId !== method.id) throw new Refusal('PAYMENT_NOT_FOUND');
  const current = (await deps.missedEndings.apply([row])) ? ((await find()) ?? row) : row;
  return ok(showPayment(current, deps.clock.now()));
}

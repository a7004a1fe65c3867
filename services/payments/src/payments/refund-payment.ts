import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { refundPayment as contract } from '@cobro/contracts/routes/saved-card-payments.ts';
import { findPaymentMethod } from '../cards/payment-method.store.ts';
import type { Deps } from '../deps.ts';
import { followHold } from './hold-copy.ts';
import { locationOf } from './payment-answer.ts';
import { findPayment } from './payment.store.ts';
import { refund } from './refund.ts';

/** POST /payment-method/{id}/payment/{paymentId}/refund */
export async function refundPayment(
  deps: Deps,
  { caller, params, deadline, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { organizationId } = caller;
  const method = await findPaymentMethod(deps.db, organizationId, params.id);
  if (method === undefined) throw new Refusal('PAYMENT_METHOD_NOT_FOUND');
  const payment = await findPayment(deps.db, organizationId, params.paymentId);
  if (payment?.paymentMethodId !== method.id) throw new Refusal('PAYMENT_NOT_FOUND');
  const { reason } = readBody();

  // Our copy of a hold may be behind. The answer of holds decides.
  if (payment.status === 'HELD') await followHold(deps, payment, deadline);
  return refund(deps, payment, { reason, askedBy: caller.by, deadline, location: locationOf(payment) });
}

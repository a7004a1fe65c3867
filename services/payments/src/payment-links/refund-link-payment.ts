import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { refundLinkPayment as contract } from '@cobro/contracts/routes/payment-links.ts';
import type { Deps } from '../deps.ts';
import { findPayment } from '../payments/payment.store.ts';
import { refund } from '../payments/refund.ts';
import { ownPaymentLink } from './own-payment-link.ts';

/** POST /payment-link/{id}/payment/{paymentId}/refund: always in full. The payment still counts for its link and its stock. */
export async function refundLinkPayment(
  deps: Deps,
  { caller, params, deadline, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const link = await ownPaymentLink(deps.db, { ...caller, id: params.id, now: deps.clock.now() });
  const payment = await findPayment(deps.db, caller.organizationId, params.paymentId);
  if (payment?.paymentLinkId !== link.id) throw new Refusal('PAYMENT_NOT_FOUND');
  const { reason } = readBody();
  const location = `/api/payment-link/${link.id}/attempt/${payment.attemptId}`;
  return refund(deps, payment, { reason, askedBy: caller.by, deadline, location });
}

import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { refundOneTimePayment as contract } from '@cobro/contracts/routes/one-time-payments.ts';
import type { Deps } from '../deps.ts';
import { findPaymentOfOneTimePayment } from '../payments/payment.store.ts';
import { refund } from '../payments/refund.ts';
import { findOneTimePayment } from './one-time-payment.store.ts';

/** POST /one-time-payment/{id}/refund: always in full. The link stays CONFIRMED; its payment becomes REFUNDED. */
export async function refundOneTimePayment(
  deps: Deps,
  { caller, params, deadline, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const link = await findOneTimePayment(deps.db, params.id);
  if (link?.organizationId !== caller.organizationId) throw new Refusal('ONE_TIME_PAYMENT_NOT_FOUND');
  const { reason } = readBody();
  const payment = await findPaymentOfOneTimePayment(deps.db, link.id);
  if (payment === undefined) throw new Refusal('PAYMENT_NOT_REFUNDABLE');
  return refund(deps, payment, {
    reason,
    askedBy: caller.by,
    deadline,
    location: `/api/one-time-payment/${link.id}`,
  });
}

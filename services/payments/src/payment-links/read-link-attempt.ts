import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { readLinkAttempt as contract } from '@cobro/contracts/routes/payment-links.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { findLinkAttempt } from '../payments/payment.store.ts';
import { chargeDeclined, showLinkPayment } from './payment-link.rules.ts';
import { findPaymentLink } from './payment-link.store.ts';

/** GET /payment-link/{id}/attempt/{attemptId}, public: the payer knows both ids. */
export async function readLinkAttempt(
  deps: Deps,
  { params }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const link = await findPaymentLink(deps.db, params.id, deps.clock.now());
  if (link === undefined) throw new Refusal('PAYMENT_LINK_NOT_FOUND');
  const payment = await findLinkAttempt(deps.db, link.id, params.attemptId);
  if (payment === undefined || payment.status === 'NOT_INITIALIZED') throw new Refusal('ATTEMPT_NOT_FOUND');
  if (payment.status === 'CANCELLED') throw chargeDeclined(payment);
  return ok(showLinkPayment(payment, link));
}

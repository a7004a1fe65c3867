import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { payPaymentLink as contract } from '@cobro/contracts/routes/payment-links.ts';
import { accepted, tooManyAttempts } from '@cobro/service-kit/answer.ts';
import { fingerprintsOf, refuseExpired } from '../cards/card-details.ts';
import { attemptDigests } from '../checkout/page-token.ts';
import type { Deps } from '../deps.ts';
import type { PaymentRow } from '../payments/payment.row.ts';
import { findLinkAttempt } from '../payments/payment.store.ts';
import { earlierPayment } from './earlier-attempt.ts';
import { findLinkAtCheckout } from './link-at-checkout.ts';
import type { PaymentLinkRow } from './payment-link.row.ts';
import { chargeDeclined, refuseLinkTerms, showLinkPayment } from './payment-link.rules.ts';
import { payLink } from './payment-of-payment-link.ts';

/** POST /payment-link/{id}/payment, public: 201 paid, 202 while the outcome is unknown, 402 declined. */
export async function payPaymentLink(
  deps: Deps,
  { params, deadline, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const found = await findLinkAtCheckout(deps, params.id);
  if (found === undefined) throw new Refusal('PAYMENT_LINK_NOT_FOUND');
  const { link } = found;
  const asked = readBody();
  refuseExpired(asked.card, deps.clock.now());
  refuseLinkTerms(link, asked.terms ?? 1);
  const attemptId = asked.attemptId.toLowerCase();
  const fingerprints = fingerprintsOf(deps.fingerprintKeys, asked.card);
  const digests = attemptDigests(deps.checkoutKeys, attemptId, fingerprints);
  const attempt = { ...asked, attemptId, attemptDigests: digests, deadline };
  const replay = async ({ id }: PaymentRow) => answer(link, await earlierPayment(deps, id, attempt), attemptId, true);

  const earlier = await findLinkAttempt(deps.db, link.id, attemptId);
  if (earlier !== undefined && earlier.status !== 'NOT_INITIALIZED') return replay(earlier);
  const paid = await payLink(deps, link, attempt);
  switch (paid.end) {
    case 'paid':
    case 'pending':
      return answer(link, paid.payment, attemptId);
    case 'earlier':
      return replay(paid.payment);
    case 'declined': {
      const { declineCode, payment } = paid;
      if (payment === undefined) throw new Refusal('CARD_DECLINED', { fields: { declineCode } });
      return answer(link, payment, attemptId);
    }
    case 'too_many_declines':
      throw tooManyAttempts(paid.retryAfterS);
    case 'not_paid':
      throw new Refusal(paid.why);
  }
}

/** @throws Refusal 402 */
function answer(
  link: PaymentLinkRow,
  payment: PaymentRow,
  attemptId: string,
  replayed = false,
): AnswerOf<typeof contract> {
  const headers = replayed ? { 'Idempotent-Replayed': 'true' } : {};
  if (payment.status === 'CANCELLED') throw chargeDeclined(payment, headers);
  const body = showLinkPayment(payment, link);
  if (payment.status !== 'PENDING') return { status: 201, body, headers };
  const pending = accepted(body, `/api/payment-link/${link.id}/attempt/${attemptId}`);
  return { ...pending, headers: { ...pending.headers, ...headers } };
}

import { pesosOf } from '@cobro/contracts/amount.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { payOneTimePayment as contract } from '@cobro/contracts/routes/one-time-payments.ts';
import { accepted, tooManyAttempts } from '@cobro/service-kit/answer.ts';
import { refuseExpired } from '../cards/card-details.ts';
import type { Deps } from '../deps.ts';
import { findLinkToPay } from './link-to-pay.ts';
import { refuseTerms, showPublicly } from './one-time-payment.rules.ts';
import { attemptPayment } from './payment-of-one-time-payment.ts';

/** POST /one-time-payment/{id}/payment, public: 201 paid, 202 while the outcome is unknown, 402 declined. */
export async function payOneTimePayment(
  deps: Deps,
  { params, from, deadline, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const found = await findLinkToPay(deps.db, params.id);
  if (found === undefined) throw new Refusal('ONE_TIME_PAYMENT_NOT_FOUND');
  const { link, organization } = found;
  const asked = readBody();
  refuseExpired(asked.card, deps.clock.now());
  refuseTerms(link, asked.terms ?? 1);
  const paid = await attemptPayment(deps, link, { ...asked, attemptDigests: [], address: from.address, deadline });
  switch (paid.end) {
    case 'paid': {
      const { amount, currency, operationCode } = paid.payment;
      const body = { id: link.id, status: 'CONFIRMED' as const, amount: pesosOf(amount), currency };
      return { status: 201, body: { ...body, operationCode: Number(operationCode), redirectUrl: link.redirectUrl } };
    }
    case 'pending':
      return accepted(showPublicly(link, organization, deps.clock.now()), `/api/one-time-payment/${link.id}`);
    case 'declined': {
      const { declineCode, payment } = paid;
      throw new Refusal('CHARGE_DECLINED', { fields: { declineCode, ...(payment && { paymentId: payment.id }) } });
    }
    case 'too_many_declines':
      throw tooManyAttempts(paid.retryAfterS);
    case 'not_paid':
      throw new Refusal(paid.why);
  }
}

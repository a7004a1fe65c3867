import type { CheckoutView } from '@cobro/checkout/checkout-view.ts';
import { fingerprintsOf } from '../cards/card-details.ts';
import { commonOf, declinedAttempt, findNamed, formView, paidView } from '../checkout/checkout-page.ts';
import { attemptDigests, attemptIdOf } from '../checkout/page-token.ts';
import type { Checkout, PageRequest, Payable, SentForm } from '../checkout/payable.ts';
import type { Deps } from '../deps.ts';
import { findLinkAttempt } from '../payments/payment.store.ts';
import type { LinkAtCheckout } from './link-at-checkout.ts';
import { payLink } from './payment-of-payment-link.ts';

/** A payment link at its checkout: a form is one attempt, whatever card it is sent with. */
export function checkoutOfPaymentLink(deps: Deps, { link, organization }: LinkAtCheckout): Checkout {
  const payable = { ...link, amount: link.price, organization };
  return {
    payable,
    view: (page) => currentView(deps, { link, organization }, payable, page),
    findEarlier: async ({ token }) => {
      const earlier = await findLinkAttempt(deps.db, link.id, attemptIdOf(token));
      return earlier?.status === 'NOT_INITIALIZED' ? undefined : earlier;
    },
    pay: (sent) => payByForm(deps, { link, organization }, sent),
  };
}

async function payByForm(deps: Deps, { link }: LinkAtCheckout, sent: SentForm): ReturnType<Checkout['pay']> {
  const attemptId = attemptIdOf(sent.token);
  const fingerprints = fingerprintsOf(deps.fingerprintKeys, sent.card);
  const digests = attemptDigests(deps.checkoutKeys, attemptId, fingerprints);
  const paid = await payLink(deps, link, { ...sent, attemptId, attemptDigests: digests });
  if (paid.end !== 'earlier') return paid;
  // The same form, sent twice at once: the page shows what becomes of the first.
  const { payment } = paid;
  return payment.status === 'NOT_INITIALIZED'
    ? { end: 'not_paid', why: 'BANK_UNAVAILABLE' }
    : { end: 'pending', payment };
}

const CLOSED = { INACTIVE: 'inactive', EXPIRED: 'expired', SOLD_OUT: 'sold-out' } as const;

/** Shows the outcome of this browser's attempt, else the state of the payment link. */
async function currentView(
  deps: Deps,
  { link }: LinkAtCheckout,
  payable: Payable,
  page: PageRequest,
): Promise<CheckoutView> {
  const named = await findNamed(deps, payable, page.attempt);
  const payment = named?.paymentLinkId === link.id ? named : undefined;
  if (payment?.status === 'PENDING') {
    const { amount, description } = payment;
    return { ...commonOf(payable, page), state: 'confirming', payment: { amount, description: description ?? '' } };
  }
  if (payment !== undefined && payment.status !== 'CANCELLED') {
    return paidView(payable, page, { payment, redirectUrl: link.redirectUrl });
  }
  if (link.status !== 'ACTIVE') return { ...commonOf(payable, page), state: CLOSED[link.status] };
  return formView(deps, payable, page, declinedAttempt(deps, payable, page.attempt, payment));
}

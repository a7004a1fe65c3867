import type { CheckoutView } from '@cobro/checkout/checkout-view.ts';
import { fingerprintsOf } from '../cards/card-details.ts';
import { commonOf, declinedAttempt, findNamed, formView, paidView } from '../checkout/checkout-page.ts';
import { attemptDigests } from '../checkout/page-token.ts';
import type { Checkout, PageRequest, Payable, SentForm } from '../checkout/payable.ts';
import type { Deps } from '../deps.ts';
import {
  findAttempt,
  findOpenPaymentOfOneTimePayment,
  findPaymentOfOneTimePayment,
} from '../payments/payment.store.ts';
import type { LinkToPay } from './link-to-pay.ts';
import { hasExpired } from './one-time-payment.rules.ts';
import { findOneTimePayment } from './one-time-payment.store.ts';
import { attemptPayment } from './payment-of-one-time-payment.ts';

/** A one-time payment at its checkout: the same form with the same card is the same attempt. */
export function checkoutOfOneTimePayment(deps: Deps, found: LinkToPay): Checkout {
  const { link, organization } = found;
  const payable = { ...link, organization };
  const digestsOf = ({ token, card }: SentForm) =>
    attemptDigests(deps.checkoutKeys, token, fingerprintsOf(deps.fingerprintKeys, card));
  return {
    payable,
    view: (page) => currentView(deps, found, payable, page),
    findEarlier: (sent) => findAttempt(deps.db, link.id, digestsOf(sent)),
    pay: (sent) => attemptPayment(deps, link, { ...sent, attemptDigests: digestsOf(sent) }),
  };
}

/** Shows the first state that applies: paid, confirming, cancelled, expired, else its form. */
async function currentView(deps: Deps, found: LinkToPay, payable: Payable, page: PageRequest): Promise<CheckoutView> {
  const common = commonOf(payable, page);
  const open = await findOpenPaymentOfOneTimePayment(deps.db, found.link.id);
  // Read again after the open payment: if that has paid the link meanwhile, a form would ask for a second payment.
  const link = (await findOneTimePayment(deps.db, found.link.id)) ?? found.link;
  if (link.status === 'CONFIRMED') {
    const payment = await findPaymentOfOneTimePayment(deps.db, link.id);
    // What was paid is shown only with the payment's id, to which the payer's browser was redirected.
    return payment !== undefined && payment.id === page.attempt
      ? paidView(payable, page, { payment, redirectUrl: link.redirectUrl })
      : { ...common, state: 'already-paid' };
  }
  const { amount, description } = link;
  if (open !== undefined) {
    return { ...common, state: 'confirming', payment: { amount, description } };
  }
  if (link.status === 'CANCELLED') return { ...common, state: 'cancelled' };
  if (hasExpired(link, deps.clock.now())) return { ...common, state: 'expired' };
  const named = await findNamed(deps, payable, page.attempt);
  const own = named?.oneTimePaymentId === link.id ? named : undefined;
  return formView(deps, payable, page, declinedAttempt(deps, payable, page.attempt, own));
}

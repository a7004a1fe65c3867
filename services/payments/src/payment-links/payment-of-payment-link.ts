import { cardOfSlot, type CheckoutPayment, payByCard, type PayerAttempt, payInSlot } from '../checkout/pay-by-card.ts';
import { lockingPrice, lockingUnits, takingUnit } from '../products/product.store.ts';
import type { Deps } from '../deps.ts';
import type { PaymentRow } from '../payments/payment.row.ts';
import { findLinkAttempt, writingPaymentOfPaymentLink } from '../payments/payment.store.ts';
import type { PaymentLinkRow } from './payment-link.row.ts';
import { linkRefusal, type LinkRefusal, offersTerms, sameAttempt } from './payment-link.rules.ts';
import { findPaymentLink, lockingPaymentLink, takingPayment } from './payment-link.store.ts';

/** An attempt to pay a payment link. */
export interface PaymentLinkAttempt extends PayerAttempt {
  attemptId: string;
  /** What the payer saw. */
  amount: bigint;
  /** Digests of the attempt's id and the card, one for each key; the first is stored. */
  attemptDigests: readonly [Buffer, ...Buffer[]];
}

/** `earlier`: another copy of the same attempt came first. */
export type PaymentOfPaymentLink =
  | CheckoutPayment<LinkRefusal>
  | { end: 'earlier'; payment: PaymentRow; isCardGood?: true };

/** Pays a payment link with a card: the use case of the page and of the JSON way. */
export async function payLink(
  deps: Deps,
  link: PaymentLinkRow,
  attempt: PaymentLinkAttempt,
): Promise<PaymentOfPaymentLink> {
  const slot = await deps.limits.paymentLink.reserve({ card: cardOfSlot(deps, attempt), paymentLink: link.id });
  return payInSlot<LinkRefusal, PaymentOfPaymentLink>(slot, async () => {
    const refused = linkRefusal(link, attempt.amount);
    if (refused !== undefined) return { end: 'not_paid', why: refused };
    const paid = await payByCard(deps, purchaseOf(deps, link, attempt), attempt);
    return paid.end === 'not_claimed' ? whyNotClaimed(deps, link.id, attempt) : paid;
  });
}

/** Locks the product before the payment link, so that simultaneous payments, changes and settlements take turns. */
function purchaseOf(deps: Deps, link: PaymentLinkRow, attempt: PaymentLinkAttempt) {
  const { id: paymentLinkId, organizationId, description, productId, isCounted, salespersonId } = link;
  const { amount, attemptId, attemptDigests } = attempt;
  const unit = (of: string) =>
    isCounted
      ? { key: of, locking: lockingUnits(of), writing: takingUnit(of, deps.clock.now()) }
      : { key: paymentLinkId, locking: lockingPrice(of) };
  const payments = {
    key: paymentLinkId,
    locking: lockingPaymentLink(paymentLinkId),
    writing: takingPayment(paymentLinkId),
  };
  return {
    organizationId,
    amount,
    description,
    salespersonId,
    origin: { source: 'PAYMENT_LINK', paymentLinkId, attemptId, attemptDigest: attemptDigests[0] },
    offersTerms: (card, terms) => offersTerms(card, terms, amount),
    productId,
    claiming: {
      counting: productId === null ? [payments] : [unit(productId), payments],
      writing: (payment, room) => writingPaymentOfPaymentLink(payment, { paymentLinkId, room }),
      key: paymentLinkId,
    },
  } satisfies Parameters<typeof payByCard>[1];
}

/** The same attempt was claimed first, or the payment link has changed while the card was at the vault. */
async function whyNotClaimed(deps: Deps, id: string, attempt: PaymentLinkAttempt): Promise<PaymentOfPaymentLink> {
  const payment = await findLinkAttempt(deps.db, id, attempt.attemptId);
  if (payment !== undefined && payment.status !== 'NOT_INITIALIZED') return earlier(payment, attempt);
  const link = await findPaymentLink(deps.db, id, deps.clock.now());
  if (link === undefined) throw new Error('a payment link is gone');
  const refused = linkRefusal(link, attempt.amount);
  if (refused === undefined && payment !== undefined) return earlier(payment, attempt);
  // If it can be paid again, a payment that came first has given its unit back since.
  return { end: 'not_paid', why: refused ?? 'PAYMENT_LINK_SOLD_OUT' };
}

/** Counts another card as a decline: one attempt sent with many cards at once would show which of them are good. */
const earlier = (payment: PaymentRow, attempt: PaymentLinkAttempt): PaymentOfPaymentLink => ({
  end: 'earlier',
  payment,
  ...(!sameAttempt(payment, attempt) && { isCardGood: true }),
});

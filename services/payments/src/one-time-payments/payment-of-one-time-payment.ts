import { cardOfSlot, type CheckoutPayment, payByCard, type PayerAttempt, payInSlot } from '../checkout/pay-by-card.ts';
import type { Deps } from '../deps.ts';
import { findOpenPaymentOfOneTimePayment, writingPaymentOfOneTimePayment } from '../payments/payment.store.ts';
import type { OneTimePaymentRow } from './one-time-payment.row.ts';
import { paymentRefusal } from './one-time-payment.rules.ts';
import { findOneTimePayment, lockingLink } from './one-time-payment.store.ts';

/** An attempt to pay a one-time payment. */
export interface LinkAttempt extends PayerAttempt {
  /** Digests of the sent form, one for each key; the first is stored. The JSON way has none. */
  attemptDigests: readonly Buffer[];
  /** IP address of the payer. */
  address: string;
}

/** Why it cannot be paid. */
export type NotPaid = NonNullable<ReturnType<typeof paymentRefusal>>;

/** Pays a one-time payment with a card: the use case of the page and of the JSON way. */
export async function attemptPayment(
  deps: Deps,
  link: OneTimePaymentRow,
  attempt: LinkAttempt,
): Promise<CheckoutPayment<NotPaid>> {
  const open = await findOpenPaymentOfOneTimePayment(deps.db, link.id);
  const refused = paymentRefusal(link, open !== undefined, deps.clock.now());
  if (refused !== undefined) return { end: 'not_paid', why: refused };
  const { address } = attempt;
  const slot = await deps.limits.link.reserve({ card: cardOfSlot(deps, attempt), link: link.id, address });
  return payInSlot(slot, async () => {
    const paid = await payByCard(deps, purchaseOf(link, attempt), attempt);
    return paid.end === 'not_claimed' ? { end: 'not_paid', why: await whyNotPaid(deps, link.id) } : paid;
  });
}

/** Locks the one-time payment first, so that simultaneous payers and cancellations take turns. Installments are for credit cards. */
function purchaseOf(
  { id: linkId, organizationId, amount, description, salespersonId }: OneTimePaymentRow,
  { attemptDigests }: LinkAttempt,
) {
  return {
    organizationId,
    amount,
    description,
    salespersonId,
    origin: { source: 'ONE_TIME_PAYMENT', oneTimePaymentId: linkId, attemptDigest: attemptDigests[0] ?? null },
    offersTerms: ({ fundingSource }, terms) => terms === 1 || fundingSource === 'CREDIT',
    productId: null,
    claiming: {
      locking: lockingLink(linkId),
      writing: (payment, room) => writingPaymentOfOneTimePayment(payment, { linkId, attemptDigests, room }),
      key: linkId,
    },
  } satisfies Parameters<typeof payByCard>[1];
}

/**
 * Why nothing was claimed: the link has ended, or another attempt came first, which may have ended since. That may be the same
 * form, sent twice: its first copy was declined while the second was at the vault.
 */
async function whyNotPaid(deps: Deps, id: string): Promise<NotPaid> {
  const link = await findOneTimePayment(deps.db, id);
  if (link === undefined) throw new Error('a one-time payment is gone');
  return paymentRefusal(link, false, deps.clock.now()) ?? 'PAYMENT_IN_PROGRESS';
}

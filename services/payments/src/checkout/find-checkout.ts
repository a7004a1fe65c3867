import { uuid } from '@cobro/contracts/ids.ts';
import { annotateSpan } from '@cobro/service-kit/annotate-span.ts';
import type { Deps } from '../deps.ts';
import { findLinkToPay } from '../one-time-payments/link-to-pay.ts';
import { checkoutOfOneTimePayment } from '../one-time-payments/checkout-of-one-time-payment.ts';
import { checkoutOfPaymentLink } from '../payment-links/checkout-of-payment-link.ts';
import { findLinkAtCheckout } from '../payment-links/link-at-checkout.ts';
import type { Checkout } from './payable.ts';

/** Finds what is paid at `/checkout/{id}`. Returns undefined if nothing is. */
export async function findCheckout(deps: Deps, id: string): Promise<Checkout | undefined> {
  if (!uuid.safeParse(id).success) return undefined;
  const oneTime = await findLinkToPay(deps.db, id);
  if (oneTime !== undefined) {
    annotateSpan({ oneTimePaymentId: id });
    return checkoutOfOneTimePayment(deps, oneTime);
  }
  const link = await findLinkAtCheckout(deps, id);
  if (link === undefined) return undefined;
  annotateSpan({ paymentLinkId: id });
  return checkoutOfPaymentLink(deps, link);
}

import type { CheckoutView } from '@cobro/checkout/checkout-view.ts';
import type { CheckoutSubmission } from '@cobro/checkout/read-checkout-form.ts';
import type { Language } from '@cobro/html/language.ts';
import type { NotPaid as OneTimeRefusal } from '../one-time-payments/payment-of-one-time-payment.ts';
import type { OrganizationRow } from '../organizations/organization.row.ts';
import type { LinkRefusal } from '../payment-links/payment-link.rules.ts';
import type { PaymentRow } from '../payments/payment.row.ts';
import type { CheckoutPayment } from './pay-by-card.ts';

/** What is paid at a checkout page, and what the page shows of the merchant. */
export interface Payable {
  id: string;
  organizationId: string;
  organization: OrganizationRow;
  homepageUrl: string | null;
  /** Centavos, at the present price. */
  amount: bigint;
  description: string;
  /** Null if it does not expire. */
  expiresAt: Date | null;
  allowedTerms: readonly number[];
}

/** A one-time payment or a payment link at its checkout. */
export interface Checkout {
  payable: Payable;
  /** The page in its present state. */
  view(page: PageRequest): Promise<CheckoutView>;
  /** Finds the payment that this form made when it was sent before. */
  findEarlier(sent: SentForm): Promise<PaymentRow | undefined>;
  pay(sent: SentForm): Promise<CheckoutPayment<LinkRefusal | OneTimeRefusal>>;
}

/** How a page was asked for. */
export interface PageRequest {
  language: Language;
  /** Names the attempt whose outcome is to be shown. */
  attempt: string | null;
}

/** A form that was read and is valid. */
export interface SentForm extends CheckoutSubmission {
  /** In centavos: what the payer saw. */
  amount: bigint;
  token: string;
  address: string;
  deadline: number;
}

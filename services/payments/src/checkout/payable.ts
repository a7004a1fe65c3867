import type { CheckoutView } from '@cobro/checkout/checkout-view.ts';
import type { CheckoutSubmission } from '@cobro/checkout/read-checkout-form.ts';
import type { Language } from '@cobro/html/language.ts';
import type { NotPaid as OneTimeRefusal } from '../one-time-payments/payment-of-one-time-payment.ts';
import type { OrganizationRow } from '../organizations/organization.row.ts';
import type { LinkRefusal } from '../payment-links/payment-link.rules.ts';
import type { PaymentRow } from '../payments/payment.row.ts';
import type { CheckoutPayment } from './pay-by-card.ts';

/** What a checkout page takes money for, with what its payer is shown of the merchant. */
export interface Payable {
  id: string;
  organizationId: string;
  organization: OrganizationRow;
  homepageUrl: string | null;
  /** In centavos, as it is asked for now. */
  amount: bigint;
  description: string;
  /** Null where it does not expire. */
  expiresAt: Date | null;
  allowedTerms: readonly number[];
}

/** A one-time payment or a payment link at its checkout. */
export interface Checkout {
  payable: Payable;
  /** The page in the state that it is in. */
  view(page: PageRequest): Promise<CheckoutView>;
  /** The payment that the same form, sent before, has made. */
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

import type { FormErrors, KeptValues } from './form-fields.ts';
import type { Language } from '@cobro/html/language.ts';

/** The merchant as the page shows it. */
export interface Merchant {
  name: string;
  /** `#rrggbb`; anything else shows our own colour. */
  color: string | null;
}

/** The facts of an existing one-time payment or payment link that every page gets. */
interface OfPayment {
  language: Language;
  /** The one-time payment's or payment link's id. */
  id: string;
  /** As it came in `?attempt=`, so that the other language shows the same page. */
  attempt: string | null;
  merchant: Merchant;
  /** Shown as a link if it is http or https. */
  homepageUrl: string | null;
}

interface Payable {
  /** Centavos, MXN. */
  amount: bigint;
  description: string;
}

/** Why the form is shown again. Nothing was charged in any of these cases. */
export type FormProblem =
  | { kind: 'errors'; errors: FormErrors }
  | { kind: 'declined'; declineCode: string }
  | { kind: 'too-many-attempts'; retryAfterSeconds: number }
  | { kind: 'bank-unavailable' }
  /** The card cannot pay in installments. */
  | { kind: 'terms-not-available' }
  /** The merchant has no fee channel for such a card, or the acquirer does not take it. */
  | { kind: 'card-not-accepted' }
  /** The payment link's price has changed. */
  | { kind: 'amount-changed' }
  /** Another attempt has no outcome yet. */
  | { kind: 'in-progress' }
  /** The token of the page is missing, too old or not ours. */
  | { kind: 'stale-page' };

export interface FormView extends OfPayment {
  state: 'form';
  /** `amount` also goes into the hidden field `amount`: what the payer saw. */
  payment: Payable & { expiresAt: Date | null };
  /** Installment terms that the merchant allows; 1 is a single payment. */
  allowedTerms: readonly number[];
  /** Goes into the hidden field `token`. */
  token: string;
  /** The values that the payer filled in before, without number and cvc. */
  values: KeptValues;
  /** Null on the first showing. */
  problem: FormProblem | null;
  /** Business time: an expiry before its month is refused as one types. */
  now: Date;
  /** Whether the page is served over https, as `CHECKOUT_BASE_URL` says: only then it says that the connection is encrypted. */
  encrypted: boolean;
}

export interface ConfirmingView extends OfPayment {
  state: 'confirming';
  payment: Payable;
}

export interface PaidView extends OfPayment {
  state: 'paid';
  payment: Payable & {
    operationCode: number;
    paidAt: Date;
    terms: number;
    card: { lastFourDigits: string; network: string };
  };
  /** Shown as a link if it is http or https; never followed by itself. */
  redirectUrl: string | null;
}

/** Paid, but this browser cannot prove that it paid; cancelled; past expiresAt; a payment link may also be switched off or sold out. */
export interface ClosedView extends OfPayment {
  state: 'already-paid' | 'cancelled' | 'expired' | 'inactive' | 'sold-out';
}

/** A form that another site's page posted: nothing of it was read. */
export interface ForeignOriginView extends OfPayment {
  state: 'foreign-origin';
}

/** No such payment, or none that can be shown now. The language switch keeps `id` as it was asked for. */
export interface NothingView {
  state: 'not-found' | 'unavailable';
  language: Language;
  id: string;
}

/** Every page of the hosted checkout (docs/checkout.md says when each is shown). */
export type CheckoutView = FormView | ConfirmingView | PaidView | ClosedView | ForeignOriginView | NothingView;

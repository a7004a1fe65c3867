import type { KnownDeclineCode } from '@cobro/contracts/acquirer/answers.ts';

/** The parts that are read of what Stripe's client throws. */
interface Thrown {
  type?: string;
  statusCode?: number;
  code?: string;
  decline_code?: string;
  message?: string;
}

export interface StripeSays {
  /**
   * `declined`: a card or request that Stripe refused by a rule, so that nothing was done. `unknown`: Stripe may have done it. A rate
   * limit, a conflict of keys and a failure of the server are unknown as well, because an earlier request under the same key may have
   * done it.
   */
  means: 'declined' | 'unknown';
  /** Stripe knows the key by another request, an earlier one, whose row we have lost. */
  isOfAnotherRequest: boolean;
  /** Stripe itself answered that it has failed: "Subsequent requests with the same key return the same result, including 500 errors." */
  hasFailed: boolean;
  declineCode: string;
  text: string | null;
}

/** Stripe asks that a cardholder or merchant is not shown these reasons. */
const HIDDEN = new Set(['fraudulent', 'generic_decline', 'merchant_blacklist', 'security_violation', 'card_declined']);
/** Hidden as well, but the card will not become good, which a charge by the calendar has to know. */
const HIDDEN_FOR_GOOD = new Set(['lost_card', 'pickup_card', 'restricted_card', 'stolen_card']);
const OURS: Record<string, KnownDeclineCode> = {
  amount_too_large: 'amount_exceeds_authorization',
  capture_charge_authorization_expired: 'expired',
  charge_already_captured: 'already_captured',
  charge_already_refunded: 'amount_exceeds_captured',
  charge_expired_for_capture: 'expired',
  incorrect_number: 'invalid_number',
  card_not_supported: 'unsupported_network',
  invalid_expiry_month: 'expired_card',
  invalid_expiry_year: 'expired_card',
  revocation_of_all_authorizations: 'revocation_of_authorization',
  stop_payment_order: 'revocation_of_authorization',
};

/** Our code for one of Stripe's decline or error codes. Others stay as they are. */
export function declineCodeOf(code: string | null | undefined): string {
  if (code == null || code === '' || HIDDEN.has(code)) return 'do_not_honor';
  if (HIDDEN_FOR_GOOD.has(code)) return 'do_not_try_again';
  return OURS[code] ?? code.slice(0, 64).replaceAll(/[^\w.-]/g, '_');
}

/** Stripe’s client gives an empty text for a field that Stripe left out. */
const nonEmpty = (text: string | undefined) => (text === '' ? undefined : text);

/** What an error says about its request. */
export function readStripeError(error: unknown): StripeSays {
  const { type, statusCode, code, decline_code: reason, message } = (error ?? {}) as Thrown;
  const isCard = type === 'StripeCardError' && statusCode === 402;
  const isRefused = type === 'StripeInvalidRequestError' && (statusCode === 400 || statusCode === 404);
  return {
    means: isCard || isRefused ? 'declined' : 'unknown',
    isOfAnotherRequest: type === 'StripeIdempotencyError' && statusCode === 400,
    hasFailed: statusCode !== undefined && statusCode >= 500,
    declineCode: declineCodeOf(nonEmpty(reason) ?? code),
    // Stripe's sentences about a request may quote it, so only those about a card are shown.
    text: isCard ? ((message ?? null)?.slice(0, 500) ?? null) : null,
  };
}

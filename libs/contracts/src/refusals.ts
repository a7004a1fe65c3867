/** The Retry-After, in seconds, of a 202 and of refusals because of work in progress, which may have ended by then. */
export const TRY_AGAIN_AFTER_S = 1;

/**
 * Every refusal that a caller can get: code → HTTP status, message and, if trying again may help, the seconds of its
 * Retry-After header. This is the only catalogue (interface.md Errors, decisions.md).
 */
export const refusals = {
  VALIDATION_ERROR: [400, 'The request is not valid.'],
  INVALID_CURSOR: [400, 'cursor: was not issued for this list.'],
  INVALID_CAPTURE_AMOUNT: [400, 'amount: must be a positive number with at most two decimals.'],
  CAPTURE_AMOUNT_EXCEEDS_HOLD: [400, 'amount: is greater than the amount held.'],
  PAYMENT_METHOD_MISMATCH: [400, 'The payment is not a charge of this payment method.'],
  UNAUTHORIZED: [401, 'A valid API key is needed in the x-api-key header.'],
  CARD_DECLINED: [402, 'The bank declined the card.'],
  CHARGE_DECLINED: [402, 'The charge was declined.'],
  CAPTURE_DECLINED: [402, 'The bank declined the capture; the hold stays as it is.'],
  RELEASE_DECLINED: [402, 'The bank declined the release; the hold stays as it is.'],
  REFUND_DECLINED: [402, 'The bank declined the refund; the payment stays confirmed.'],
  FORBIDDEN: [403, 'This key has no permission for this resource.'],
  FACTOR_NEEDED: [403, 'This needs a second factor that was proved within the last 15 minutes.'],
  NOT_FOUND: [404, 'There is no such resource.'],
  PAYMENT_METHOD_NOT_FOUND: [404, 'There is no such payment method.'],
  PAYMENT_NOT_FOUND: [404, 'There is no such payment.'],
  ONE_TIME_PAYMENT_NOT_FOUND: [404, 'There is no such one-time payment.'],
  PAYMENT_LINK_NOT_FOUND: [404, 'There is no such payment link.'],
  ATTEMPT_NOT_FOUND: [404, 'There is no such attempt on this payment link.'],
  PAYMENT_INTENT_NOT_FOUND: [404, 'There is no such payment intent.'],
  PRODUCT_NOT_FOUND: [404, 'There is no such product.'],
  PROMOTION_NOT_FOUND: [404, 'There is no such promotion.'],
  SUBSCRIPTION_NOT_FOUND: [404, 'There is no such subscription.'],
  EVENT_NOT_FOUND: [404, 'There is no such event, or it is older than 30 days.'],
  TERMINAL_NOT_FOUND: [404, 'There is no such terminal.'],
  SALESPERSON_NOT_FOUND: [404, 'There is no such salesperson.'],
  BUSINESS_STORE_BRANCH_NOT_FOUND: [404, 'There is no such branch.'],
  WEBHOOK_ENDPOINT_NOT_FOUND: [404, 'There is no such webhook endpoint.'],
  WEBHOOK_DELIVERY_NOT_FOUND: [404, 'There is no such delivery.'],
  API_KEY_NOT_FOUND: [404, 'There is no such key.'],
  METHOD_NOT_ALLOWED: [405, 'This resource does not support the method.'],
  REQUEST_TIMEOUT: [408, 'The request did not come whole within ten seconds.'],
  EXTERNAL_ID_MISMATCH: [409, 'externalId: was used before for a different request.'],
  CHARGE_IN_PROGRESS: [409, 'A charge with this externalId or attemptId is still running.', TRY_AGAIN_AFTER_S],
  CAPTURE_IN_PROGRESS: [409, 'A capture of this payment is still open.', TRY_AGAIN_AFTER_S],
  RELEASE_IN_PROGRESS: [409, 'A release of this payment is still open.', TRY_AGAIN_AFTER_S],
  REFUND_IN_PROGRESS: [409, 'A refund of this payment is still open.', TRY_AGAIN_AFTER_S],
  SAVE_IN_PROGRESS: [409, 'A card with this externalId is still being saved.', TRY_AGAIN_AFTER_S],
  PAYMENT_METHOD_NOT_ACTIVE: [409, 'The payment method is not active.'],
  NOT_OFFERED_BY_ACQUIRER: [409, 'The acquirer does not do this: the amount, or the kind of card.'],
  FEE_CHANNEL_UNKNOWN: [409, 'No fee channel is set up for this kind of payment.'],
  HOLD_CHANNEL_UNKNOWN: [409, 'The hold has no fee channel; release it and contact support.'],
  HOLD_WINDOW_CLOSED: [409, 'The hold can no longer be captured: its window has closed.'],
  PAYMENT_NOT_HELD: [409, 'The payment is not held: it was captured, was released or expired, or never was a hold.'],
  PAYMENT_NOT_REFUNDABLE: [409, 'Only a confirmed payment can be refunded.'],
  PAYMENT_ALREADY_REFUNDED: [409, 'The payment has been refunded already.'],
  ONE_TIME_PAYMENT_NOT_PENDING: [409, 'The one-time payment has been paid or cancelled.'],
  ONE_TIME_PAYMENT_EXPIRED: [409, 'The one-time payment has expired.'],
  PRODUCT_NOT_ACTIVE: [409, 'The product is archived.'],
  PAYMENT_LINK_NOT_ACTIVE: [409, 'The payment link is switched off.'],
  PAYMENT_LINK_EXPIRED: [409, 'The payment link has expired.'],
  PAYMENT_LINK_SOLD_OUT: [409, 'The payment link takes no more payments.'],
  AMOUNT_CHANGED: [409, 'amount: is no longer the price. Show the payer the new one.'],
  PAYMENT_IN_PROGRESS: [409, 'An attempt on this one-time payment is still open.', TRY_AGAIN_AFTER_S],
  STOCK_INSUFFICIENT: [409, 'change: would bring the stock below zero.'],
  STOCK_NOT_COUNTED: [409, 'The units of this product are not counted.'],
  TERMS_NOT_AVAILABLE: [409, 'terms: are not available for this card or this amount.'],
  INTENT_NOT_PENDING: [409, 'The payment intent has been paid or cancelled.'],
  INTENT_EXPIRED: [409, 'The payment intent has expired.'],
  INTENT_IN_PROGRESS: [409, 'The intent or its terminal is busy.', TRY_AGAIN_AFTER_S],
  ATTEMPT_MISMATCH: [409, 'attemptId: was used before for a different card, amount or terms.'],
  SALESPERSON_NOT_ACTIVE: [409, 'The salesperson is not active.'],
  USERNAME_TAKEN: [409, 'username: is taken by somebody else of the organization.'],
  PROMOTION_SPONSOR_MISSING: [409, 'The organization has no sales partner that could sponsor a promotion.'],
  PROMOTION_LIMIT_REACHED: [409, 'There are 50 promotions that have not ended.'],
  SUBSCRIPTION_ENDED: [409, 'The subscription has ended.'],
  SUBSCRIPTION_PERIOD_NOT_DUE: [409, 'The subscription has no such period yet.'],
  PROMOTION_ENDED: [409, 'The promotion has ended.'],
  TOO_MANY_WEBHOOK_ENDPOINTS: [409, 'There are 20 webhook endpoints already.'],
  WEBHOOK_ENDPOINT_MADE_BEFORE: [
    409,
    'A webhook endpoint with this url and these types was made within the last minute.',
  ],
  WEBHOOK_SECRET_TURNING: [
    409,
    'The secret before this one still signs. Wait, or send oldLivesForSeconds 0, which ends it.',
  ],
  API_KEY_NOT_ACTIVE: [409, 'The key was revoked, or has been replaced.'],
  API_KEY_SHOWN_BEFORE: [409, 'This form has made its key, which was shown once.'],
  BODY_TOO_LARGE: [413, 'The body is larger than 64 KiB.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'The body must be application/json.'],
  RATE_LIMIT_EXCEEDED: [429, 'Too many requests in this minute.'],
  TOO_MANY_ATTEMPTS: [429, 'Too many declined attempts; try again later.'],
  INTERNAL_ERROR: [500, 'Something went wrong on our side.'],
  NOT_IMPLEMENTED: [501, 'This part of the interface is not served yet.'],
  BAD_GATEWAY: [502, 'A service behind the gateway broke off.'],
  BANK_UNAVAILABLE: [503, 'The bank cannot be asked now; nothing was charged.', TRY_AGAIN_AFTER_S],
  SERVICE_UNAVAILABLE: [503, 'A service that this needs cannot be reached; try again.', TRY_AGAIN_AFTER_S],
  GATEWAY_TIMEOUT: [504, 'A service behind the gateway did not answer in time.'],
} as const satisfies Record<string, readonly [status: number, message: string, retryAfterS?: number]>;

export type RefusalCode = keyof typeof refusals;

export interface RefusalDetail {
  path: string;
  message: string;
}

export interface RefusalExtras {
  message?: string;
  details?: RefusalDetail[];
  headers?: Record<string, string>;
  /** More fields of the body, such as paymentId and declineCode. */
  fields?: Record<string, string | null>;
}

/** A refusal that we expect. Any other error is a bug and answers 500. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  readonly extras: RefusalExtras;
  constructor(code: RefusalCode, extras: RefusalExtras = {}) {
    const [status, message, retryAfterS]: readonly [number, string, number?] = refusals[code];
    super(extras.message ?? message);
    this.code = code;
    this.status = status;
    this.extras =
      retryAfterS === undefined
        ? extras
        : { ...extras, headers: { 'Retry-After': String(retryAfterS), ...extras.headers } };
  }
}

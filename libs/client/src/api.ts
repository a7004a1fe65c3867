/* Written by `npm run docs` from the contracts. */
/* oxlint-disable max-lines */

export type Event = {
  id: string;
  type: 'payment.confirmed';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'payment';
    id: string;
  };
  data: EventPayment;
} | {
  id: string;
  type: 'payment.declined';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'payment';
    id: string;
  };
  data: EventDeclinedPayment;
} | {
  id: string;
  type: 'payment.refunded';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'payment';
    id: string;
  };
  data: EventPayment;
} | {
  id: string;
  type: 'hold.placed';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'payment';
    id: string;
  };
  data: EventPayment;
} | {
  id: string;
  type: 'hold.ending';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'payment';
    id: string;
  };
  data: EventPayment;
} | {
  id: string;
  type: 'hold.captured';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'payment';
    id: string;
  };
  data: EventPayment;
} | {
  id: string;
  type: 'hold.released';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'payment';
    id: string;
  };
  data: EventPayment;
} | {
  id: string;
  type: 'hold.expired';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'payment';
    id: string;
  };
  data: EventPayment;
} | {
  id: string;
  type: 'one_time_payment.paid';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'one_time_payment';
    id: string;
  };
  data: OneTimePayment;
} | {
  id: string;
  type: 'one_time_payment.cancelled';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'one_time_payment';
    id: string;
  };
  data: OneTimePayment;
} | {
  id: string;
  type: 'one_time_payment.expired';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'one_time_payment';
    id: string;
  };
  data: OneTimePayment;
} | {
  id: string;
  type: 'payment_link.sold_out';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'payment_link';
    id: string;
  };
  data: EventPaymentLink;
} | {
  id: string;
  type: 'product.out_of_stock';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'product';
    id: string;
  };
  data: Product;
} | {
  id: string;
  type: 'promotion.accepted';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'promotion';
    id: string;
  };
  data: Promotion;
} | {
  id: string;
  type: 'promotion.ended';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'promotion';
    id: string;
  };
  data: Promotion;
} | {
  id: string;
  type: 'payment_intent.confirmed';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'payment_intent';
    id: string;
  };
  data: EventPaymentIntent;
} | {
  id: string;
  type: 'payment_intent.cancelled';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'payment_intent';
    id: string;
  };
  data: EventPaymentIntent;
} | {
  id: string;
  type: 'payment_intent.expired';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'payment_intent';
    id: string;
  };
  data: EventPaymentIntent;
} | {
  id: string;
  type: 'payment_intent.superseded';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'payment_intent';
    id: string;
  };
  data: EventPaymentIntent;
} | {
  id: string;
  type: 'payment_method.saved';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'payment_method';
    id: string;
  };
  data: PaymentMethod;
} | {
  id: string;
  type: 'payment_method.expired';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'payment_method';
    id: string;
  };
  data: PaymentMethod;
} | {
  id: string;
  type: 'payment_method.revoked';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'payment_method';
    id: string;
  };
  data: PaymentMethod;
} | {
  id: string;
  type: 'subscription.created';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'subscription';
    id: string;
  };
  data: Subscription;
} | {
  id: string;
  type: 'subscription.renewing';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'subscription';
    id: string;
  };
  data: EventSubscriptionPeriod;
} | {
  id: string;
  type: 'subscription.renewed';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'subscription';
    id: string;
  };
  data: EventSubscriptionPeriod;
} | {
  id: string;
  type: 'subscription.past_due';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'subscription';
    id: string;
  };
  data: EventSubscriptionPeriod;
} | {
  id: string;
  type: 'subscription.recovered';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'subscription';
    id: string;
  };
  data: EventSubscriptionPeriod;
} | {
  id: string;
  type: 'subscription.cancelled';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'subscription';
    id: string;
  };
  data: Subscription;
} | {
  id: string;
  type: 'subscription.completed';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'subscription';
    id: string;
  };
  data: Subscription;
} | {
  id: string;
  type: 'webhook_endpoint.paused';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'webhook_endpoint';
    id: string;
  };
  data: WebhookEndpoint;
} | {
  id: string;
  type: 'webhook_endpoint.disabled';
  createdAt: string;
  organizationId: string;
  object: {
    type: 'webhook_endpoint';
    id: string;
  };
  data: WebhookEndpoint;
};

export type EventPayment = {
  id: string;
  status: 'CONFIRMED' | 'CANCELLED' | 'REFUNDED' | 'HELD' | 'HOLD_RELEASED' | 'HOLD_EXPIRED';
  amount: number;
  createdAt: string;
  operationCode: number;
  fee: number | null;
  /** The promotion that it carries. */
  promotionId: string | null;
  paidTerms: number;
  periodicity: 'WEEKLY' | 'BIWEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'SEMIANNUAL' | 'YEARLY' | null;
  financingMethod: 'INSTALLMENTS' | 'PAY_NOW';
  refundedAt: string | null;
  heldAmount: number | null;
  heldAt: string | null;
  capturedAt: string | null;
  holdReleasedAt: string | null;
  holdExpiresAt: string | null;
  /** When the card network lets go of a hold’s money: a later capture is declined. Null where nobody has said. */
  captureBefore: string | null;
  holdExpired: boolean;
  holdDaysRemaining: number | null;
  card: {
    lastFourDigits: string;
    network: string;
    fundingSource: string;
    issuingBank: string;
  };
  customer: {
    firstName: string | null;
    lastName: string | null;
    email: string | null;
    phoneNumber: string | null;
  };
  type: 'CARD_PRESENT' | 'CARD_NOT_PRESENT';
  source: 'SAVED_CARD' | 'ONE_TIME_PAYMENT' | 'PAYMENT_INTENT' | 'PAYMENT_LINK' | 'SUBSCRIPTION';
  currency: 'MXN';
  terms: number;
  paymentMethodId: string | null;
  oneTimePaymentId: string | null;
  paymentIntentId: string | null;
  paymentLinkId: string | null;
  subscriptionId: string | null;
  externalId: string | null;
};

export type EventDeclinedPayment = {
  id: string;
  status: 'CONFIRMED' | 'CANCELLED' | 'REFUNDED' | 'HELD' | 'HOLD_RELEASED' | 'HOLD_EXPIRED';
  amount: number;
  createdAt: string;
  operationCode: number;
  fee: number | null;
  /** The promotion that it carries. */
  promotionId: string | null;
  paidTerms: number;
  periodicity: 'WEEKLY' | 'BIWEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'SEMIANNUAL' | 'YEARLY' | null;
  financingMethod: 'INSTALLMENTS' | 'PAY_NOW';
  refundedAt: string | null;
  heldAmount: number | null;
  heldAt: string | null;
  capturedAt: string | null;
  holdReleasedAt: string | null;
  holdExpiresAt: string | null;
  /** When the card network lets go of a hold’s money: a later capture is declined. Null where nobody has said. */
  captureBefore: string | null;
  holdExpired: boolean;
  holdDaysRemaining: number | null;
  card: {
    lastFourDigits: string;
    network: string;
    fundingSource: string;
    issuingBank: string;
  };
  customer: {
    firstName: string | null;
    lastName: string | null;
    email: string | null;
    phoneNumber: string | null;
  };
  type: 'CARD_PRESENT' | 'CARD_NOT_PRESENT';
  source: 'SAVED_CARD' | 'ONE_TIME_PAYMENT' | 'PAYMENT_INTENT' | 'PAYMENT_LINK' | 'SUBSCRIPTION';
  currency: 'MXN';
  terms: number;
  paymentMethodId: string | null;
  oneTimePaymentId: string | null;
  paymentIntentId: string | null;
  paymentLinkId: string | null;
  subscriptionId: string | null;
  externalId: string | null;
  declineCode: string;
};

export type OneTimePayment = {
  id: string;
  status: 'PENDING' | 'CONFIRMED' | 'CANCELLED';
  description: string;
  amount: number;
  currency: 'MXN';
  externalId: string | null;
  expiresAt: string;
  redirectUrl: string | null;
  homepageUrl: string | null;
  allowedTerms: readonly (1 | 3 | 6 | 9 | 12)[];
  createdAt: string;
  updatedAt: string;
  billingInformation: {
    email: string | null;
    firstName: string | null;
    lastName: string | null;
    phoneNumber: string | null;
    address: {
      addressLine: string | null;
      city: string | null;
      state: string | null;
      zip: string | null;
    };
  } | null;
};

export type EventPaymentLink = {
  id: string;
  status: 'INACTIVE' | 'EXPIRED' | 'SOLD_OUT' | 'ACTIVE';
  /** Whether the merchant has it switched on. */
  active: boolean;
  description: string;
  amount: number;
  currency: 'MXN';
  product: {
    id: string;
    name: string;
  } | null;
  allowedTerms: readonly (1 | 3 | 6 | 9 | 12 | 18)[];
  maxPayments: number | null;
  /** Its payments that are PENDING, CONFIRMED or REFUNDED. */
  paymentsCount: number;
  expiresAt: string | null;
  redirectUrl: string | null;
  homepageUrl: string | null;
  salesperson: {
    id: string;
    name: string;
    username: string;
  } | null;
  externalId: string | null;
  createdAt: string;
  updatedAt: string;
};

export type Product = {
  id: string;
  name: string;
  description: string | null;
  price: number;
  currency: 'MXN';
  status: 'ACTIVE' | 'ARCHIVED';
  stock: number | null;
  externalId: string | null;
  createdAt: string;
  updatedAt: string;
};

export type Promotion = {
  id: string;
  name: string;
  status: 'PENDING' | 'SCHEDULED' | 'ACTIVE' | 'ENDED';
  feeDiscount: number;
  businessTake: number;
  terms: readonly number[];
  types: readonly ('CARD_PRESENT' | 'CARD_NOT_PRESENT')[];
  networks: readonly string[];
  issuingBanks: readonly string[];
  productIds: readonly string[];
  minimumAmount: number | null;
  maxPayments: number | null;
  paymentsCount: number;
  sponsor: {
    id: string;
    name: string;
  };
  startsAt: string;
  endsAt: string;
  externalId: string | null;
  createdAt: string;
  updatedAt: string;
};

export type EventPaymentIntent = {
  id: string;
  status: 'PENDING' | 'CONFIRMED' | 'CANCELLED';
  amount: number;
  currency: 'MXN';
  externalId: string;
  redirectAppId: string | null;
  terminalId: string | null;
  createdAt: string;
  updatedAt: string;
  expired: boolean;
  supersededBy: string | null;
  paymentSummary: {
    id: string;
    status: 'NOT_INITIALIZED' | 'PENDING' | 'CONFIRMED' | 'CANCELLED' | 'REFUNDED' | 'HELD' | 'HOLD_RELEASED' | 'HOLD_EXPIRED';
    operationCode: number;
  } | null;
};

export type PaymentMethod = {
  id: string;
  status: 'PENDING' | 'ACTIVE' | 'EXPIRED' | 'REVOKED';
  externalId: string | null;
  card: {
    lastFourDigits: string;
    networkType: string;
  };
  createdAt: string;
};

export type Subscription = {
  id: string;
  status: 'PENDING' | 'ACTIVE' | 'PAST_DUE' | 'PAUSED' | 'CANCELLED' | 'COMPLETED';
  description: string | null;
  paymentMethodId: string;
  product: {
    id: string;
    name: string;
  } | null;
  /** What the next period that was not tried yet is charged. */
  amount: number;
  currency: 'MXN';
  periodicity: 'WEEKLY' | 'BIWEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'SEMIANNUAL' | 'YEARLY';
  firstBillingDate: string;
  totalPeriods: number | null;
  cancelAtPeriodEnd: boolean;
  currentPeriod: {
    number: number;
    startsOn: string;
    endsOn: string;
    status: 'OPEN' | 'PAID' | 'FAILED' | 'SKIPPED';
  } | null;
  /** When the next period that was not tried yet is due. */
  nextBillingAt: string | null;
  /** When a period that is past due is tried again. */
  nextRetryAt: string | null;
  lastDeclineCode: string | null;
  endedAt: string | null;
  endReason: 'MERCHANT' | 'FIRST_CHARGE_FAILED' | 'PAYMENT_FAILED' | 'COMPLETED' | null;
  externalId: string | null;
  createdAt: string;
  updatedAt: string;
};

export type EventSubscriptionPeriod = {
  id: string;
  status: 'PENDING' | 'ACTIVE' | 'PAST_DUE' | 'PAUSED' | 'CANCELLED' | 'COMPLETED';
  description: string | null;
  paymentMethodId: string;
  product: {
    id: string;
    name: string;
  } | null;
  /** What the next period that was not tried yet is charged. */
  amount: number;
  currency: 'MXN';
  periodicity: 'WEEKLY' | 'BIWEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'SEMIANNUAL' | 'YEARLY';
  firstBillingDate: string;
  totalPeriods: number | null;
  cancelAtPeriodEnd: boolean;
  currentPeriod: {
    number: number;
    startsOn: string;
    endsOn: string;
    status: 'OPEN' | 'PAID' | 'FAILED' | 'SKIPPED';
  } | null;
  /** When the next period that was not tried yet is due. */
  nextBillingAt: string | null;
  /** When a period that is past due is tried again. */
  nextRetryAt: string | null;
  lastDeclineCode: string | null;
  endedAt: string | null;
  endReason: 'MERCHANT' | 'FIRST_CHARGE_FAILED' | 'PAYMENT_FAILED' | 'COMPLETED' | null;
  externalId: string | null;
  createdAt: string;
  updatedAt: string;
  periodNumber: number;
};

export type WebhookEndpoint = {
  id: string;
  url: string;
  types: readonly string[];
  description: string | null;
  status: 'ENABLED' | 'PAUSED' | 'DISABLED';
  createdAt: string;
  lastDeliveryAt: string | null;
  failingSince: string | null;
};

export type PartnerPayment = {
  id: string;
  status: 'PENDING' | 'CANCELLED' | 'CONFIRMED' | 'REFUNDED';
  financingMethod: 'INSTALLMENTS' | 'PAY_NOW';
  operationCode: number;
  amount: number;
  type: 'CARD_PRESENT' | 'CARD_NOT_PRESENT';
  currency: 'MXN';
  terms: number;
  periodicity: 'WEEKLY' | 'BIWEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'SEMIANNUAL' | 'YEARLY' | null;
  createdAt: string;
  organization: {
    id: string;
    name: string;
  };
  cardInformation: {
    lastFourDigits: string;
    networkType: string;
    issuingBank: string;
    fundingSource: string;
    entryMode: string | null;
  };
  paymentDisbursement: {
    feePercentage: number | null;
    promotionFeeDiscount: number | null;
    finalFeePercentageForMerchant: number | null;
    finalFeePercentageForManufacturer: number | null;
    promotionBusinessTake: number | null;
    feeAmount: string;
    merchantFeeAmount: string;
    manufacturerFeeAmount: string;
    merchantIvaFeeAmount: string;
    manufacturerIvaFeeAmount: string;
    totalFeeIva: string;
    promotionTakeAmount: string;
    merchantTakeAmount: string;
    manufacturerTakeAmount: string;
  };
  /** The promotion that it carries. */
  promotionId: string | null;
  transaction: {
    bankReference: string | null;
    rawResponseText: string | null;
    authResult: 'APPROVED' | 'DECLINED' | 'NOT_PROCESSED';
    createdAt: string;
    authCode: string | null;
    resultCode: string | null;
  };
  terminal: {
    serialNumber: string;
  } | null;
  billingInformation: {
    email: string | null;
    firstName: string | null;
    lastName: string | null;
    phoneNumber: string | null;
    address: {
      addressLine: string | null;
      city: string | null;
      state: string | null;
      zip: string | null;
    };
  };
  salesperson: {
    id: string;
    name: string;
    username: string;
  } | null;
  businessStoreBranch: {
    id: string;
    name: string;
  } | null;
};

export type PartnerPromotion = {
  id: string;
  name: string;
  status: 'PENDING' | 'SCHEDULED' | 'ACTIVE' | 'ENDED';
  feeDiscount: number;
  businessTake: number;
  terms: readonly number[];
  types: readonly ('CARD_PRESENT' | 'CARD_NOT_PRESENT')[];
  networks: readonly string[];
  issuingBanks: readonly string[];
  productIds: readonly string[];
  minimumAmount: number | null;
  maxPayments: number | null;
  paymentsCount: number;
  sponsor: {
    id: string;
    name: string;
  };
  startsAt: string;
  endsAt: string;
  externalId: string | null;
  createdAt: string;
  updatedAt: string;
  organization: {
    id: string;
    name: string;
  };
};

export type BusinessStoreBranch = {
  id: string;
  name: string;
  externalId: string | null;
  createdAt: string;
  updatedAt: string;
};

export type Organization = {
  id: string;
  name: string;
  business: {
    websiteURL: string | null;
    supportEmail: string | null;
    supportPhoneNumber: string | null;
  };
  partner: {
    id: string;
    name: string;
  } | null;
  createdAt: string;
  updatedAt: string;
};

export type DeveloperPaymentItem = {
  id: string;
  status: 'CONFIRMED' | 'CANCELLED' | 'REFUNDED' | 'HELD' | 'HOLD_RELEASED' | 'HOLD_EXPIRED';
  amount: number;
  createdAt: string;
  operationCode: number;
  heldAmount: number | null;
  holdExpiresAt: string | null;
  card: {
    lastFourDigits: string;
    network: string;
    fundingSource: string;
    issuingBank: string;
  };
  type: 'CARD_PRESENT' | 'CARD_NOT_PRESENT';
  currency: 'MXN';
  externalId: string | null;
  paymentMethodId: string | null;
  oneTimePaymentId: string | null;
  paymentIntentId: string | null;
  paymentLinkId: string | null;
  subscriptionId: string | null;
};

export type PaymentLink = {
  id: string;
  status: 'INACTIVE' | 'EXPIRED' | 'SOLD_OUT' | 'ACTIVE';
  /** Whether the merchant has it switched on. */
  active: boolean;
  description: string;
  amount: number;
  currency: 'MXN';
  product: {
    id: string;
    name: string;
  } | null;
  allowedTerms: readonly (1 | 3 | 6 | 9 | 12 | 18)[];
  maxPayments: number | null;
  /** Its payments that are PENDING, CONFIRMED or REFUNDED. */
  paymentsCount: number;
  expiresAt: string | null;
  redirectUrl: string | null;
  homepageUrl: string | null;
  salesperson: {
    id: string;
    name: string;
    username: string;
  } | null;
  externalId: string | null;
  checkoutUrl: string;
  createdAt: string;
  updatedAt: string;
};

export type DeveloperPayment = {
  id: string;
  status: 'CONFIRMED' | 'CANCELLED' | 'REFUNDED' | 'HELD' | 'HOLD_RELEASED' | 'HOLD_EXPIRED';
  amount: number;
  createdAt: string;
  operationCode: number;
  fee: number | null;
  /** The promotion that it carries. */
  promotionId: string | null;
  paidTerms: number;
  periodicity: 'WEEKLY' | 'BIWEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'SEMIANNUAL' | 'YEARLY' | null;
  financingMethod: 'INSTALLMENTS' | 'PAY_NOW';
  refundedAt: string | null;
  heldAmount: number | null;
  heldAt: string | null;
  capturedAt: string | null;
  holdReleasedAt: string | null;
  holdExpiresAt: string | null;
  /** When the card network lets go of a hold’s money: a later capture is declined. Null where nobody has said. */
  captureBefore: string | null;
  holdExpired: boolean;
  holdDaysRemaining: number | null;
  card: {
    lastFourDigits: string;
    network: string;
    fundingSource: string;
    issuingBank: string;
  };
  customer: {
    firstName: string | null;
    lastName: string | null;
    email: string | null;
    phoneNumber: string | null;
  };
  type: 'CARD_PRESENT' | 'CARD_NOT_PRESENT';
  source: 'SAVED_CARD' | 'ONE_TIME_PAYMENT' | 'PAYMENT_INTENT' | 'PAYMENT_LINK' | 'SUBSCRIPTION';
  currency: 'MXN';
  terms: number;
  paymentMethodId: string | null;
  oneTimePaymentId: string | null;
  paymentIntentId: string | null;
  paymentLinkId: string | null;
  subscriptionId: string | null;
};

export type Salesperson = {
  id: string;
  name: string;
  username: string;
  status: 'ACTIVE' | 'INACTIVE';
  businessStoreBranch: {
    id: string;
    name: string;
  } | null;
  createdAt: string;
  updatedAt: string;
};

export type EventPage = {
  data: readonly Event[];
  pagination: {
    limit: number;
    hasMore: boolean;
    nextCursor: string | null;
  };
};

export type FeeChannel = {
  type: 'CARD_PRESENT' | 'CARD_NOT_PRESENT';
  network: string | null;
  fundingSource: string | null;
  terms: number;
  feePercentage: number;
  promotionFeeDiscount: number;
  promotionBusinessTake: number;
};

export type Refund = {
  id: string;
  status: 'NOT_INITIALIZED' | 'PENDING' | 'CONFIRMED' | 'CANCELLED' | 'REFUNDED' | 'HELD' | 'HOLD_RELEASED' | 'HOLD_EXPIRED';
  amount: number;
  currency: 'MXN';
  externalId: string | null;
};

export type PaymentIntentItem = {
  id: string;
  status: 'PENDING' | 'CONFIRMED' | 'CANCELLED';
  expired: boolean;
  isCharging: boolean;
  amount: number;
  currency: 'MXN';
  externalId: string;
  redirectAppId: string | null;
  terminalId: string | null;
  terminalCode: string | null;
  supersededBy: string | null;
  createdAt: string;
  updatedAt: string;
  expiresAt: string;
  paymentSummary: {
    id: string;
    status: 'NOT_INITIALIZED' | 'PENDING' | 'CONFIRMED' | 'CANCELLED' | 'REFUNDED' | 'HELD' | 'HOLD_RELEASED' | 'HOLD_EXPIRED';
    operationCode: number;
  } | null;
};

export type LinkPayment = {
  id: string;
  status: 'NOT_INITIALIZED' | 'PENDING' | 'CONFIRMED' | 'CANCELLED' | 'REFUNDED' | 'HELD' | 'HOLD_RELEASED' | 'HOLD_EXPIRED';
  amount: number;
  currency: 'MXN';
  operationCode: number;
  redirectUrl: string | null;
};

export type Payment = {
  id: string;
  status: 'NOT_INITIALIZED' | 'PENDING' | 'CONFIRMED' | 'CANCELLED' | 'REFUNDED' | 'HELD' | 'HOLD_RELEASED' | 'HOLD_EXPIRED';
  amount: number;
  heldAmount: number | null;
  currency: 'MXN';
  externalId: string | null;
  createdAt: string;
  heldAt: string | null;
  capturedAt: string | null;
  holdReleasedAt: string | null;
  holdExpiresAt: string | null;
  holdExpired: boolean;
  holdDaysRemaining: number | null;
};

export type PaymentTimeline = {
  payment: PaymentRecord;
  /** False where the part that keeps holds could not be asked: captures and releases may be missing. */
  complete: boolean;
  operations: readonly TimelineOperation[];
};

export type PaymentRecord = {
  id: string;
  status: 'NOT_INITIALIZED' | 'PENDING' | 'CONFIRMED' | 'CANCELLED' | 'REFUNDED' | 'HELD' | 'HOLD_RELEASED' | 'HOLD_EXPIRED';
  amount: number;
  heldAmount: number | null;
  currency: 'MXN';
  externalId: string | null;
  createdAt: string;
  heldAt: string | null;
  capturedAt: string | null;
  holdReleasedAt: string | null;
  holdExpiresAt: string | null;
  holdExpired: boolean;
  holdDaysRemaining: number | null;
  type: 'CARD_PRESENT' | 'CARD_NOT_PRESENT';
  source: 'SAVED_CARD' | 'ONE_TIME_PAYMENT' | 'PAYMENT_INTENT' | 'PAYMENT_LINK' | 'SUBSCRIPTION';
  description: string | null;
  operationCode: number;
  terms: number;
  declineCode: string | null;
  refundedAt: string | null;
  card: {
    lastFourDigits: string;
    network: string;
    fundingSource: string;
    issuingBank: string;
  };
  customer: {
    firstName: string | null;
    lastName: string | null;
    email: string | null;
    phoneNumber: string | null;
  };
  paymentMethodId: string | null;
  oneTimePaymentId: string | null;
  paymentLinkId: string | null;
  subscriptionId: string | null;
  paymentIntentId: string | null;
  terminalId: string | null;
  salespersonId: string | null;
  branchId: string | null;
  /** The promotion that it carries. */
  promotionId: string | null;
};

export type TimelineOperation = {
  id: string;
  purpose: 'CHARGE' | 'HOLD' | 'CAPTURE' | 'RELEASE' | 'EXPIRE' | 'REFUND';
  /** OPEN: the bank’s answer is not known yet. NOT_SENT: the bank was never asked. */
  outcome: 'OPEN' | 'APPROVED' | 'DECLINED' | 'NOT_PROCESSED' | 'NOT_SENT';
  reason: string | null;
  /** Real time, as the other times are but the bank’s own. */
  askedAt: string;
  /** Null where a payer, a terminal or a job asked, and where it was not written down. */
  askedBy: {
    kind: 'key' | 'person';
    id: string;
  } | null;
  /** When the call ended without an answer. */
  silentAt: string | null;
  /** How often the bank was asked what became of it. */
  inquiries: number;
  settledAt: string | null;
  /** The bank’s own time of its answer. */
  bankTime: string | null;
  declineCode: string | null;
  bankReference: string | null;
  amount: number | null;
};

export type PendingPayments = {
  count: number;
  /** False where the part that keeps holds could not be asked: captures and releases may be missing. */
  complete: boolean;
  items: readonly ({
    payment: PaymentRecord;
    operation: TimelineOperation;
  })[];
};

export type BankLine = {
  day: string;
  acquirer: string;
  kind: 'charge' | 'refund' | 'refund_failed' | 'dispute' | 'adjustment';
  movements: number;
  /** Above 0 what came to the merchant, below 0 what went. */
  gross: number;
  /** Null where the acquirer did not say it of each movement. */
  fee: number | null;
  /** Null where the acquirer did not say it of each movement. */
  net: number | null;
};

export type ReportedDay = {
  day: string;
  payments: number;
  amount: number;
  /** Charges and holds that the bank approved, whatever became of them. */
  approved: number;
  declined: number;
  /** Approved of all, from 0 to 1. Null on a day without any. */
  approvalRate: number | null;
  declines: readonly ({
    reason: 'FUNDS' | 'CARD' | 'BANK' | 'OURS' | 'OTHER';
    declineCode: string | null;
    payments: number;
  })[];
  fee: number;
  feeIva: number;
  promotionTake: number;
  /** What the merchant gets: amount less fee, IVA and promotion. */
  take: number;
  /** Refunds made on this day, of whatever day’s payments. They are not taken off the figures above. */
  refunds: {
    payments: number;
    amount: number;
    take: number;
  };
  /** Of today; null for other days. */
  hours: readonly ({
    hour: number;
    payments: number;
    amount: number;
  })[] | null;
};

export type HoldBoard = {
  days: readonly ({
    endsOn: string;
    daysRemaining: number;
    firstEndsAt: string;
    holds: number;
    amount: number;
  })[];
  holds: readonly HeldPayment[];
};

export type HeldPayment = {
  id: string;
  status: 'CONFIRMED' | 'CANCELLED' | 'REFUNDED' | 'HELD' | 'HOLD_RELEASED' | 'HOLD_EXPIRED';
  amount: number;
  createdAt: string;
  operationCode: number;
  heldAmount: number | null;
  holdExpiresAt: string | null;
  card: {
    lastFourDigits: string;
    network: string;
    fundingSource: string;
    issuingBank: string;
  };
  type: 'CARD_PRESENT' | 'CARD_NOT_PRESENT';
  currency: 'MXN';
  externalId: string | null;
  paymentMethodId: string | null;
  oneTimePaymentId: string | null;
  paymentIntentId: string | null;
  paymentLinkId: string | null;
  subscriptionId: string | null;
  endsAt: string;
  daysRemaining: number;
};

export type ReportedPayment = {
  id: string;
  status: 'CONFIRMED' | 'CANCELLED' | 'REFUNDED' | 'HELD' | 'HOLD_RELEASED' | 'HOLD_EXPIRED';
  amount: number;
  createdAt: string;
  operationCode: number;
  heldAmount: number | null;
  holdExpiresAt: string | null;
  card: {
    lastFourDigits: string;
    network: string;
    fundingSource: string;
    issuingBank: string;
  };
  type: 'CARD_PRESENT' | 'CARD_NOT_PRESENT';
  currency: 'MXN';
  externalId: string | null;
  paymentMethodId: string | null;
  oneTimePaymentId: string | null;
  paymentIntentId: string | null;
  paymentLinkId: string | null;
  subscriptionId: string | null;
  source: 'SAVED_CARD' | 'ONE_TIME_PAYMENT' | 'PAYMENT_INTENT' | 'PAYMENT_LINK' | 'SUBSCRIPTION';
  terms: number;
  declineCode: string | null;
  refundedAt: string | null;
  customer: {
    firstName: string | null;
    lastName: string | null;
    email: string | null;
    phoneNumber: string | null;
  };
  fee: number | null;
  feeIva: number | null;
  promotionTake: number | null;
  take: number | null;
  terminalId: string | null;
  salespersonId: string | null;
  branchId: string | null;
};

export type DisbursementExplained = {
  paymentId: string;
  status: 'CONFIRMED' | 'CANCELLED' | 'REFUNDED' | 'HELD' | 'HOLD_RELEASED' | 'HOLD_EXPIRED';
  refundedAt: string | null;
  steps: readonly ({
    step: 'AMOUNT' | 'FEE' | 'FEE_IVA' | 'PROMOTION' | 'TAKE';
    /** Negative where it is taken off. */
    amount: number;
    /** What is left after this step. */
    left: number;
    formula: string | null;
  })[];
  /** Empty where no sponsor has a part. */
  shares: readonly ({
    share: 'FEE' | 'FEE_IVA' | 'PROMOTION' | 'TAKE';
    merchant: number;
    sponsor: number;
    total: number;
    formula: string | null;
  })[];
};

export type SettledDay = {
  day: string;
  payments: number;
  amount: number;
  fee: number;
  feeIva: number;
  promotionTake: number;
  /** What the merchant gets: amount less fee, IVA and promotion. */
  take: number;
  /** Refunds made on this day, of whatever day’s payments. They are not taken off the figures above. */
  refunds: {
    payments: number;
    amount: number;
    take: number;
  };
};

export type Takings = {
  day: string;
  payments: number;
  amount: number;
  refunds: {
    payments: number;
    amount: number;
  };
  salespeople: readonly ({
    id: string | null;
    name: string | null;
    payments: number;
    amount: number;
    refunds: {
      payments: number;
      amount: number;
    };
  })[];
  branches: readonly ({
    id: string | null;
    name: string | null;
    payments: number;
    amount: number;
    refunds: {
      payments: number;
      amount: number;
    };
  })[];
  terminals: readonly ({
    id: string | null;
    name: string | null;
    payments: number;
    amount: number;
    refunds: {
      payments: number;
      amount: number;
    };
  })[];
};

export type SubscriptionPeriod = {
  number: number;
  startsOn: string;
  endsOn: string;
  amount: number;
  status: 'OPEN' | 'PAID' | 'FAILED' | 'SKIPPED';
  declines: number;
  paymentId: string | null;
};

export type Terminal = {
  id: string;
  terminalCode: string;
  branch: {
    id: string;
    name: string;
  } | null;
  salesperson: {
    id: string;
    name: string;
  } | null;
  createdAt: string;
  /** Real time of its last request, to the minute; null before the first. */
  seenAt: string | null;
  openIntent: {
    id: string;
    amount: number;
    externalId: string;
    isCharging: boolean;
    createdAt: string;
    expiresAt: string;
  } | null;
  lastOutcome: {
    outcome: 'CONFIRMED' | 'DECLINED';
    paymentIntentId: string;
    paymentId: string | null;
    amount: number;
    operationCode: number | null;
    declineCode: string | null;
    /** Real time. */
    tappedAt: string;
  } | null;
};

export type PaidIntent = {
  id: string;
  status: 'CONFIRMED';
  paymentId: string;
  operationCode: number;
  amount: number;
  currency: 'MXN';
  card: {
    lastFourDigits: string;
    network: string;
  };
};

export type CreatedWebhookEndpoint = {
  id: string;
  url: string;
  types: readonly string[];
  description: string | null;
  status: 'ENABLED' | 'PAUSED' | 'DISABLED';
  createdAt: string;
  lastDeliveryAt: string | null;
  failingSince: string | null;
  /** Shown here and never again: verifies webhook-signature. */
  secret: string;
};

export type WebhookDelivery = {
  id: string;
  eventId: string;
  type: 'payment.confirmed' | 'payment.declined' | 'payment.refunded' | 'hold.placed' | 'hold.ending' | 'hold.captured' | 'hold.released' | 'hold.expired' | 'one_time_payment.paid' | 'one_time_payment.cancelled' | 'one_time_payment.expired' | 'payment_link.sold_out' | 'product.out_of_stock' | 'promotion.accepted' | 'promotion.ended' | 'payment_intent.confirmed' | 'payment_intent.cancelled' | 'payment_intent.expired' | 'payment_intent.superseded' | 'payment_method.saved' | 'payment_method.expired' | 'payment_method.revoked' | 'subscription.created' | 'subscription.renewing' | 'subscription.renewed' | 'subscription.past_due' | 'subscription.recovered' | 'subscription.cancelled' | 'subscription.completed' | 'webhook_endpoint.paused' | 'webhook_endpoint.disabled';
  status: 'PENDING' | 'DELIVERED';
  attempts: number;
  createdAt: string;
  lastAttemptAt: string | null;
  nextAttemptAt: string | null;
  responseStatus: number | null;
  responseBody: string | null;
  error: string | null;
};

/** Every code of a refusal, and its status. */
export interface RefusalStatus {
  VALIDATION_ERROR: 400;
  INVALID_CURSOR: 400;
  INVALID_CAPTURE_AMOUNT: 400;
  CAPTURE_AMOUNT_EXCEEDS_HOLD: 400;
  PAYMENT_METHOD_MISMATCH: 400;
  UNAUTHORIZED: 401;
  CARD_DECLINED: 402;
  CHARGE_DECLINED: 402;
  CAPTURE_DECLINED: 402;
  RELEASE_DECLINED: 402;
  REFUND_DECLINED: 402;
  FORBIDDEN: 403;
  FACTOR_NEEDED: 403;
  NOT_FOUND: 404;
  PAYMENT_METHOD_NOT_FOUND: 404;
  PAYMENT_NOT_FOUND: 404;
  ONE_TIME_PAYMENT_NOT_FOUND: 404;
  PAYMENT_LINK_NOT_FOUND: 404;
  ATTEMPT_NOT_FOUND: 404;
  PAYMENT_INTENT_NOT_FOUND: 404;
  PRODUCT_NOT_FOUND: 404;
  PROMOTION_NOT_FOUND: 404;
  SUBSCRIPTION_NOT_FOUND: 404;
  EVENT_NOT_FOUND: 404;
  TERMINAL_NOT_FOUND: 404;
  SALESPERSON_NOT_FOUND: 404;
  BUSINESS_STORE_BRANCH_NOT_FOUND: 404;
  WEBHOOK_ENDPOINT_NOT_FOUND: 404;
  WEBHOOK_DELIVERY_NOT_FOUND: 404;
  API_KEY_NOT_FOUND: 404;
  METHOD_NOT_ALLOWED: 405;
  REQUEST_TIMEOUT: 408;
  EXTERNAL_ID_MISMATCH: 409;
  CHARGE_IN_PROGRESS: 409;
  CAPTURE_IN_PROGRESS: 409;
  RELEASE_IN_PROGRESS: 409;
  REFUND_IN_PROGRESS: 409;
  SAVE_IN_PROGRESS: 409;
  PAYMENT_METHOD_NOT_ACTIVE: 409;
  NOT_OFFERED_BY_ACQUIRER: 409;
  FEE_CHANNEL_UNKNOWN: 409;
  HOLD_CHANNEL_UNKNOWN: 409;
  HOLD_WINDOW_CLOSED: 409;
  PAYMENT_NOT_HELD: 409;
  PAYMENT_NOT_REFUNDABLE: 409;
  PAYMENT_ALREADY_REFUNDED: 409;
  ONE_TIME_PAYMENT_NOT_PENDING: 409;
  ONE_TIME_PAYMENT_EXPIRED: 409;
  PRODUCT_NOT_ACTIVE: 409;
  PAYMENT_LINK_NOT_ACTIVE: 409;
  PAYMENT_LINK_EXPIRED: 409;
  PAYMENT_LINK_SOLD_OUT: 409;
  AMOUNT_CHANGED: 409;
  PAYMENT_IN_PROGRESS: 409;
  STOCK_INSUFFICIENT: 409;
  STOCK_NOT_COUNTED: 409;
  TERMS_NOT_AVAILABLE: 409;
  INTENT_NOT_PENDING: 409;
  INTENT_EXPIRED: 409;
  INTENT_IN_PROGRESS: 409;
  ATTEMPT_MISMATCH: 409;
  SALESPERSON_NOT_ACTIVE: 409;
  USERNAME_TAKEN: 409;
  PROMOTION_SPONSOR_MISSING: 409;
  PROMOTION_LIMIT_REACHED: 409;
  SUBSCRIPTION_ENDED: 409;
  SUBSCRIPTION_PERIOD_NOT_DUE: 409;
  PROMOTION_ENDED: 409;
  TOO_MANY_WEBHOOK_ENDPOINTS: 409;
  WEBHOOK_ENDPOINT_MADE_BEFORE: 409;
  WEBHOOK_SECRET_TURNING: 409;
  API_KEY_NOT_ACTIVE: 409;
  API_KEY_SHOWN_BEFORE: 409;
  BODY_TOO_LARGE: 413;
  UNSUPPORTED_MEDIA_TYPE: 415;
  RATE_LIMIT_EXCEEDED: 429;
  TOO_MANY_ATTEMPTS: 429;
  INTERNAL_ERROR: 500;
  NOT_IMPLEMENTED: 501;
  BAD_GATEWAY: 502;
  BANK_UNAVAILABLE: 503;
  SERVICE_UNAVAILABLE: 503;
  GATEWAY_TIMEOUT: 504;
}

/** What each route takes and answers, and how it may refuse. */
export interface Routes {
  /** Create a branch: a shop in which terminals stand and people sell. */
  createBranch: {
    body: {
      name: string;
      externalId?: string | null | undefined;
    };
    answers: {
      /** The branch, or the original one where the externalId was used before. */
      201: BusinessStoreBranch;
    };
    refusals:
      | 'EXTERNAL_ID_MISMATCH'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** List branches, newest first. */
  listBranches: {
    query?: {
      page?: number | undefined;
      pageSize?: number | undefined;
    } | undefined;
    answers: {
      /** A page of branches. */
      200: {
        count: number;
        page: number;
        pageSize: number;
        items: readonly BusinessStoreBranch[];
      };
    };
    refusals:
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read a branch. */
  getBranch: {
    params: {
      id: string;
    };
    answers: {
      /** The branch. */
      200: BusinessStoreBranch;
    };
    refusals:
      | 'BUSINESS_STORE_BRANCH_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Give a branch another name; payments made before keep theirs. */
  changeBranch: {
    params: {
      id: string;
    };
    body?: {
      name?: string | null | undefined;
    };
    answers: {
      /** The branch. */
      200: BusinessStoreBranch;
    };
    refusals:
      | 'BUSINESS_STORE_BRANCH_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read the merchant’s profile. */
  readDeveloperOrganization: {
    answers: {
      /** The profile. */
      200: Organization;
    };
    refusals:
      | 'NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'RATE_LIMIT_EXCEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Walk the merchant’s payments by cursor, newest first. */
  listDeveloperPayments: {
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      status?: 'CONFIRMED' | 'CANCELLED' | 'REFUNDED' | 'HELD' | 'HOLD_RELEASED' | 'HOLD_EXPIRED' | readonly ('CONFIRMED' | 'CANCELLED' | 'REFUNDED' | 'HELD' | 'HOLD_RELEASED' | 'HOLD_EXPIRED')[] | undefined;
      createdAtFrom?: string | undefined;
      createdAtTo?: string | undefined;
      type?: 'CARD_PRESENT' | 'CARD_NOT_PRESENT' | undefined;
      operationCode?: string | undefined;
      paymentLinkId?: string | undefined;
      subscriptionId?: string | undefined;
      oneTimePaymentId?: string | undefined;
      paymentMethodId?: string | undefined;
      paymentIntentId?: string | undefined;
    } | undefined;
    answers: {
      /** A page of payments with an outcome. */
      200: {
        data: readonly DeveloperPaymentItem[];
        pagination: {
          limit: number;
          hasMore: boolean;
          nextCursor: string | null;
        };
      };
    };
    refusals:
      | 'INVALID_CURSOR'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'RATE_LIMIT_EXCEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Walk the merchant’s payment links by cursor, newest first. */
  listDeveloperPaymentLinks: {
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      status?: 'INACTIVE' | 'EXPIRED' | 'SOLD_OUT' | 'ACTIVE' | readonly ('INACTIVE' | 'EXPIRED' | 'SOLD_OUT' | 'ACTIVE')[] | undefined;
      createdAtFrom?: string | undefined;
      createdAtTo?: string | undefined;
    } | undefined;
    answers: {
      /** A page of payment links. */
      200: {
        data: readonly PaymentLink[];
        pagination: {
          limit: number;
          hasMore: boolean;
          nextCursor: string | null;
        };
      };
    };
    refusals:
      | 'INVALID_CURSOR'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'RATE_LIMIT_EXCEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read a payment link. */
  readDeveloperPaymentLink: {
    params: {
      id: string;
    };
    answers: {
      /** The payment link. */
      200: PaymentLink;
    };
    refusals:
      | 'PAYMENT_LINK_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'RATE_LIMIT_EXCEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Walk the merchant’s saved cards by cursor, newest first. */
  listDeveloperPaymentMethods: {
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      status?: 'PENDING' | 'ACTIVE' | 'EXPIRED' | 'REVOKED' | readonly ('PENDING' | 'ACTIVE' | 'EXPIRED' | 'REVOKED')[] | undefined;
      createdAtFrom?: string | undefined;
      createdAtTo?: string | undefined;
    } | undefined;
    answers: {
      /** A page of saved cards. */
      200: {
        data: readonly PaymentMethod[];
        pagination: {
          limit: number;
          hasMore: boolean;
          nextCursor: string | null;
        };
      };
    };
    refusals:
      | 'INVALID_CURSOR'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'RATE_LIMIT_EXCEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read a saved card. */
  readDeveloperPaymentMethod: {
    params: {
      id: string;
    };
    answers: {
      /** The saved card. */
      200: PaymentMethod;
    };
    refusals:
      | 'PAYMENT_METHOD_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'RATE_LIMIT_EXCEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read a payment in full. */
  readDeveloperPayment: {
    params: {
      id: string;
    };
    answers: {
      /** The payment. */
      200: DeveloperPayment;
    };
    refusals:
      | 'PAYMENT_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'RATE_LIMIT_EXCEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Walk the merchant’s products by cursor, newest first. */
  listDeveloperProducts: {
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      status?: 'ACTIVE' | 'ARCHIVED' | readonly ('ACTIVE' | 'ARCHIVED')[] | undefined;
      createdAtFrom?: string | undefined;
      createdAtTo?: string | undefined;
    } | undefined;
    answers: {
      /** A page of products. */
      200: {
        data: readonly Product[];
        pagination: {
          limit: number;
          hasMore: boolean;
          nextCursor: string | null;
        };
      };
    };
    refusals:
      | 'INVALID_CURSOR'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'RATE_LIMIT_EXCEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read a product. */
  readDeveloperProduct: {
    params: {
      id: string;
    };
    answers: {
      /** The product. */
      200: Product;
    };
    refusals:
      | 'PRODUCT_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'RATE_LIMIT_EXCEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Walk the merchant’s promotions by cursor, newest first. */
  listDeveloperPromotions: {
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      status?: 'PENDING' | 'SCHEDULED' | 'ACTIVE' | 'ENDED' | readonly ('PENDING' | 'SCHEDULED' | 'ACTIVE' | 'ENDED')[] | undefined;
      createdAtFrom?: string | undefined;
      createdAtTo?: string | undefined;
    } | undefined;
    answers: {
      /** A page of promotions. */
      200: {
        data: readonly Promotion[];
        pagination: {
          limit: number;
          hasMore: boolean;
          nextCursor: string | null;
        };
      };
    };
    refusals:
      | 'INVALID_CURSOR'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'RATE_LIMIT_EXCEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read a promotion. */
  readDeveloperPromotion: {
    params: {
      id: string;
    };
    answers: {
      /** The promotion. */
      200: Promotion;
    };
    refusals:
      | 'PROMOTION_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'RATE_LIMIT_EXCEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Walk the merchant’s salespeople by cursor, newest first. */
  listDeveloperSalespeople: {
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      status?: 'ACTIVE' | 'INACTIVE' | readonly ('ACTIVE' | 'INACTIVE')[] | undefined;
      createdAtFrom?: string | undefined;
      createdAtTo?: string | undefined;
    } | undefined;
    answers: {
      /** A page of salespeople. */
      200: {
        data: readonly Salesperson[];
        pagination: {
          limit: number;
          hasMore: boolean;
          nextCursor: string | null;
        };
      };
    };
    refusals:
      | 'INVALID_CURSOR'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'RATE_LIMIT_EXCEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read a salesperson. */
  readDeveloperSalesperson: {
    params: {
      id: string;
    };
    answers: {
      /** The salesperson. */
      200: Salesperson;
    };
    refusals:
      | 'SALESPERSON_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'RATE_LIMIT_EXCEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Walk the merchant’s subscriptions by cursor, newest first. */
  listDeveloperSubscriptions: {
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      status?: 'PENDING' | 'ACTIVE' | 'PAST_DUE' | 'PAUSED' | 'CANCELLED' | 'COMPLETED' | readonly ('PENDING' | 'ACTIVE' | 'PAST_DUE' | 'PAUSED' | 'CANCELLED' | 'COMPLETED')[] | undefined;
      createdAtFrom?: string | undefined;
      createdAtTo?: string | undefined;
      paymentMethodId?: string | undefined;
    } | undefined;
    answers: {
      /** A page of subscriptions. */
      200: {
        data: readonly Subscription[];
        pagination: {
          limit: number;
          hasMore: boolean;
          nextCursor: string | null;
        };
      };
    };
    refusals:
      | 'INVALID_CURSOR'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'RATE_LIMIT_EXCEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read a subscription. */
  readDeveloperSubscription: {
    params: {
      id: string;
    };
    answers: {
      /** The subscription. */
      200: Subscription;
    };
    refusals:
      | 'SUBSCRIPTION_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'RATE_LIMIT_EXCEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Walk what happened in the last 30 days by cursor, oldest first, and wait for more. */
  listEvents: {
    query?: {
      after?: string | undefined;
      limit?: number | undefined;
      type?: 'payment.confirmed' | 'payment.declined' | 'payment.refunded' | 'hold.placed' | 'hold.ending' | 'hold.captured' | 'hold.released' | 'hold.expired' | 'one_time_payment.paid' | 'one_time_payment.cancelled' | 'one_time_payment.expired' | 'payment_link.sold_out' | 'product.out_of_stock' | 'promotion.accepted' | 'promotion.ended' | 'payment_intent.confirmed' | 'payment_intent.cancelled' | 'payment_intent.expired' | 'payment_intent.superseded' | 'payment_method.saved' | 'payment_method.expired' | 'payment_method.revoked' | 'subscription.created' | 'subscription.renewing' | 'subscription.renewed' | 'subscription.past_due' | 'subscription.recovered' | 'subscription.cancelled' | 'subscription.completed' | 'webhook_endpoint.paused' | 'webhook_endpoint.disabled' | 'payment.*' | 'hold.*' | 'one_time_payment.*' | 'payment_link.*' | 'product.*' | 'promotion.*' | 'payment_intent.*' | 'payment_method.*' | 'subscription.*' | 'webhook_endpoint.*' | readonly ('payment.confirmed' | 'payment.declined' | 'payment.refunded' | 'hold.placed' | 'hold.ending' | 'hold.captured' | 'hold.released' | 'hold.expired' | 'one_time_payment.paid' | 'one_time_payment.cancelled' | 'one_time_payment.expired' | 'payment_link.sold_out' | 'product.out_of_stock' | 'promotion.accepted' | 'promotion.ended' | 'payment_intent.confirmed' | 'payment_intent.cancelled' | 'payment_intent.expired' | 'payment_intent.superseded' | 'payment_method.saved' | 'payment_method.expired' | 'payment_method.revoked' | 'subscription.created' | 'subscription.renewing' | 'subscription.renewed' | 'subscription.past_due' | 'subscription.recovered' | 'subscription.cancelled' | 'subscription.completed' | 'webhook_endpoint.paused' | 'webhook_endpoint.disabled' | 'payment.*' | 'hold.*' | 'one_time_payment.*' | 'payment_link.*' | 'product.*' | 'promotion.*' | 'payment_intent.*' | 'payment_method.*' | 'subscription.*' | 'webhook_endpoint.*')[] | undefined;
      objectId?: string | undefined;
      order?: 'oldest' | 'newest' | undefined;
      waitSeconds?: number | undefined;
    } | undefined;
    answers: {
      /** The events after the cursor. */
      200: EventPage;
    };
    refusals:
      | 'INVALID_CURSOR'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read an event. */
  readEvent: {
    params: {
      id: string;
    };
    answers: {
      /** The event. */
      200: Event;
    };
    refusals:
      | 'EVENT_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read the fees of each kind of payment. */
  listFeeChannels: {
    answers: {
      /** The whole fee table, in percent. */
      200: {
        items: readonly FeeChannel[];
      };
    };
    refusals:
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Create a one-time payment. */
  createOneTimePayment: {
    body: {
      /** MXN pesos with at most two decimals */
      amount: number;
      currency?: 'MXN' | null | undefined;
      description: string;
      externalId?: string | null | undefined;
      expiresAt?: string | null | undefined;
      redirectUrl?: string | null | undefined;
      homepageUrl?: string | null | undefined;
      allowedTerms?: readonly (1 | 3 | 6 | 9 | 12)[] | null | undefined;
      billingInformation?: {
        email?: string | null | undefined;
        firstName?: string | null | undefined;
        lastName?: string | null | undefined;
        phoneNumber?: string | null | undefined;
        address?: {
          addressLine?: string | null | undefined;
          city?: string | null | undefined;
          state?: string | null | undefined;
          zip?: string | null | undefined;
        } | null | undefined;
      } | null | undefined;
      salespersonId?: string | null | undefined;
    };
    answers: {
      /** The one-time payment, or the original one where the externalId was used before. */
      201: {
        id: string;
        status: 'PENDING' | 'CONFIRMED' | 'CANCELLED';
        description: string;
        amount: number;
        currency: 'MXN';
        externalId: string | null;
        expiresAt: string;
        redirectUrl: string | null;
        homepageUrl: string | null;
        allowedTerms: readonly (1 | 3 | 6 | 9 | 12)[];
        createdAt: string;
        updatedAt: string;
        billingInformation: {
          email: string | null;
          firstName: string | null;
          lastName: string | null;
          phoneNumber: string | null;
          address: {
            addressLine: string | null;
            city: string | null;
            state: string | null;
            zip: string | null;
          };
        } | null;
        checkoutUrl: string;
      };
    };
    refusals:
      | 'EXTERNAL_ID_MISMATCH'
      | 'SALESPERSON_NOT_FOUND'
      | 'SALESPERSON_NOT_ACTIVE'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** List one-time payments, newest first. */
  listOneTimePayments: {
    query?: {
      page?: number | undefined;
      pageSize?: number | undefined;
      status?: 'PENDING' | 'CONFIRMED' | 'CANCELLED' | undefined;
      currency?: 'MXN' | undefined;
    } | undefined;
    answers: {
      /** A page of one-time payments. */
      200: {
        count: number;
        page: number;
        pageSize: number;
        items: readonly OneTimePayment[];
      };
    };
    refusals:
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** See a one-time payment as its payer does. */
  viewOneTimePayment: {
    params: {
      id: string;
    };
    answers: {
      /** What is to be paid, or only its state once it cannot be paid any more. */
      200: {
        status: 'PENDING';
        expired: false;
        id: string;
        amount: number;
        currency: 'MXN';
        expiresAt: string;
        homepageUrl: string | null;
        organization: {
          name: string;
          business: {
            websiteURL: string | null;
          };
        };
      } | {
        id: string;
        status: 'PENDING' | 'CONFIRMED' | 'CANCELLED';
        expired: boolean;
        homepageUrl: string | null;
        organization: {
          name: string;
          business: {
            websiteURL: string | null;
          };
        };
      };
    };
    refusals:
      | 'ONE_TIME_PAYMENT_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Cancel a one-time payment that has not been paid. */
  cancelOneTimePayment: {
    params: {
      id: string;
    };
    body?: Readonly<Record<string, never>>;
    answers: {
      /** CANCELLED, also where it was cancelled before. */
      200: {
        id: string;
        status: 'PENDING' | 'CONFIRMED' | 'CANCELLED';
        description: string;
        amount: number;
        currency: 'MXN';
        externalId: string | null;
        expiresAt: string;
        createdAt: string;
        updatedAt: string;
      };
    };
    refusals:
      | 'ONE_TIME_PAYMENT_NOT_FOUND'
      | 'ONE_TIME_PAYMENT_NOT_PENDING'
      | 'PAYMENT_IN_PROGRESS'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Pay a one-time payment. */
  payOneTimePayment: {
    params: {
      id: string;
    };
    body: {
      card: {
        /** is not a card number */
        number: string;
        /** the card has expired */
        expirationMonth: number;
        expirationYear: number;
        cvc: string;
        holderName: string;
      };
      terms?: 1 | 3 | 6 | 9 | 12 | null | undefined;
      billingInformation: {
        email: string;
        firstName: string;
        lastName: string;
        phoneNumber?: string | null | undefined;
        address?: {
          addressLine?: string | null | undefined;
          city?: string | null | undefined;
          state?: string | null | undefined;
          zip?: string | null | undefined;
        } | null | undefined;
      };
    };
    answers: {
      /** Paid. */
      201: {
        id: string;
        status: 'CONFIRMED';
        amount: number;
        currency: 'MXN';
        operationCode: number;
        redirectUrl: string | null;
      };
      /** The bank’s answer is not known yet; Location will show it. */
      202: {
        status: 'PENDING';
        expired: false;
        id: string;
        amount: number;
        currency: 'MXN';
        expiresAt: string;
        homepageUrl: string | null;
        organization: {
          name: string;
          business: {
            websiteURL: string | null;
          };
        };
      } | {
        id: string;
        status: 'PENDING' | 'CONFIRMED' | 'CANCELLED';
        expired: boolean;
        homepageUrl: string | null;
        organization: {
          name: string;
          business: {
            websiteURL: string | null;
          };
        };
      };
    };
    refusals:
      | 'ONE_TIME_PAYMENT_NOT_FOUND'
      | 'CHARGE_DECLINED'
      | 'ONE_TIME_PAYMENT_NOT_PENDING'
      | 'ONE_TIME_PAYMENT_EXPIRED'
      | 'PAYMENT_IN_PROGRESS'
      | 'FEE_CHANNEL_UNKNOWN'
      | 'TERMS_NOT_AVAILABLE'
      | 'TOO_MANY_ATTEMPTS'
      | 'NOT_OFFERED_BY_ACQUIRER'
      | 'BANK_UNAVAILABLE'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read a one-time payment as its merchant does. */
  readOneTimePayment: {
    params: {
      id: string;
    };
    answers: {
      /** The one-time payment, and the payment that paid it. */
      200: {
        id: string;
        status: 'PENDING' | 'CONFIRMED' | 'CANCELLED';
        description: string;
        amount: number;
        currency: 'MXN';
        externalId: string | null;
        expiresAt: string;
        redirectUrl: string | null;
        homepageUrl: string | null;
        allowedTerms: readonly (1 | 3 | 6 | 9 | 12)[];
        createdAt: string;
        updatedAt: string;
        billingInformation: {
          email: string | null;
          firstName: string | null;
          lastName: string | null;
          phoneNumber: string | null;
          address: {
            addressLine: string | null;
            city: string | null;
            state: string | null;
            zip: string | null;
          };
        } | null;
        checkoutUrl: string;
        /** Whether it can no longer be paid because of the time, whatever its status. */
        expired: boolean;
        payment: {
          id: string;
          status: 'NOT_INITIALIZED' | 'PENDING' | 'CONFIRMED' | 'CANCELLED' | 'REFUNDED' | 'HELD' | 'HOLD_RELEASED' | 'HOLD_EXPIRED';
          operationCode: number;
        } | null;
        salesperson: {
          id: string;
          name: string;
          username: string;
        } | null;
      };
    };
    refusals:
      | 'ONE_TIME_PAYMENT_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Refund a one-time payment in full. */
  refundOneTimePayment: {
    params: {
      id: string;
    };
    body?: {
      reason?: string | null | undefined;
    };
    answers: {
      /** REFUNDED. */
      200: Refund;
      /** Still CONFIRMED: the bank’s answer is not known yet; Location will show it. */
      202: Refund;
    };
    refusals:
      | 'ONE_TIME_PAYMENT_NOT_FOUND'
      | 'REFUND_DECLINED'
      | 'PAYMENT_NOT_REFUNDABLE'
      | 'PAYMENT_ALREADY_REFUNDED'
      | 'REFUND_IN_PROGRESS'
      | 'BANK_UNAVAILABLE'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'RATE_LIMIT_EXCEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read the merchant’s profile. */
  getOrganization: {
    answers: {
      /** The profile. */
      200: Organization;
    };
    refusals:
      | 'NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Change the merchant’s profile. */
  changeOrganization: {
    body?: {
      name?: string | null | undefined;
      business?: {
        websiteURL?: string | null | undefined;
        supportEmail?: string | null | undefined;
        supportPhoneNumber?: string | null | undefined;
      } | null | undefined;
    };
    answers: {
      /** The profile as it is now. Checkouts show it at once. */
      200: Organization;
    };
    refusals:
      | 'NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'FACTOR_NEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Create a payment intent that a terminal takes. */
  createPaymentIntent: {
    body: {
      /** MXN pesos with at most two decimals */
      amount: number;
      currency: 'MXN';
      /** must not contain a card number or security code: put a letter before it */
      externalId: string;
      terminalCode?: string | null | undefined;
      redirectAppId?: string | null | undefined;
    };
    answers: {
      /** PENDING, or the original intent where the externalId was used before. */
      201: {
        id: string;
        status: 'PENDING' | 'CONFIRMED' | 'CANCELLED';
        amount: number;
        currency: 'MXN';
        externalId: string;
        redirectAppId?: string | undefined;
        organizationId: string;
        terminalId?: string | undefined;
        createdAt: string;
        updatedAt: string;
      };
    };
    refusals:
      | 'TERMINAL_NOT_FOUND'
      | 'EXTERNAL_ID_MISMATCH'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** List payment intents, newest first. */
  listPaymentIntents: {
    query?: {
      page?: number | undefined;
      pageSize?: number | undefined;
      status?: 'PENDING' | 'CONFIRMED' | 'CANCELLED' | undefined;
      terminalCode?: string | undefined;
    } | undefined;
    answers: {
      /** A page of intents. `count` goes to 10,000; `X-Count-Capped: true` says that there are more. */
      200: {
        count: number;
        page: number;
        pageSize: number;
        items: readonly PaymentIntentItem[];
      };
    };
    refusals:
      | 'TERMINAL_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read the state of an intent. */
  getPaymentIntent: {
    params: {
      id: string;
    };
    answers: {
      /** Its state, and the payment made for it. */
      200: {
        id: string;
        status: 'PENDING' | 'CONFIRMED' | 'CANCELLED';
        expired: boolean;
        paymentSummary?: {
          id: string;
          status: 'NOT_INITIALIZED' | 'PENDING' | 'CONFIRMED' | 'CANCELLED' | 'REFUNDED' | 'HELD' | 'HOLD_RELEASED' | 'HOLD_EXPIRED';
          operationCode: number;
        } | undefined;
      };
    };
    refusals:
      | 'PAYMENT_INTENT_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Cancel an intent that has not been paid. */
  cancelPaymentIntent: {
    params: {
      id: string;
    };
    body?: Readonly<Record<string, never>>;
    answers: {
      /** CANCELLED, also where it was cancelled before. */
      200: Readonly<Record<string, never>>;
    };
    refusals:
      | 'PAYMENT_INTENT_NOT_FOUND'
      | 'INTENT_NOT_PENDING'
      | 'INTENT_IN_PROGRESS'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Refund the payment of an intent in full. */
  refundPaymentIntent: {
    params: {
      id: string;
    };
    body?: {
      reason?: string | null | undefined;
    };
    answers: {
      /** REFUNDED. */
      200: Refund;
      /** Still CONFIRMED: the bank’s answer is not known yet; Location will show it. */
      202: Refund;
    };
    refusals:
      | 'PAYMENT_INTENT_NOT_FOUND'
      | 'REFUND_DECLINED'
      | 'PAYMENT_NOT_REFUNDABLE'
      | 'PAYMENT_ALREADY_REFUNDED'
      | 'REFUND_IN_PROGRESS'
      | 'BANK_UNAVAILABLE'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'RATE_LIMIT_EXCEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Create a payment link. */
  createPaymentLink: {
    body?: {
      amount?: number | null | undefined;
      productId?: string | null | undefined;
      currency?: 'MXN' | null | undefined;
      description?: string | null | undefined;
      allowedTerms?: readonly (1 | 3 | 6 | 9 | 12 | 18)[] | null | undefined;
      maxPayments?: number | null | undefined;
      expiresAt?: string | null | undefined;
      redirectUrl?: string | null | undefined;
      homepageUrl?: string | null | undefined;
      salespersonId?: string | null | undefined;
      externalId?: string | null | undefined;
    };
    answers: {
      /** The payment link, or the original one where the externalId was used before. */
      201: PaymentLink;
    };
    refusals:
      | 'EXTERNAL_ID_MISMATCH'
      | 'PRODUCT_NOT_FOUND'
      | 'PRODUCT_NOT_ACTIVE'
      | 'SALESPERSON_NOT_FOUND'
      | 'SALESPERSON_NOT_ACTIVE'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** List payment links, newest first. */
  listPaymentLinks: {
    query?: {
      page?: number | undefined;
      pageSize?: number | undefined;
      status?: 'INACTIVE' | 'EXPIRED' | 'SOLD_OUT' | 'ACTIVE' | undefined;
    } | undefined;
    answers: {
      /** A page of payment links. With status `count` goes to 10,000; `X-Count-Capped: true` says that there are more. */
      200: {
        count: number;
        page: number;
        pageSize: number;
        items: readonly PaymentLink[];
      };
    };
    refusals:
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read a payment link. */
  getPaymentLink: {
    params: {
      id: string;
    };
    answers: {
      /** The payment link. */
      200: PaymentLink;
    };
    refusals:
      | 'PAYMENT_LINK_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Change a payment link, or switch it on or off. */
  changePaymentLink: {
    params: {
      id: string;
    };
    body?: {
      amount?: number | null | undefined;
      description?: string | null | undefined;
      allowedTerms?: readonly (1 | 3 | 6 | 9 | 12 | 18)[] | null | undefined;
      maxPayments?: number | null | undefined;
      expiresAt?: string | null | undefined;
      redirectUrl?: string | null | undefined;
      homepageUrl?: string | null | undefined;
      active?: boolean | null | undefined;
    };
    answers: {
      /** The payment link as it is now. */
      200: PaymentLink;
    };
    refusals:
      | 'PAYMENT_LINK_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read what became of an attempt to pay a payment link. */
  readLinkAttempt: {
    params: {
      id: string;
      attemptId: string;
    };
    answers: {
      /** The payment, also while the bank’s answer is not known yet. */
      200: LinkPayment;
    };
    refusals:
      | 'PAYMENT_LINK_NOT_FOUND'
      | 'ATTEMPT_NOT_FOUND'
      | 'CHARGE_DECLINED'
      | 'VALIDATION_ERROR'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** See a payment link as its payers do. */
  viewPaymentLink: {
    params: {
      id: string;
    };
    answers: {
      /** What is to be paid, or only its status while it cannot be paid. */
      200: {
        id: string;
        status: 'ACTIVE';
        description: string;
        amount: number;
        currency: 'MXN';
        allowedTerms: readonly (1 | 3 | 6 | 9 | 12 | 18)[];
        expiresAt: string | null;
        homepageUrl: string | null;
        organization: {
          name: string;
          business: {
            websiteURL: string | null;
          };
        };
      } | {
        id: string;
        status: 'INACTIVE' | 'EXPIRED' | 'SOLD_OUT';
        homepageUrl: string | null;
        organization: {
          name: string;
          business: {
            websiteURL: string | null;
          };
        };
      };
    };
    refusals:
      | 'PAYMENT_LINK_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Pay a payment link. */
  payPaymentLink: {
    params: {
      id: string;
    };
    body: {
      attemptId: string;
      /** MXN pesos with at most two decimals */
      amount: number;
      card: {
        /** is not a card number */
        number: string;
        /** the card has expired */
        expirationMonth: number;
        expirationYear: number;
        cvc: string;
        holderName: string;
      };
      terms?: 1 | 3 | 6 | 9 | 12 | 18 | null | undefined;
      billingInformation: {
        email: string;
        firstName: string;
        lastName: string;
        phoneNumber?: string | null | undefined;
        address?: {
          addressLine?: string | null | undefined;
          city?: string | null | undefined;
          state?: string | null | undefined;
          zip?: string | null | undefined;
        } | null | undefined;
      };
    };
    answers: {
      /** Paid; the original payment where the attemptId was used before. */
      201: LinkPayment;
      /** PENDING: the bank’s answer is not known yet; Location will show it. */
      202: LinkPayment;
    };
    refusals:
      | 'PAYMENT_LINK_NOT_FOUND'
      | 'CHARGE_DECLINED'
      | 'ATTEMPT_MISMATCH'
      | 'CHARGE_IN_PROGRESS'
      | 'TOO_MANY_ATTEMPTS'
      | 'PAYMENT_LINK_NOT_ACTIVE'
      | 'PAYMENT_LINK_EXPIRED'
      | 'PAYMENT_LINK_SOLD_OUT'
      | 'AMOUNT_CHANGED'
      | 'CARD_DECLINED'
      | 'TERMS_NOT_AVAILABLE'
      | 'FEE_CHANNEL_UNKNOWN'
      | 'NOT_OFFERED_BY_ACQUIRER'
      | 'BANK_UNAVAILABLE'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** List the payments of a payment link, newest first. */
  listLinkPayments: {
    params: {
      id: string;
    };
    query?: {
      page?: number | undefined;
      pageSize?: number | undefined;
      status?: 'NOT_INITIALIZED' | 'PENDING' | 'CONFIRMED' | 'CANCELLED' | 'REFUNDED' | 'HELD' | 'HOLD_RELEASED' | 'HOLD_EXPIRED' | undefined;
    } | undefined;
    answers: {
      /** A page of payments. */
      200: {
        count: number;
        page: number;
        pageSize: number;
        items: readonly Payment[];
      };
    };
    refusals:
      | 'PAYMENT_LINK_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Refund a payment of a payment link in full. */
  refundLinkPayment: {
    params: {
      id: string;
      paymentId: string;
    };
    body?: {
      reason?: string | null | undefined;
    };
    answers: {
      /** REFUNDED. */
      200: Refund;
      /** Still CONFIRMED: the bank’s answer is not known yet; Location will show it. */
      202: Refund;
    };
    refusals:
      | 'PAYMENT_LINK_NOT_FOUND'
      | 'PAYMENT_NOT_FOUND'
      | 'REFUND_DECLINED'
      | 'PAYMENT_NOT_REFUNDABLE'
      | 'PAYMENT_ALREADY_REFUNDED'
      | 'REFUND_IN_PROGRESS'
      | 'BANK_UNAVAILABLE'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'RATE_LIMIT_EXCEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Save a card at the bank’s vault. */
  savePaymentMethod: {
    body: {
      externalId?: string | null | undefined;
      card: {
        /** is not a card number */
        number: string;
        /** the card has expired */
        expirationMonth: number;
        expirationYear: number;
        cvc: string;
        holderName: string;
      };
      billingInformation?: {
        email?: string | null | undefined;
        firstName?: string | null | undefined;
        lastName?: string | null | undefined;
        phoneNumber?: string | null | undefined;
        address?: {
          addressLine?: string | null | undefined;
          city?: string | null | undefined;
          state?: string | null | undefined;
          zip?: string | null | undefined;
        } | null | undefined;
      } | null | undefined;
    };
    answers: {
      /** The card is saved, or was saved before under this externalId. */
      201: PaymentMethod;
      /** The bank’s answer is not known yet; Location will show it. */
      202: PaymentMethod;
    };
    refusals:
      | 'CARD_DECLINED'
      | 'EXTERNAL_ID_MISMATCH'
      | 'SAVE_IN_PROGRESS'
      | 'TOO_MANY_ATTEMPTS'
      | 'BANK_UNAVAILABLE'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** List saved cards, newest first. */
  listPaymentMethods: {
    query?: {
      page?: number | undefined;
      pageSize?: number | undefined;
      status?: 'PENDING' | 'ACTIVE' | 'EXPIRED' | 'REVOKED' | undefined;
    } | undefined;
    answers: {
      /** A page of saved cards. */
      200: {
        count: number;
        page: number;
        pageSize: number;
        items: readonly PaymentMethod[];
      };
    };
    refusals:
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read a saved card. */
  getPaymentMethod: {
    params: {
      id: string;
    };
    answers: {
      /** The saved card. */
      200: PaymentMethod;
    };
    refusals:
      | 'PAYMENT_METHOD_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Revoke a saved card. */
  revokePaymentMethod: {
    params: {
      id: string;
    };
    answers: {
      /** It can no longer be charged; also where it was revoked before. */
      200: {
        success: boolean;
      };
    };
    refusals:
      | 'PAYMENT_METHOD_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Charge a saved card, or hold funds on it. */
  chargePaymentMethod: {
    params: {
      id: string;
    };
    body: {
      /** MXN pesos with at most two decimals */
      amount: number;
      currency?: 'MXN' | null | undefined;
      description?: string | null | undefined;
      holdFunds?: boolean | null | undefined;
      externalId?: string | null | undefined;
    };
    answers: {
      /** CONFIRMED, or HELD with holdFunds; the original payment where the externalId was used before. */
      201: Payment;
      /** PENDING: the bank’s answer is not known yet; Location will show it. */
      202: Payment;
    };
    refusals:
      | 'PAYMENT_METHOD_NOT_FOUND'
      | 'CHARGE_DECLINED'
      | 'EXTERNAL_ID_MISMATCH'
      | 'CHARGE_IN_PROGRESS'
      | 'PAYMENT_METHOD_NOT_ACTIVE'
      | 'FEE_CHANNEL_UNKNOWN'
      | 'NOT_OFFERED_BY_ACQUIRER'
      | 'BANK_UNAVAILABLE'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** List the payments of a saved card, newest first. */
  listPayments: {
    params: {
      id: string;
    };
    query?: {
      page?: number | undefined;
      pageSize?: number | undefined;
      status?: 'NOT_INITIALIZED' | 'PENDING' | 'CONFIRMED' | 'CANCELLED' | 'REFUNDED' | 'HELD' | 'HOLD_RELEASED' | 'HOLD_EXPIRED' | undefined;
    } | undefined;
    answers: {
      /** A page of payments. */
      200: {
        count: number;
        page: number;
        pageSize: number;
        items: readonly Payment[];
      };
    };
    refusals:
      | 'PAYMENT_METHOD_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read a payment of a saved card. */
  getPayment: {
    params: {
      id: string;
      paymentId: string;
    };
    answers: {
      /** The payment. */
      200: Payment;
    };
    refusals:
      | 'PAYMENT_METHOD_NOT_FOUND'
      | 'PAYMENT_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Capture a hold, whole or in part. */
  captureHold: {
    params: {
      id: string;
      paymentId: string;
    };
    body?: {
      /** MXN pesos with at most two decimals */
      amount?: number | undefined;
    };
    answers: {
      /** CONFIRMED. */
      200: Payment;
      /** Still HELD: the bank’s answer is not known yet; Location will show it. */
      202: Payment;
    };
    refusals:
      | 'PAYMENT_METHOD_NOT_FOUND'
      | 'PAYMENT_NOT_FOUND'
      | 'PAYMENT_METHOD_MISMATCH'
      | 'INVALID_CAPTURE_AMOUNT'
      | 'CAPTURE_AMOUNT_EXCEEDS_HOLD'
      | 'CAPTURE_DECLINED'
      | 'PAYMENT_NOT_HELD'
      | 'CAPTURE_IN_PROGRESS'
      | 'RELEASE_IN_PROGRESS'
      | 'HOLD_WINDOW_CLOSED'
      | 'HOLD_CHANNEL_UNKNOWN'
      | 'BANK_UNAVAILABLE'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Refund a confirmed payment in full. */
  refundPayment: {
    params: {
      id: string;
      paymentId: string;
    };
    body?: {
      reason?: string | null | undefined;
    };
    answers: {
      /** REFUNDED. */
      200: Refund;
      /** Still CONFIRMED: the bank’s answer is not known yet; Location will show it. */
      202: Refund;
    };
    refusals:
      | 'PAYMENT_METHOD_NOT_FOUND'
      | 'PAYMENT_NOT_FOUND'
      | 'REFUND_DECLINED'
      | 'PAYMENT_NOT_REFUNDABLE'
      | 'PAYMENT_ALREADY_REFUNDED'
      | 'REFUND_IN_PROGRESS'
      | 'BANK_UNAVAILABLE'
      | 'CAPTURE_IN_PROGRESS'
      | 'RELEASE_IN_PROGRESS'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'RATE_LIMIT_EXCEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Release a hold without capturing it. */
  releaseHold: {
    params: {
      id: string;
      paymentId: string;
    };
    body?: Readonly<Record<string, never>>;
    answers: {
      /** HOLD_RELEASED, also where it was released before. */
      200: Payment;
      /** Still HELD: the bank’s answer is not known yet; Location will show it. */
      202: Payment;
    };
    refusals:
      | 'PAYMENT_METHOD_NOT_FOUND'
      | 'PAYMENT_NOT_FOUND'
      | 'PAYMENT_METHOD_MISMATCH'
      | 'RELEASE_DECLINED'
      | 'PAYMENT_NOT_HELD'
      | 'CAPTURE_IN_PROGRESS'
      | 'RELEASE_IN_PROGRESS'
      | 'BANK_UNAVAILABLE'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read a payment of any origin, and all that was asked of the bank about it. */
  readPaymentTimeline: {
    params: {
      id: string;
    };
    answers: {
      /** The payment and its operations. */
      200: PaymentTimeline;
    };
    refusals:
      | 'PAYMENT_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** List what the bank has not answered for a minute. */
  listPendingPayments: {
    query?: {
      limit?: number | undefined;
    } | undefined;
    answers: {
      /** The payments and what was asked about each, the oldest first. */
      200: PendingPayments;
    };
    refusals:
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Create a product. */
  createProduct: {
    body: {
      name: string;
      /** MXN pesos with at most two decimals */
      price: number;
      currency?: 'MXN' | null | undefined;
      description?: string | null | undefined;
      stock?: number | null | undefined;
      externalId?: string | null | undefined;
    };
    answers: {
      /** The product, or the original one where the externalId was used before. */
      201: Product;
    };
    refusals:
      | 'EXTERNAL_ID_MISMATCH'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** List products, newest first. */
  listProducts: {
    query?: {
      page?: number | undefined;
      pageSize?: number | undefined;
      status?: 'ACTIVE' | 'ARCHIVED' | undefined;
    } | undefined;
    answers: {
      /** A page of products. */
      200: {
        count: number;
        page: number;
        pageSize: number;
        items: readonly Product[];
      };
    };
    refusals:
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read a product. */
  getProduct: {
    params: {
      id: string;
    };
    answers: {
      /** The product. */
      200: Product;
    };
    refusals:
      | 'PRODUCT_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Change a product, archive it, or bring it back. */
  changeProduct: {
    params: {
      id: string;
    };
    body?: {
      name?: string | null | undefined;
      description?: string | null | undefined;
      price?: number | null | undefined;
      status?: 'ACTIVE' | 'ARCHIVED' | null | undefined;
    };
    answers: {
      /** The product as it is now. A price counts from the next payment on. */
      200: Product;
    };
    refusals:
      | 'PRODUCT_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Add units to a product’s stock, or take some away. */
  changeStock: {
    params: {
      id: string;
    };
    body: {
      /** must not be 0, nor bring the stock above 1000000 */
      change: number;
      externalId?: string | null | undefined;
    };
    answers: {
      /** The product with its stock as it is now; nothing more was changed where the externalId was used before. */
      201: Product;
    };
    refusals:
      | 'PRODUCT_NOT_FOUND'
      | 'EXTERNAL_ID_MISMATCH'
      | 'STOCK_NOT_COUNTED'
      | 'STOCK_INSUFFICIENT'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Create a promotion. */
  createPromotion: {
    body: {
      name: string;
      feeDiscount?: number | null | undefined;
      businessTake?: number | null | undefined;
      terms: readonly (1 | 3 | 6 | 9 | 12 | 18)[];
      types?: readonly ('CARD_PRESENT' | 'CARD_NOT_PRESENT')[] | null | undefined;
      networks?: readonly ('VISA' | 'MASTERCARD' | 'AMEX' | 'CARNET')[] | null | undefined;
      issuingBanks?: readonly string[] | null | undefined;
      productIds?: readonly string[] | null | undefined;
      minimumAmount?: number | null | undefined;
      maxPayments?: number | null | undefined;
      startsAt: string;
      /** must be in the future, and after startsAt */
      endsAt: string;
      externalId?: string | null | undefined;
    };
    answers: {
      /** The promotion, or the original one where the externalId was used before. PENDING until its sponsor accepts. */
      201: Promotion;
    };
    refusals:
      | 'PRODUCT_NOT_FOUND'
      | 'EXTERNAL_ID_MISMATCH'
      | 'PROMOTION_SPONSOR_MISSING'
      | 'PROMOTION_LIMIT_REACHED'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** List promotions, newest first. */
  listPromotions: {
    query?: {
      page?: number | undefined;
      pageSize?: number | undefined;
      status?: 'PENDING' | 'SCHEDULED' | 'ACTIVE' | 'ENDED' | undefined;
    } | undefined;
    answers: {
      /** A page of promotions. */
      200: {
        count: number;
        page: number;
        pageSize: number;
        items: readonly Promotion[];
      };
    };
    refusals:
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read a promotion. */
  getPromotion: {
    params: {
      id: string;
    };
    answers: {
      /** The promotion. */
      200: Promotion;
    };
    refusals:
      | 'PROMOTION_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** End a promotion for good. */
  endPromotion: {
    params: {
      id: string;
    };
    body?: Readonly<Record<string, never>>;
    answers: {
      /** ENDED, also where it had ended before. No payment made from now on carries it. */
      200: Promotion;
    };
    refusals:
      | 'PROMOTION_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read what acquirers reported of each day, once it has been reconciled. */
  reportBankSettlement: {
    query?: {
      from?: string | undefined;
      to?: string | undefined;
    } | undefined;
    answers: {
      /** The lines, the earliest day first. */
      200: {
        lines: readonly BankLine[];
      };
    };
    refusals:
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read what was paid, declined and refunded on each day of Mexico City. */
  reportDays: {
    query?: {
      from?: string | undefined;
      to?: string | undefined;
    } | undefined;
    answers: {
      /** The days, the earliest first. */
      200: {
        days: readonly ReportedDay[];
      };
    };
    refusals:
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read the open holds by the day on which they end, those that end next first. */
  reportHolds: {
    query?: {
      limit?: number | undefined;
      offset?: number | undefined;
      endsOn?: string | undefined;
    } | undefined;
    answers: {
      /** The days with their sums, and a page of holds. */
      200: HoldBoard;
    };
    refusals:
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Walk payments by cursor with more filters, newest first. */
  reportPayments: {
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      status?: 'CONFIRMED' | 'CANCELLED' | 'REFUNDED' | 'HELD' | 'HOLD_RELEASED' | 'HOLD_EXPIRED' | readonly ('CONFIRMED' | 'CANCELLED' | 'REFUNDED' | 'HELD' | 'HOLD_RELEASED' | 'HOLD_EXPIRED')[] | undefined;
      createdAtFrom?: string | undefined;
      createdAtTo?: string | undefined;
      type?: 'CARD_PRESENT' | 'CARD_NOT_PRESENT' | undefined;
      operationCode?: string | undefined;
      paymentLinkId?: string | undefined;
      subscriptionId?: string | undefined;
      oneTimePaymentId?: string | undefined;
      paymentMethodId?: string | undefined;
      paymentIntentId?: string | undefined;
      source?: 'SAVED_CARD' | 'ONE_TIME_PAYMENT' | 'PAYMENT_INTENT' | 'PAYMENT_LINK' | 'SUBSCRIPTION' | undefined;
      amountFrom?: string | undefined;
      amountTo?: string | undefined;
      issuingBank?: string | undefined;
      terms?: string | undefined;
      lastFourDigits?: string | undefined;
      externalId?: string | undefined;
      email?: string | undefined;
      settledOn?: string | undefined;
      refundedOn?: string | undefined;
      salespersonId?: string | undefined;
      branchId?: string | undefined;
      terminalId?: string | undefined;
    } | undefined;
    answers: {
      /** A page of payments with an outcome. */
      200: {
        data: readonly ReportedPayment[];
        pagination: {
          limit: number;
          hasMore: boolean;
          nextCursor: string | null;
        };
      };
    };
    refusals:
      | 'INVALID_CURSOR'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read how a payment’s amount becomes what the merchant gets. */
  explainDisbursement: {
    params: {
      id: string;
    };
    answers: {
      /** The steps, which always meet. */
      200: DisbursementExplained;
    };
    refusals:
      | 'PAYMENT_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read what settled and what was refunded on each day of Mexico City. */
  reportSettlement: {
    query?: {
      from?: string | undefined;
      to?: string | undefined;
    } | undefined;
    answers: {
      /** The days, the earliest first. */
      200: {
        days: readonly SettledDay[];
      };
    };
    refusals:
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read what was paid and refunded on a day by salesperson, branch and terminal. */
  reportTakings: {
    query?: {
      day?: string | undefined;
    } | undefined;
    answers: {
      /** The sums, the greatest first. */
      200: Takings;
    };
    refusals:
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Create a salesperson, to whom payments are attributed. */
  createSalesperson: {
    body: {
      name: string;
      /** must have 3 to 50 of the characters a-z, 0-9, dot, underscore and dash */
      username: string;
      businessStoreBranchId?: string | null | undefined;
    };
    answers: {
      /** The salesperson, also where the same request was sent before. */
      201: Salesperson;
    };
    refusals:
      | 'BUSINESS_STORE_BRANCH_NOT_FOUND'
      | 'USERNAME_TAKEN'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** List salespeople, newest first. */
  listSalespeople: {
    query?: {
      page?: number | undefined;
      pageSize?: number | undefined;
      status?: 'ACTIVE' | 'INACTIVE' | undefined;
    } | undefined;
    answers: {
      /** A page of salespeople. */
      200: {
        count: number;
        page: number;
        pageSize: number;
        items: readonly Salesperson[];
      };
    };
    refusals:
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read a salesperson. */
  getSalesperson: {
    params: {
      id: string;
    };
    answers: {
      /** The salesperson. */
      200: Salesperson;
    };
    refusals:
      | 'SALESPERSON_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Change a salesperson; payments made before keep what they have. */
  changeSalesperson: {
    params: {
      id: string;
    };
    body?: {
      name?: string | null | undefined;
      status?: 'ACTIVE' | 'INACTIVE' | null | undefined;
      businessStoreBranchId?: string | null | undefined;
    };
    answers: {
      /** The salesperson. */
      200: Salesperson;
    };
    refusals:
      | 'SALESPERSON_NOT_FOUND'
      | 'BUSINESS_STORE_BRANCH_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Subscribe a saved card: charge it now, and once for each period to come. */
  createSubscription: {
    body: {
      paymentMethodId: string;
      amount?: number | null | undefined;
      productId?: string | null | undefined;
      currency?: 'MXN' | null | undefined;
      periodicity: 'WEEKLY' | 'BIWEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'SEMIANNUAL' | 'YEARLY';
      firstBillingDate?: string | null | undefined;
      totalPeriods?: number | null | undefined;
      description?: string | null | undefined;
      externalId?: string | null | undefined;
    };
    answers: {
      /** ACTIVE; the original subscription where the externalId was used before. */
      201: Subscription;
      /** PENDING: the bank’s answer to the first charge is not known yet; Location will show it. */
      202: Subscription;
    };
    refusals:
      | 'EXTERNAL_ID_MISMATCH'
      | 'CHARGE_IN_PROGRESS'
      | 'CHARGE_DECLINED'
      | 'PAYMENT_METHOD_NOT_FOUND'
      | 'PRODUCT_NOT_FOUND'
      | 'PRODUCT_NOT_ACTIVE'
      | 'PAYMENT_METHOD_NOT_ACTIVE'
      | 'FEE_CHANNEL_UNKNOWN'
      | 'NOT_OFFERED_BY_ACQUIRER'
      | 'BANK_UNAVAILABLE'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'RATE_LIMIT_EXCEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** List subscriptions, newest first. */
  listSubscriptions: {
    query?: {
      page?: number | undefined;
      pageSize?: number | undefined;
      status?: 'PENDING' | 'ACTIVE' | 'PAST_DUE' | 'PAUSED' | 'CANCELLED' | 'COMPLETED' | undefined;
      paymentMethodId?: string | undefined;
    } | undefined;
    answers: {
      /** A page of subscriptions. With status or paymentMethodId `count` goes to 10,000; `X-Count-Capped: true` says that there are more. */
      200: {
        count: number;
        page: number;
        pageSize: number;
        items: readonly Subscription[];
      };
    };
    refusals:
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read a subscription. */
  getSubscription: {
    params: {
      id: string;
    };
    answers: {
      /** The subscription. */
      200: Subscription;
    };
    refusals:
      | 'SUBSCRIPTION_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Change a subscription’s card, amount or description. */
  changeSubscription: {
    params: {
      id: string;
    };
    body?: {
      paymentMethodId?: string | null | undefined;
      amount?: number | null | undefined;
      description?: string | null | undefined;
    };
    answers: {
      /** The subscription as it is now. An amount counts from the next period that was not tried yet; a new card while PAST_DUE is charged within seconds. */
      200: Subscription;
    };
    refusals:
      | 'SUBSCRIPTION_NOT_FOUND'
      | 'SUBSCRIPTION_ENDED'
      | 'PAYMENT_METHOD_NOT_FOUND'
      | 'PAYMENT_METHOD_NOT_ACTIVE'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'RATE_LIMIT_EXCEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Cancel a subscription, now or at the end of its period. */
  cancelSubscription: {
    params: {
      id: string;
    };
    body?: {
      atPeriodEnd?: boolean | null | undefined;
    };
    answers: {
      /** CANCELLED, also where it was before; with atPeriodEnd, to be cancelled by the clock. No charge begins after it. */
      200: Subscription;
    };
    refusals:
      | 'SUBSCRIPTION_NOT_FOUND'
      | 'SUBSCRIPTION_ENDED'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Pause a subscription: periods that begin meanwhile are skipped. */
  pauseSubscription: {
    params: {
      id: string;
    };
    body?: Readonly<Record<string, never>>;
    answers: {
      /** PAUSED, also where it was before. */
      200: Subscription;
    };
    refusals:
      | 'SUBSCRIPTION_NOT_FOUND'
      | 'SUBSCRIPTION_ENDED'
      | 'CHARGE_IN_PROGRESS'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** List the periods of a subscription up to now, newest first. */
  listSubscriptionPeriods: {
    params: {
      id: string;
    };
    query?: {
      page?: number | undefined;
      pageSize?: number | undefined;
    } | undefined;
    answers: {
      /** A page of periods. */
      200: {
        count: number;
        page: number;
        pageSize: number;
        items: readonly SubscriptionPeriod[];
      };
    };
    refusals:
      | 'SUBSCRIPTION_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Collect a period by hand that is open, failed or was skipped. */
  chargeSubscriptionPeriod: {
    params: {
      id: string;
      number: string;
    };
    body?: Readonly<Record<string, never>>;
    answers: {
      /** CONFIRMED; the payment of the period where it was paid before. */
      201: Payment;
      /** PENDING: the bank’s answer is not known yet; Location will show it. */
      202: Payment;
    };
    refusals:
      | 'SUBSCRIPTION_NOT_FOUND'
      | 'SUBSCRIPTION_ENDED'
      | 'SUBSCRIPTION_PERIOD_NOT_DUE'
      | 'CHARGE_IN_PROGRESS'
      | 'TOO_MANY_ATTEMPTS'
      | 'CHARGE_DECLINED'
      | 'PAYMENT_METHOD_NOT_ACTIVE'
      | 'FEE_CHANNEL_UNKNOWN'
      | 'NOT_OFFERED_BY_ACQUIRER'
      | 'BANK_UNAVAILABLE'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'RATE_LIMIT_EXCEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Resume a subscription, or take back that it ends with its period; charges nothing new. */
  resumeSubscription: {
    params: {
      id: string;
    };
    body?: Readonly<Record<string, never>>;
    answers: {
      /** As it was before it was paused; the next period is charged again. */
      200: Subscription;
    };
    refusals:
      | 'SUBSCRIPTION_NOT_FOUND'
      | 'SUBSCRIPTION_ENDED'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** List terminals, with what is open for each and what came of the last card. */
  listTerminals: {
    query?: {
      page?: number | undefined;
      pageSize?: number | undefined;
    } | undefined;
    answers: {
      /** A page of terminals, the newest first. */
      200: {
        count: number;
        page: number;
        pageSize: number;
        items: readonly Terminal[];
      };
    };
    refusals:
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Ask what became of an intent. */
  askPaymentIntent: {
    params: {
      id: string;
    };
    answers: {
      /** Its payment, or its status. */
      200: PaidIntent | {
        id: string;
        status: 'PENDING' | 'CONFIRMED' | 'CANCELLED';
      };
    };
    refusals:
      | 'PAYMENT_INTENT_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Turn down an intent at the terminal. */
  declinePaymentIntent: {
    params: {
      id: string;
    };
    body?: {
      reason?: string | null | undefined;
    };
    answers: {
      /** CANCELLED. */
      200: Readonly<Record<string, never>>;
    };
    refusals:
      | 'PAYMENT_INTENT_NOT_FOUND'
      | 'INTENT_NOT_PENDING'
      | 'INTENT_IN_PROGRESS'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Pay an intent with the card at the terminal. */
  payPaymentIntent: {
    params: {
      id: string;
    };
    body: {
      attemptId: string;
      card: {
        /** is not a card number */
        number: string;
        /** the card has expired */
        expirationMonth: number;
        expirationYear: number;
        entryMode: 'CHIP' | 'CONTACTLESS' | 'MAGNETIC_STRIPE' | 'MANUAL';
        emv?: Readonly<Record<string, string>> | null | undefined;
      };
      terms?: 1 | 3 | 6 | 9 | 12 | null | undefined;
      salespersonId?: string | null | undefined;
    };
    answers: {
      /** Paid. */
      201: PaidIntent;
      /** The bank’s answer is not known yet; Location will show it. */
      202: PaidIntent | {
        id: string;
        status: 'PENDING' | 'CONFIRMED' | 'CANCELLED';
      };
    };
    refusals:
      | 'PAYMENT_INTENT_NOT_FOUND'
      | 'SALESPERSON_NOT_FOUND'
      | 'CHARGE_DECLINED'
      | 'ATTEMPT_MISMATCH'
      | 'SALESPERSON_NOT_ACTIVE'
      | 'INTENT_NOT_PENDING'
      | 'INTENT_EXPIRED'
      | 'INTENT_IN_PROGRESS'
      | 'TOO_MANY_ATTEMPTS'
      | 'NOT_OFFERED_BY_ACQUIRER'
      | 'TERMS_NOT_AVAILABLE'
      | 'BANK_UNAVAILABLE'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Wait for the next intent of this terminal. */
  nextPaymentIntent: {
    query?: {
      waitSeconds?: number | undefined;
    } | undefined;
    answers: {
      /** The intent, from now on bound to this terminal. */
      200: {
        id: string;
        amount: number;
        currency: 'MXN';
        externalId: string;
        redirectAppId: string | null;
        organization: {
          name: string;
        };
        createdAt: string;
        expiresAt: string;
      };
      /** None came. */
      204: undefined;
    };
    refusals:
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Have events sent to an address. */
  createWebhookEndpoint: {
    body: {
      /** must be an http or https URL; must be https; must not hold a user or password; must lead to a public address */
      url: string;
      types: readonly ('payment.confirmed' | 'payment.declined' | 'payment.refunded' | 'hold.placed' | 'hold.ending' | 'hold.captured' | 'hold.released' | 'hold.expired' | 'one_time_payment.paid' | 'one_time_payment.cancelled' | 'one_time_payment.expired' | 'payment_link.sold_out' | 'product.out_of_stock' | 'promotion.accepted' | 'promotion.ended' | 'payment_intent.confirmed' | 'payment_intent.cancelled' | 'payment_intent.expired' | 'payment_intent.superseded' | 'payment_method.saved' | 'payment_method.expired' | 'payment_method.revoked' | 'subscription.created' | 'subscription.renewing' | 'subscription.renewed' | 'subscription.past_due' | 'subscription.recovered' | 'subscription.cancelled' | 'subscription.completed' | 'webhook_endpoint.paused' | 'webhook_endpoint.disabled' | 'payment.*' | 'hold.*' | 'one_time_payment.*' | 'payment_link.*' | 'product.*' | 'promotion.*' | 'payment_intent.*' | 'payment_method.*' | 'subscription.*' | 'webhook_endpoint.*')[];
      description?: string | null | undefined;
    };
    answers: {
      /** The endpoint and its secret, which is not shown again. */
      201: CreatedWebhookEndpoint;
    };
    refusals:
      | 'TOO_MANY_WEBHOOK_ENDPOINTS'
      | 'WEBHOOK_ENDPOINT_MADE_BEFORE'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'FACTOR_NEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** List the addresses to which events are sent, newest first. */
  listWebhookEndpoints: {
    query?: {
      page?: number | undefined;
      pageSize?: number | undefined;
    } | undefined;
    answers: {
      /** A page of endpoints. */
      200: {
        count: number;
        page: number;
        pageSize: number;
        items: readonly WebhookEndpoint[];
      };
    };
    refusals:
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read an endpoint. */
  getWebhookEndpoint: {
    params: {
      id: string;
    };
    answers: {
      /** The endpoint. */
      200: WebhookEndpoint;
    };
    refusals:
      | 'WEBHOOK_ENDPOINT_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Change an endpoint, or enable it again. */
  changeWebhookEndpoint: {
    params: {
      id: string;
    };
    body?: {
      url?: string | null | undefined;
      types?: readonly ('payment.confirmed' | 'payment.declined' | 'payment.refunded' | 'hold.placed' | 'hold.ending' | 'hold.captured' | 'hold.released' | 'hold.expired' | 'one_time_payment.paid' | 'one_time_payment.cancelled' | 'one_time_payment.expired' | 'payment_link.sold_out' | 'product.out_of_stock' | 'promotion.accepted' | 'promotion.ended' | 'payment_intent.confirmed' | 'payment_intent.cancelled' | 'payment_intent.expired' | 'payment_intent.superseded' | 'payment_method.saved' | 'payment_method.expired' | 'payment_method.revoked' | 'subscription.created' | 'subscription.renewing' | 'subscription.renewed' | 'subscription.past_due' | 'subscription.recovered' | 'subscription.cancelled' | 'subscription.completed' | 'webhook_endpoint.paused' | 'webhook_endpoint.disabled' | 'payment.*' | 'hold.*' | 'one_time_payment.*' | 'payment_link.*' | 'product.*' | 'promotion.*' | 'payment_intent.*' | 'payment_method.*' | 'subscription.*' | 'webhook_endpoint.*')[] | null | undefined;
      description?: string | null | undefined;
      status?: 'ENABLED' | 'DISABLED' | null | undefined;
    };
    answers: {
      /** The endpoint as it is now. */
      200: WebhookEndpoint;
    };
    refusals:
      | 'WEBHOOK_ENDPOINT_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'FACTOR_NEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Delete an endpoint with its log. */
  deleteWebhookEndpoint: {
    params: {
      id: string;
    };
    answers: {
      /** Deleted. */
      200: {
        success: boolean;
      };
    };
    refusals:
      | 'WEBHOOK_ENDPOINT_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'FACTOR_NEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Walk what was or will be sent to an endpoint, newest first. */
  listDeliveries: {
    params: {
      id: string;
    };
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      status?: 'PENDING' | 'DELIVERED' | undefined;
    } | undefined;
    answers: {
      /** A page of deliveries. */
      200: {
        data: readonly WebhookDelivery[];
        pagination: {
          limit: number;
          hasMore: boolean;
          nextCursor: string | null;
        };
      };
    };
    refusals:
      | 'WEBHOOK_ENDPOINT_NOT_FOUND'
      | 'INVALID_CURSOR'
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Send an event once more, at once. */
  resendDelivery: {
    params: {
      id: string;
      deliveryId: string;
    };
    body?: Readonly<Record<string, never>>;
    answers: {
      /** The delivery, which is PENDING. */
      200: WebhookDelivery;
    };
    refusals:
      | 'WEBHOOK_ENDPOINT_NOT_FOUND'
      | 'WEBHOOK_DELIVERY_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'FACTOR_NEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Send the events since a time once more. */
  replayEvents: {
    params: {
      id: string;
    };
    body: {
      since: string;
      types?: readonly ('payment.confirmed' | 'payment.declined' | 'payment.refunded' | 'hold.placed' | 'hold.ending' | 'hold.captured' | 'hold.released' | 'hold.expired' | 'one_time_payment.paid' | 'one_time_payment.cancelled' | 'one_time_payment.expired' | 'payment_link.sold_out' | 'product.out_of_stock' | 'promotion.accepted' | 'promotion.ended' | 'payment_intent.confirmed' | 'payment_intent.cancelled' | 'payment_intent.expired' | 'payment_intent.superseded' | 'payment_method.saved' | 'payment_method.expired' | 'payment_method.revoked' | 'subscription.created' | 'subscription.renewing' | 'subscription.renewed' | 'subscription.past_due' | 'subscription.recovered' | 'subscription.cancelled' | 'subscription.completed' | 'webhook_endpoint.paused' | 'webhook_endpoint.disabled' | 'payment.*' | 'hold.*' | 'one_time_payment.*' | 'payment_link.*' | 'product.*' | 'promotion.*' | 'payment_intent.*' | 'payment_method.*' | 'subscription.*' | 'webhook_endpoint.*')[] | null | undefined;
    };
    answers: {
      /** How many are sent: at most 5,000 of a request, and what happened at the same moment as the last. */
      200: {
        count: number;
        until: string | null;
      };
    };
    refusals:
      | 'WEBHOOK_ENDPOINT_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'FACTOR_NEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Replace the secret of an endpoint. */
  turnWebhookSecret: {
    params: {
      id: string;
    };
    body?: {
      oldLivesForSeconds?: number | null | undefined;
    };
    answers: {
      /** The new secret, which is not shown again. */
      200: {
        /** Shown here and never again: verifies webhook-signature. */
        secret: string;
      };
    };
    refusals:
      | 'WEBHOOK_ENDPOINT_NOT_FOUND'
      | 'WEBHOOK_SECRET_TURNING'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'FACTOR_NEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Send a sample of a type of event. */
  testWebhookEndpoint: {
    params: {
      id: string;
    };
    body: {
      type: 'payment.confirmed' | 'payment.declined' | 'payment.refunded' | 'hold.placed' | 'hold.ending' | 'hold.captured' | 'hold.released' | 'hold.expired' | 'one_time_payment.paid' | 'one_time_payment.cancelled' | 'one_time_payment.expired' | 'payment_link.sold_out' | 'product.out_of_stock' | 'promotion.accepted' | 'promotion.ended' | 'payment_intent.confirmed' | 'payment_intent.cancelled' | 'payment_intent.expired' | 'payment_intent.superseded' | 'payment_method.saved' | 'payment_method.expired' | 'payment_method.revoked' | 'subscription.created' | 'subscription.renewing' | 'subscription.renewed' | 'subscription.past_due' | 'subscription.recovered' | 'subscription.cancelled' | 'subscription.completed' | 'webhook_endpoint.paused' | 'webhook_endpoint.disabled';
    };
    answers: {
      /** The delivery of the sample. */
      200: WebhookDelivery;
    };
    refusals:
      | 'WEBHOOK_ENDPOINT_NOT_FOUND'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'FACTOR_NEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** List the events of the sales partner’s organizations, newest first. */
  listPartnerEvents: {
    query?: {
      limit?: number | undefined;
      offset?: number | undefined;
      organizationId?: string | readonly string[] | undefined;
      type?: 'payment.confirmed' | 'payment.declined' | 'payment.refunded' | 'hold.placed' | 'hold.ending' | 'hold.captured' | 'hold.released' | 'hold.expired' | 'one_time_payment.paid' | 'one_time_payment.cancelled' | 'one_time_payment.expired' | 'payment_link.sold_out' | 'product.out_of_stock' | 'promotion.accepted' | 'promotion.ended' | 'payment_intent.confirmed' | 'payment_intent.cancelled' | 'payment_intent.expired' | 'payment_intent.superseded' | 'payment_method.saved' | 'payment_method.expired' | 'payment_method.revoked' | 'subscription.created' | 'subscription.renewing' | 'subscription.renewed' | 'subscription.past_due' | 'subscription.recovered' | 'subscription.cancelled' | 'subscription.completed' | 'webhook_endpoint.paused' | 'webhook_endpoint.disabled' | 'payment.*' | 'hold.*' | 'one_time_payment.*' | 'payment_link.*' | 'product.*' | 'promotion.*' | 'payment_intent.*' | 'payment_method.*' | 'subscription.*' | 'webhook_endpoint.*' | readonly ('payment.confirmed' | 'payment.declined' | 'payment.refunded' | 'hold.placed' | 'hold.ending' | 'hold.captured' | 'hold.released' | 'hold.expired' | 'one_time_payment.paid' | 'one_time_payment.cancelled' | 'one_time_payment.expired' | 'payment_link.sold_out' | 'product.out_of_stock' | 'promotion.accepted' | 'promotion.ended' | 'payment_intent.confirmed' | 'payment_intent.cancelled' | 'payment_intent.expired' | 'payment_intent.superseded' | 'payment_method.saved' | 'payment_method.expired' | 'payment_method.revoked' | 'subscription.created' | 'subscription.renewing' | 'subscription.renewed' | 'subscription.past_due' | 'subscription.recovered' | 'subscription.cancelled' | 'subscription.completed' | 'webhook_endpoint.paused' | 'webhook_endpoint.disabled' | 'payment.*' | 'hold.*' | 'one_time_payment.*' | 'payment_link.*' | 'product.*' | 'promotion.*' | 'payment_intent.*' | 'payment_method.*' | 'subscription.*' | 'webhook_endpoint.*')[] | undefined;
      objectId?: string | undefined;
    } | undefined;
    answers: {
      /** A page of events. */
      200: {
        data: readonly Event[];
        pagination: {
          limit: number;
          offset: number;
          count: number;
        };
      };
    };
    refusals:
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** List the payments of the sales partner’s organizations, newest first. */
  listPartnerPayments: {
    query?: {
      limit?: number | undefined;
      offset?: number | undefined;
      id?: string | readonly string[] | undefined;
      organizationId?: string | readonly string[] | undefined;
      status?: 'PENDING' | 'CANCELLED' | 'CONFIRMED' | 'REFUNDED' | readonly ('PENDING' | 'CANCELLED' | 'CONFIRMED' | 'REFUNDED')[] | undefined;
      type?: 'CARD_PRESENT' | 'CARD_NOT_PRESENT' | readonly ('CARD_PRESENT' | 'CARD_NOT_PRESENT')[] | undefined;
      financingMethod?: 'INSTALLMENTS' | 'PAY_NOW' | readonly ('INSTALLMENTS' | 'PAY_NOW')[] | undefined;
      terms?: string | readonly string[] | undefined;
      issuingBank?: string | readonly string[] | undefined;
      createdAtFrom?: string | undefined;
      createdAtTo?: string | undefined;
      operationCode?: string | readonly string[] | undefined;
      search?: string | undefined;
    } | undefined;
    answers: {
      /** A page of payments with an outcome. */
      200: {
        data: readonly PartnerPayment[];
        pagination: {
          limit: number;
          offset: number;
          count: number;
        };
      };
    };
    refusals:
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** List the promotions that the sales partner sponsors, newest first. */
  listPartnerPromotions: {
    query?: {
      limit?: number | undefined;
      offset?: number | undefined;
      status?: 'PENDING' | 'SCHEDULED' | 'ACTIVE' | 'ENDED' | readonly ('PENDING' | 'SCHEDULED' | 'ACTIVE' | 'ENDED')[] | undefined;
      organizationId?: string | readonly string[] | undefined;
    } | undefined;
    answers: {
      /** A page of promotions. */
      200: {
        data: readonly PartnerPromotion[];
        pagination: {
          limit: number;
          offset: number;
          count: number;
        };
      };
    };
    refusals:
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Read a promotion that the sales partner sponsors. */
  readPartnerPromotion: {
    params: {
      id: string;
    };
    answers: {
      /** The promotion. */
      200: PartnerPromotion;
    };
    refusals:
      | 'VALIDATION_ERROR'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** Accept a promotion, whose fee discount the sales partner then bears. */
  acceptPromotion: {
    params: {
      id: string;
    };
    body?: Readonly<Record<string, never>>;
    answers: {
      /** Accepted, also where it was accepted before. */
      200: PartnerPromotion;
    };
    refusals:
      | 'PROMOTION_ENDED'
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'FACTOR_NEEDED'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
  /** End a promotion that the sales partner sponsors, for good. */
  endPartnerPromotion: {
    params: {
      id: string;
    };
    body?: Readonly<Record<string, never>>;
    answers: {
      /** ENDED, also where it had ended before. */
      200: PartnerPromotion;
    };
    refusals:
      | 'VALIDATION_ERROR'
      | 'REQUEST_TIMEOUT'
      | 'BODY_TOO_LARGE'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'UNAUTHORIZED'
      | 'FORBIDDEN'
      | 'NOT_IMPLEMENTED'
      | 'BAD_GATEWAY'
      | 'GATEWAY_TIMEOUT'
      | 'INTERNAL_ERROR'
      | 'SERVICE_UNAVAILABLE';
  };
}

export type RouteName = keyof Routes;

/** How each route is called; and whether a repetition does nothing more, and answers the same. */
export const routes: Readonly<Record<RouteName, { method: string; path: string; repeatable: boolean }>> = {
  createBranch: { method: 'POST', path: '/business-store-branch', repeatable: false },
  listBranches: { method: 'GET', path: '/business-store-branch', repeatable: false },
  getBranch: { method: 'GET', path: '/business-store-branch/{id}', repeatable: false },
  changeBranch: { method: 'PATCH', path: '/business-store-branch/{id}', repeatable: true },
  readDeveloperOrganization: { method: 'GET', path: '/developer/v1/organization', repeatable: false },
  listDeveloperPayments: { method: 'GET', path: '/developer/v1/payment', repeatable: false },
  listDeveloperPaymentLinks: { method: 'GET', path: '/developer/v1/payment-link', repeatable: false },
  readDeveloperPaymentLink: { method: 'GET', path: '/developer/v1/payment-link/{id}', repeatable: false },
  listDeveloperPaymentMethods: { method: 'GET', path: '/developer/v1/payment-method', repeatable: false },
  readDeveloperPaymentMethod: { method: 'GET', path: '/developer/v1/payment-method/{id}', repeatable: false },
  readDeveloperPayment: { method: 'GET', path: '/developer/v1/payment/{id}', repeatable: false },
  listDeveloperProducts: { method: 'GET', path: '/developer/v1/product', repeatable: false },
  readDeveloperProduct: { method: 'GET', path: '/developer/v1/product/{id}', repeatable: false },
  listDeveloperPromotions: { method: 'GET', path: '/developer/v1/promotion', repeatable: false },
  readDeveloperPromotion: { method: 'GET', path: '/developer/v1/promotion/{id}', repeatable: false },
  listDeveloperSalespeople: { method: 'GET', path: '/developer/v1/salesperson', repeatable: false },
  readDeveloperSalesperson: { method: 'GET', path: '/developer/v1/salesperson/{id}', repeatable: false },
  listDeveloperSubscriptions: { method: 'GET', path: '/developer/v1/subscription', repeatable: false },
  readDeveloperSubscription: { method: 'GET', path: '/developer/v1/subscription/{id}', repeatable: false },
  listEvents: { method: 'GET', path: '/event', repeatable: false },
  readEvent: { method: 'GET', path: '/event/{id}', repeatable: false },
  listFeeChannels: { method: 'GET', path: '/fee-channel', repeatable: false },
  createOneTimePayment: { method: 'POST', path: '/one-time-payment', repeatable: false },
  listOneTimePayments: { method: 'GET', path: '/one-time-payment', repeatable: false },
  viewOneTimePayment: { method: 'GET', path: '/one-time-payment/{id}', repeatable: false },
  cancelOneTimePayment: { method: 'PATCH', path: '/one-time-payment/{id}/cancel', repeatable: true },
  payOneTimePayment: { method: 'POST', path: '/one-time-payment/{id}/payment', repeatable: false },
  readOneTimePayment: { method: 'GET', path: '/one-time-payment/{id}/record', repeatable: false },
  refundOneTimePayment: { method: 'POST', path: '/one-time-payment/{id}/refund', repeatable: false },
  getOrganization: { method: 'GET', path: '/organization', repeatable: false },
  changeOrganization: { method: 'PATCH', path: '/organization', repeatable: true },
  createPaymentIntent: { method: 'POST', path: '/payment-intent', repeatable: false },
  listPaymentIntents: { method: 'GET', path: '/payment-intent', repeatable: false },
  getPaymentIntent: { method: 'GET', path: '/payment-intent/{id}', repeatable: false },
  cancelPaymentIntent: { method: 'POST', path: '/payment-intent/{id}/cancel', repeatable: true },
  refundPaymentIntent: { method: 'POST', path: '/payment-intent/{id}/refund', repeatable: false },
  createPaymentLink: { method: 'POST', path: '/payment-link', repeatable: false },
  listPaymentLinks: { method: 'GET', path: '/payment-link', repeatable: false },
  getPaymentLink: { method: 'GET', path: '/payment-link/{id}', repeatable: false },
  changePaymentLink: { method: 'PATCH', path: '/payment-link/{id}', repeatable: true },
  readLinkAttempt: { method: 'GET', path: '/payment-link/{id}/attempt/{attemptId}', repeatable: false },
  viewPaymentLink: { method: 'GET', path: '/payment-link/{id}/checkout', repeatable: false },
  payPaymentLink: { method: 'POST', path: '/payment-link/{id}/payment', repeatable: false },
  listLinkPayments: { method: 'GET', path: '/payment-link/{id}/payment', repeatable: false },
  refundLinkPayment: { method: 'POST', path: '/payment-link/{id}/payment/{paymentId}/refund', repeatable: false },
  savePaymentMethod: { method: 'POST', path: '/payment-method', repeatable: false },
  listPaymentMethods: { method: 'GET', path: '/payment-method', repeatable: false },
  getPaymentMethod: { method: 'GET', path: '/payment-method/{id}', repeatable: false },
  revokePaymentMethod: { method: 'DELETE', path: '/payment-method/{id}', repeatable: true },
  chargePaymentMethod: { method: 'POST', path: '/payment-method/{id}/payment', repeatable: false },
  listPayments: { method: 'GET', path: '/payment-method/{id}/payment', repeatable: false },
  getPayment: { method: 'GET', path: '/payment-method/{id}/payment/{paymentId}', repeatable: false },
  captureHold: { method: 'POST', path: '/payment-method/{id}/payment/{paymentId}/capture', repeatable: false },
  refundPayment: { method: 'POST', path: '/payment-method/{id}/payment/{paymentId}/refund', repeatable: false },
  releaseHold: { method: 'POST', path: '/payment-method/{id}/payment/{paymentId}/release', repeatable: true },
  readPaymentTimeline: { method: 'GET', path: '/payment/{id}/timeline', repeatable: false },
  listPendingPayments: { method: 'GET', path: '/payment/pending', repeatable: false },
  createProduct: { method: 'POST', path: '/product', repeatable: false },
  listProducts: { method: 'GET', path: '/product', repeatable: false },
  getProduct: { method: 'GET', path: '/product/{id}', repeatable: false },
  changeProduct: { method: 'PATCH', path: '/product/{id}', repeatable: true },
  changeStock: { method: 'POST', path: '/product/{id}/stock', repeatable: false },
  createPromotion: { method: 'POST', path: '/promotion', repeatable: false },
  listPromotions: { method: 'GET', path: '/promotion', repeatable: false },
  getPromotion: { method: 'GET', path: '/promotion/{id}', repeatable: false },
  endPromotion: { method: 'POST', path: '/promotion/{id}/end', repeatable: true },
  reportBankSettlement: { method: 'GET', path: '/report/bank-settlement', repeatable: false },
  reportDays: { method: 'GET', path: '/report/day', repeatable: false },
  reportHolds: { method: 'GET', path: '/report/hold', repeatable: false },
  reportPayments: { method: 'GET', path: '/report/payment', repeatable: false },
  explainDisbursement: { method: 'GET', path: '/report/payment/{id}/disbursement', repeatable: false },
  reportSettlement: { method: 'GET', path: '/report/settlement', repeatable: false },
  reportTakings: { method: 'GET', path: '/report/takings', repeatable: false },
  createSalesperson: { method: 'POST', path: '/salesperson', repeatable: true },
  listSalespeople: { method: 'GET', path: '/salesperson', repeatable: false },
  getSalesperson: { method: 'GET', path: '/salesperson/{id}', repeatable: false },
  changeSalesperson: { method: 'PATCH', path: '/salesperson/{id}', repeatable: true },
  createSubscription: { method: 'POST', path: '/subscription', repeatable: false },
  listSubscriptions: { method: 'GET', path: '/subscription', repeatable: false },
  getSubscription: { method: 'GET', path: '/subscription/{id}', repeatable: false },
  changeSubscription: { method: 'PATCH', path: '/subscription/{id}', repeatable: true },
  cancelSubscription: { method: 'POST', path: '/subscription/{id}/cancel', repeatable: true },
  pauseSubscription: { method: 'POST', path: '/subscription/{id}/pause', repeatable: true },
  listSubscriptionPeriods: { method: 'GET', path: '/subscription/{id}/period', repeatable: false },
  chargeSubscriptionPeriod: { method: 'POST', path: '/subscription/{id}/period/{number}/charge', repeatable: false },
  resumeSubscription: { method: 'POST', path: '/subscription/{id}/resume', repeatable: true },
  listTerminals: { method: 'GET', path: '/terminal', repeatable: false },
  askPaymentIntent: { method: 'GET', path: '/terminal/v1/payment-intent/{id}', repeatable: false },
  declinePaymentIntent: { method: 'POST', path: '/terminal/v1/payment-intent/{id}/decline', repeatable: true },
  payPaymentIntent: { method: 'POST', path: '/terminal/v1/payment-intent/{id}/payment', repeatable: false },
  nextPaymentIntent: { method: 'GET', path: '/terminal/v1/payment-intent/next', repeatable: false },
  createWebhookEndpoint: { method: 'POST', path: '/webhook-endpoint', repeatable: false },
  listWebhookEndpoints: { method: 'GET', path: '/webhook-endpoint', repeatable: false },
  getWebhookEndpoint: { method: 'GET', path: '/webhook-endpoint/{id}', repeatable: false },
  changeWebhookEndpoint: { method: 'PATCH', path: '/webhook-endpoint/{id}', repeatable: true },
  deleteWebhookEndpoint: { method: 'DELETE', path: '/webhook-endpoint/{id}', repeatable: false },
  listDeliveries: { method: 'GET', path: '/webhook-endpoint/{id}/delivery', repeatable: false },
  resendDelivery: { method: 'POST', path: '/webhook-endpoint/{id}/delivery/{deliveryId}/resend', repeatable: false },
  replayEvents: { method: 'POST', path: '/webhook-endpoint/{id}/replay', repeatable: false },
  turnWebhookSecret: { method: 'POST', path: '/webhook-endpoint/{id}/secret', repeatable: false },
  testWebhookEndpoint: { method: 'POST', path: '/webhook-endpoint/{id}/test', repeatable: false },
  listPartnerEvents: { method: 'GET', path: '/developer/event', repeatable: false },
  listPartnerPayments: { method: 'GET', path: '/developer/payment', repeatable: false },
  listPartnerPromotions: { method: 'GET', path: '/developer/promotion', repeatable: false },
  readPartnerPromotion: { method: 'GET', path: '/developer/promotion/{id}', repeatable: false },
  acceptPromotion: { method: 'POST', path: '/developer/promotion/{id}/accept', repeatable: true },
  endPartnerPromotion: { method: 'POST', path: '/developer/promotion/{id}/end', repeatable: true },
};

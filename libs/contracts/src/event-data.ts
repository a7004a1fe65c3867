import { z } from 'zod';
import { acquirerInEvents } from './acquirer-name.ts';
import { centavos } from './amount.ts';
import { installmentTerms } from './one-time-payments.ts';
import { type FieldValues, paymentFields, rates, shapesInEvents } from './payment-fields.ts';
import { paymentLink } from './payment-links.ts';
import { entryModes } from './payment-methods.ts';
import { paymentStatuses } from './payments.ts';
import { product } from './products.ts';
import { promotion } from './promotions.ts';
import { salespersonStatuses } from './salespeople.ts';
import { subscription } from './subscriptions.ts';
import { instant, textOrNull } from './text.ts';

const id = z.uuid();
const idOrNull = id.nullable();

/** The bank's answer: its reference, time, authorization code and text. */
const transaction = z.object({
  bankReference: textOrNull,
  authCode: textOrNull,
  resultCode: textOrNull,
  rawResponseText: textOrNull,
  authResult: z.enum(['APPROVED', 'DECLINED', 'NOT_PROCESSED']),
  createdAt: instant,
});

/** When the network lets go of a hold's money. Null if the acquirer gives no time, and in an event of release 0.1. */
const captureBefore = instant.nullable().default(null);

const paymentFacts = z.object({ paymentId: id, organizationId: id, ...shapesInEvents, transaction });

const ofPayment = { paymentId: id, organizationId: id };

const organization = z.object({
  organizationId: id,
  name: z.string(),
  websiteURL: textOrNull,
  partnerId: id.nullable(),
  partnerName: textOrNull.optional(),
  /** The colour of the organization's checkout page, as #rrggbb. */
  color: textOrNull.optional(),
});

const paymentMethod = z.object({
  paymentMethodId: id,
  organizationId: id,
  lastFourDigits: z.string(),
  network: z.string(),
  externalId: textOrNull.default(null),
  /** Null in an event of release 0.1. */
  createdAt: instant.nullable().default(null),
});

/** A refunded payment, as it was after its making and capture. */
const refundedPayment = z.object({
  ...shapesInEvents,
  heldAmount: centavos.nullable(),
  heldAt: instant.nullable(),
  holdExpiresAt: instant.nullable(),
  captureBefore,
  capturedAt: instant.nullable(),
  /** Null if it was a hold. */
  confirmedAt: instant.nullable(),
});

/** How a one-time payment ended, with the facts that merchants are shown. */
const linkEnded = z.object({
  oneTimePaymentId: id,
  organizationId: id,
  amount: centavos,
  currency: z.literal('MXN'),
  description: z.string(),
  externalId: textOrNull,
  expiresAt: instant,
  redirectUrl: textOrNull,
  homepageUrl: textOrNull,
  allowedTerms: z.array(z.literal(installmentTerms)),
  billing: paymentFields.billing.is,
  createdAt: instant,
  endedAt: instant,
});

/** A payment link as its merchant is shown it, without its page's address, which only payments knows. */
const linkShown = z.object(paymentLink.omit({ checkoutUrl: true }).shape);
const ofPromotion = { promotionId: id, organizationId: id, promotion: z.object(promotion.shape) };

/** The facts of an intent that merchants are shown. */
const intent = z.object({
  amount: centavos,
  currency: z.literal('MXN'),
  externalId: z.string(),
  redirectAppId: textOrNull,
  terminalId: idOrNull,
  createdAt: instant,
  expiresAt: instant,
  /** The latest payment made for it. */
  payment: z.object({ id, status: z.enum(paymentStatuses), operationCode: z.int() }).nullable(),
});

const ofIntent = { paymentIntentId: id, organizationId: id };
/** How an intent ended. `intent` is null in an event of release 0.1. */
const intentEnded = { ...ofIntent, intent: intent.nullable().default(null) };

/**
 * A card was presented for an intent. payments charges it once, under the given paymentId, and answers with exactly one
 * PaymentConfirmed or PaymentDeclined.
 */
const intentPayment = z.object({
  ...ofIntent,
  paymentId: id,
  terminalId: id,
  salespersonId: idOrNull,
  branchId: idOrNull,
  /** Names at the time of the tap. Null in an event of release 0.1. */
  salespersonName: textOrNull.default(null),
  salespersonUsername: textOrNull.default(null),
  branchName: textOrNull.default(null),
  amount: centavos,
  currency: z.literal('MXN'),
  terms: z.int().min(1),
  card: z.object({ lastFourDigits: z.string(), network: z.string(), entryMode: z.enum(entryModes) }),
  /** The acquirer that gave the token. */
  acquirer: acquirerInEvents,
  /** The vault's single-use token and what the vault says about the card, sealed with TAP_KEY for this paymentId. */
  sealedCard: z.base64(),
  /** Real time. After it nothing is sent to the bank. */
  chargeBefore: instant,
});

/** Each event holds the whole record as it is now, from its registration on. */
const terminal = z.object({
  terminalId: id,
  organizationId: id,
  serialNumber: z.string(),
  branchId: idOrNull,
  salespersonId: idOrNull,
});
const branch = z.object({ branchId: id, organizationId: id, name: z.string() });
const salesperson = z.object({
  salespersonId: id,
  organizationId: id,
  name: z.string(),
  username: z.string(),
  status: z.enum(salespersonStatuses).default('ACTIVE'),
  branchId: idOrNull.default(null),
});

/** `created`, `cancelled` and `completed` happen once, the others once a period. */
const subscriptionChanges = [
  'created',
  'renewing',
  'renewed',
  'past_due',
  'recovered',
  'cancelled',
  'completed',
] as const;
export type SubscriptionChange = (typeof subscriptionChanges)[number];

/** What happened to a subscription, and the subscription as its merchant sees it afterwards. */
const subscriptionChange = z.object({
  subscriptionId: id,
  organizationId: id,
  change: z.enum(subscriptionChanges),
  /** The period of a change that recurs; null for other changes. */
  periodNumber: z.int().nullable(),
  subscription: z.object(subscription.shape),
});

/** A merchant's key has an organizationId, a sales partner's key a partnerId; the other one is null. */
const apiKey = z.object({
  keyId: id,
  organizationId: idOrNull,
  partnerId: idOrNull,
  lastFour: z.string(),
  /** The person who made or revoked it; null if an operator did. */
  personId: idOrNull,
});

/** Every event: its producer, the version of its data's shape, and that shape. Amounts are centavos; in objects for merchants, pesos. */
export const eventData = {
  OrganizationRegistered: { source: '/gateway', version: 1, data: organization },
  OrganizationChanged: { source: '/gateway', version: 1, data: organization },
  KeyCreated: { source: '/gateway', version: 1, data: apiKey.extend({ createdAt: instant }) },
  /** The key ends at `endsAt`, which may be later than the event. */
  KeyRevoked: { source: '/gateway', version: 1, data: apiKey.extend({ endsAt: instant }) },
  PaymentMethodSaved: { source: '/payments', version: 1, data: paymentMethod.extend({ savedAt: instant }) },
  PaymentMethodRevoked: { source: '/payments', version: 1, data: paymentMethod.extend({ revokedAt: instant }) },
  PaymentMethodExpired: { source: '/payments', version: 1, data: paymentMethod.extend({ expiredAt: instant }) },
  OneTimePaymentPaid: { source: '/payments', version: 1, data: linkEnded },
  OneTimePaymentCancelled: { source: '/payments', version: 1, data: linkEnded },
  OneTimePaymentExpired: { source: '/payments', version: 1, data: linkEnded },
  /** All of its maxPayments are paid, so that none can become free again. */
  PaymentLinkSoldOut: {
    source: '/payments',
    version: 1,
    data: z.object({
      paymentLinkId: id,
      organizationId: id,
      maxPayments: z.int(),
      soldOutAt: instant,
      link: linkShown,
    }),
  },
  /** No unit is left, and no payment can give one back. */
  ProductOutOfStock: {
    source: '/payments',
    version: 1,
    data: z.object({
      productId: id,
      organizationId: id,
      unitsSold: z.int(),
      outOfStockAt: instant,
      product: z.object(product.shape),
    }),
  },
  PromotionAccepted: { source: '/payments', version: 1, data: z.object({ ...ofPromotion, acceptedAt: instant }) },
  /** Ended by its merchant, its sponsor, an operator or the clock. */
  PromotionEnded: { source: '/payments', version: 1, data: z.object({ ...ofPromotion, endedAt: instant }) },
  SubscriptionChanged: { source: '/payments', version: 1, data: subscriptionChange },
  PaymentConfirmed: { source: '/payments', version: 1, data: paymentFacts.extend({ confirmedAt: instant }) },
  PaymentDeclined: {
    source: '/payments',
    version: 1,
    data: paymentFacts.extend({ declinedAt: instant, declineCode: z.string() }),
  },
  PaymentRefunded: {
    source: '/payments',
    version: 1,
    data: z.object({
      ...ofPayment,
      paymentIntentId: idOrNull.default(null),
      amount: centavos,
      refundedAt: instant,
      reason: textOrNull,
      transaction,
      /** Null in an event of release 0.1. */
      payment: refundedPayment.nullable().default(null),
    }),
  },
  HoldPlaced: { source: '/payments', version: 1, data: paymentFacts.extend({ heldAt: instant, captureBefore }) },
  /** The hold's last 24 hours have begun. */
  HoldEnding: { source: '/holds', version: 1, data: z.object({ ...ofPayment, endsAt: instant, noticedAt: instant }) },
  HoldCaptured: {
    source: '/holds',
    version: 1,
    data: z.object({ ...ofPayment, amount: centavos, capturedAt: instant, rates, transaction }),
  },
  HoldReleased: { source: '/holds', version: 1, data: z.object({ ...ofPayment, releasedAt: instant }) },
  HoldExpired: { source: '/holds', version: 1, data: z.object({ ...ofPayment, releasedAt: instant }) },
  IntentPaymentRequested: { source: '/intents', version: 1, data: intentPayment },
  IntentSuperseded: {
    source: '/intents',
    version: 1,
    data: z.object({ ...intentEnded, terminalId: id, supersededBy: id, supersededAt: instant }),
  },
  IntentConfirmed: { source: '/intents', version: 1, data: z.object({ ...intentEnded, confirmedAt: instant }) },
  IntentCancelled: {
    source: '/intents',
    version: 1,
    data: z.object({
      ...intentEnded,
      /** Null if release 0.1 cancelled the intent and its event is published again. */
      cancelledBy: z.enum(['MERCHANT', 'TERMINAL']).nullable(),
      reason: textOrNull,
      cancelledAt: instant,
    }),
  },
  IntentExpired: { source: '/intents', version: 1, data: z.object({ ...intentEnded, expiredAt: instant }) },
  TerminalChanged: { source: '/intents', version: 1, data: terminal },
  BranchChanged: { source: '/intents', version: 1, data: branch },
  SalespersonChanged: { source: '/intents', version: 1, data: salesperson },
} as const;

export type EventType = keyof typeof eventData;
export type PaymentFacts = z.output<typeof paymentFacts>;
export type BankTransaction = z.output<typeof transaction>;
/** A bank transaction as a jsonb column keeps it. */
export type StoredBankTransaction = z.input<typeof transaction>;
/** Decodes a stored transaction, whose time becomes a Date. */
export const readTransaction = (stored: StoredBankTransaction): BankTransaction => transaction.parse(stored);
/** A bank transaction as a row keeps it. */
export const storedTransaction = ({ createdAt, ...said }: BankTransaction): StoredBankTransaction => ({
  ...said,
  createdAt: createdAt.toISOString(),
});
export type BillingFacts = NonNullable<FieldValues['billing']>;

import { z } from 'zod';
import { amount, currency } from './amount.ts';
import { distinct, shownMerchant, webAddress } from './checkout.ts';
import { uuid } from './ids.ts';
import { offsetPage } from './paging.ts';
import { paymentSummary } from './payments.ts';
import { billingInformation, cardInput, payerInformation } from './payment-methods.ts';
import { attributedSalesperson } from './salespeople.ts';
import { dateTime, externalId, optional, requiredText, textOrNull, time } from './text.ts';

const oneTimePaymentStatuses = ['PENDING', 'CONFIRMED', 'CANCELLED'] as const;

/** Numbers of monthly installments that a link may offer; 1 is a single payment. */
export const installmentTerms = [1, 3, 6, 9, 12] as const;
const terms = z.literal(installmentTerms, { error: `must be one of ${installmentTerms.join(', ')}` });

export const MOST_DAYS = 30;
export const EXPIRES_AT_RULE = `must be in the future, and within ${MOST_DAYS} days`;
export const ALLOWED_TERMS_RULE = 'must be one of those that the one-time payment allows';

/** Body of POST /one-time-payment. `amount` comes out in centavos. */
export const oneTimePaymentBody = z.strictObject({
  amount,
  currency: optional(currency),
  description: requiredText(500),
  externalId,
  expiresAt: optional(dateTime(EXPIRES_AT_RULE)),
  redirectUrl: optional(webAddress),
  homepageUrl: optional(webAddress),
  allowedTerms: optional(distinct(terms)),
  billingInformation: optional(billingInformation),
  salespersonId: optional(uuid),
});

/** Query of GET /one-time-payment. */
export const oneTimePaymentQuery = z.strictObject({
  ...offsetPage,
  status: z.enum(oneTimePaymentStatuses).optional(),
  currency: currency.optional(),
});

const shownBilling = z.strictObject({
  email: textOrNull,
  firstName: textOrNull,
  lastName: textOrNull,
  phoneNumber: textOrNull,
  address: z.strictObject({ addressLine: textOrNull, city: textOrNull, state: textOrNull, zip: textOrNull }),
});

/** Item of the merchant's list. `amount` in MXN pesos; `expiresAt` is when it can no longer be paid. */
export const oneTimePayment = z
  .strictObject({
    id: z.uuid(),
    status: z.enum(oneTimePaymentStatuses),
    description: z.string(),
    amount: z.number(),
    currency: z.literal('MXN'),
    externalId: textOrNull,
    expiresAt: time,
    redirectUrl: textOrNull,
    homepageUrl: textOrNull,
    allowedTerms: z.array(terms),
    createdAt: time,
    updatedAt: time,
    billingInformation: shownBilling.nullable(),
  })
  .meta({ id: 'OneTimePayment' });

/** Answer of the creation: the list item and the address of its page. */
export const createdOneTimePayment = z.strictObject({ ...oneTimePayment.shape, checkoutUrl: z.url() });

/** Answer of the record, for its merchant alone. `payment` is the payment that paid it, or null. */
export const oneTimePaymentRecord = z.strictObject({
  ...createdOneTimePayment.shape,
  expired: z
    .boolean()
    .meta({ description: 'Whether it can no longer be paid because of the time, whatever its status.' }),
  payment: paymentSummary.nullable(),
  salesperson: attributedSalesperson.nullable(),
});
export type OneTimePaymentRecord = z.output<typeof oneTimePaymentRecord>;

/** Answer of the cancellation. */
export const cancelledOneTimePayment = oneTimePayment.pick({
  id: true,
  status: true,
  description: true,
  amount: true,
  currency: true,
  externalId: true,
  expiresAt: true,
  createdAt: true,
  updatedAt: true,
});

/** What anybody with the id may see while it can be paid. */
const payableView = z.strictObject({
  status: z.literal('PENDING'),
  expired: z.literal(false),
  id: z.uuid(),
  amount: z.number(),
  currency: z.literal('MXN'),
  expiresAt: time,
  homepageUrl: textOrNull,
  organization: shownMerchant,
});

/** What anybody with the id may see once it is paid, cancelled or expired. */
const closedView = z.strictObject({
  id: z.uuid(),
  status: z.enum(oneTimePaymentStatuses),
  expired: z.boolean(),
  homepageUrl: textOrNull,
  organization: shownMerchant,
});

export const publicCheckoutView = z.union([payableView, closedView]);

export type OneTimePayment = z.output<typeof oneTimePayment>;
export type PublicCheckoutView = z.output<typeof publicCheckoutView>;

/** Body of the public POST /one-time-payment/{id}/payment. */
export const oneTimePaymentAttemptBody = z.strictObject({
  card: cardInput,
  terms: optional(terms.meta({ description: ALLOWED_TERMS_RULE })),
  billingInformation: payerInformation,
});

/** Answer of an attempt that was approved. */
export const paidOneTimePayment = z.strictObject({
  id: z.uuid(),
  status: z.literal('CONFIRMED'),
  amount: z.number(),
  currency: z.literal('MXN'),
  operationCode: z.int(),
  redirectUrl: textOrNull,
});

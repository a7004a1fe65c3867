import { z } from 'zod';
import { amount, currency } from './amount.ts';
import { distinct, shownMerchant, webAddress } from './checkout.ts';
import { uuid } from './ids.ts';
import { offsetPage } from './paging.ts';
import { paymentStatuses } from './payments.ts';
import { cardInput, payerInformation } from './payment-methods.ts';
import { terms } from './offered-terms.ts';
import { attributedSalesperson } from './salespeople.ts';
import { dateTime, externalId, optional, requiredText, textOrNull, time } from './text.ts';
import { wholeNumberFrom } from './whole-number.ts';

/** The first that applies: a link that is switched off and has expired is INACTIVE. */
export const paymentLinkStatuses = ['INACTIVE', 'EXPIRED', 'SOLD_OUT', 'ACTIVE'] as const;

export const LINK_EXPIRES_AT_RULE = 'must be in the future';
export const LINK_TERMS_RULE = 'must be one of those that the payment link allows';
export const AMOUNT_OR_PRODUCT_RULE = 'give either amount or productId';
export const PRICE_OF_PRODUCT_RULE = 'is the price of the product';
export const DESCRIPTION_RULE = 'is required without productId';

const changeable = {
  allowedTerms: optional(distinct(terms)),
  maxPayments: optional(wholeNumberFrom(1, 1_000_000)),
  expiresAt: optional(dateTime(LINK_EXPIRES_AT_RULE)),
  redirectUrl: optional(webAddress),
  homepageUrl: optional(webAddress),
};

/** Body of POST /payment-link. `amount` comes out in centavos. */
export const paymentLinkBody = z.strictObject({
  amount: optional(amount.meta({ description: AMOUNT_OR_PRODUCT_RULE })),
  productId: optional(uuid.meta({ description: AMOUNT_OR_PRODUCT_RULE })),
  currency: optional(currency),
  description: optional(requiredText(500).meta({ description: DESCRIPTION_RULE })),
  ...changeable,
  salespersonId: optional(uuid),
  externalId,
});
export type PaymentLinkBody = z.output<typeof paymentLinkBody>;

/** Body of PATCH /payment-link/{id}: an absent or null field stays as it is. */
export const paymentLinkChanges = z.strictObject({
  amount: optional(amount.meta({ description: PRICE_OF_PRODUCT_RULE })),
  description: optional(requiredText(500)),
  ...changeable,
  active: optional(z.boolean({ error: 'must be true or false' })),
});

/** The most links of one status that are counted. */
export const COUNTED_LINKS = 10_000;
export const LINK_PAGE_RULE = `must be within the first ${COUNTED_LINKS} links where status is given`;

/** Query of GET /payment-link. */
export const paymentLinkQuery = z.strictObject({
  page: offsetPage.page.meta({ description: LINK_PAGE_RULE }),
  pageSize: offsetPage.pageSize,
  status: z.enum(paymentLinkStatuses).optional(),
});

/** A payment link as its merchant sees it. `amount` in MXN pesos: the product's price if it has a product. */
export const paymentLink = z
  .strictObject({
    id: z.uuid(),
    status: z.enum(paymentLinkStatuses),
    active: z.boolean().meta({ description: 'Whether the merchant has it switched on.' }),
    description: z.string(),
    amount: z.number(),
    currency: z.literal('MXN'),
    product: z.strictObject({ id: z.uuid(), name: z.string() }).nullable(),
    allowedTerms: z.array(terms),
    maxPayments: z.int().nullable(),
    paymentsCount: z.int().meta({ description: 'Its payments that are PENDING, CONFIRMED or REFUNDED.' }),
    expiresAt: time.nullable(),
    redirectUrl: textOrNull,
    homepageUrl: textOrNull,
    salesperson: attributedSalesperson.nullable(),
    externalId: textOrNull,
    checkoutUrl: z.url(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'PaymentLink' });
export type PaymentLink = z.output<typeof paymentLink>;

/** What anybody with the id may see while it can be paid. */
const payableView = z.strictObject({
  id: z.uuid(),
  status: z.literal('ACTIVE'),
  description: z.string(),
  amount: z.number(),
  currency: z.literal('MXN'),
  allowedTerms: z.array(terms),
  expiresAt: time.nullable(),
  homepageUrl: textOrNull,
  organization: shownMerchant,
});

/** What anybody with the id may see while it cannot be paid. */
const closedView = z.strictObject({
  id: z.uuid(),
  status: z.enum(['INACTIVE', 'EXPIRED', 'SOLD_OUT']),
  homepageUrl: textOrNull,
  organization: shownMerchant,
});

export const paymentLinkCheckout = z.union([payableView, closedView]);
export type PaymentLinkCheckout = z.output<typeof paymentLinkCheckout>;

/** Body of the public POST /payment-link/{id}/payment. `amount` is what the payer saw. */
export const linkPaymentBody = z.strictObject({
  attemptId: uuid,
  amount,
  card: cardInput,
  terms: optional(terms.meta({ description: LINK_TERMS_RULE })),
  billingInformation: payerInformation,
});

/** A payment as its payer sees it. */
export const linkPayment = z
  .strictObject({
    id: z.uuid(),
    status: z.enum(paymentStatuses),
    amount: z.number(),
    currency: z.literal('MXN'),
    operationCode: z.int(),
    redirectUrl: textOrNull,
  })
  .meta({ id: 'LinkPayment' });
export type LinkPayment = z.output<typeof linkPayment>;

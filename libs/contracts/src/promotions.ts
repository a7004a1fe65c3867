import { z } from 'zod';
import { amount } from './amount.ts';
import { oneOf } from './developer-lists.ts';
import { eachOnce } from './each-once.ts';
import { comparedUuid, uuid } from './ids.ts';
import { terms } from './offered-terms.ts';
import { limit, offset, offsetPage, repeatable } from './paging.ts';
import { paymentTypes } from './payment-fields.ts';
import { percentUpTo } from './percent.ts';
import { wholeNumberFrom } from './whole-number.ts';
import { dateTime, externalId, optional, requiredText, textOrNull, time } from './text.ts';

export const promotionStatuses = ['PENDING', 'SCHEDULED', 'ACTIVE', 'ENDED'] as const;
export const cardNetworks = ['VISA', 'MASTERCARD', 'AMEX', 'CARNET'] as const;

/** The most promotions of one organization; more are refused. */
export const MOST_PROMOTIONS = 50;
const MOST_PAYMENTS = 1_000_000;
export const ENDS_AT_RULE = 'must be in the future, and after startsAt';
const NOTHING_GIVEN = 'must be above 0 where businessTake is not';

/** Values to which it applies. An empty list means any. */
const listOf = <S extends z.ZodType<string | number>>(one: S) =>
  eachOnce(one).max(100, { error: 'must name 100 at most' });

/** Body of POST /promotion. Percent comes out in basis points, `minimumAmount` in centavos. */
export const promotionBody = z
  .strictObject({
    name: requiredText(255),
    feeDiscount: optional(percentUpTo(20).meta({ description: NOTHING_GIVEN })),
    businessTake: optional(percentUpTo(50)),
    terms: listOf(terms),
    types: optional(listOf(oneOf(paymentTypes))),
    networks: optional(listOf(oneOf(cardNetworks))),
    issuingBanks: optional(listOf(requiredText(255))),
    productIds: optional(listOf(uuid)),
    minimumAmount: optional(amount),
    maxPayments: optional(wholeNumberFrom(1, MOST_PAYMENTS)),
    startsAt: dateTime(),
    endsAt: dateTime(ENDS_AT_RULE),
    externalId,
  })
  .refine(({ feeDiscount = 0, businessTake = 0 }) => feeDiscount + businessTake > 0, {
    path: ['feeDiscount'],
    error: NOTHING_GIVEN,
  });
export type PromotionBody = z.output<typeof promotionBody>;

const status = oneOf(promotionStatuses);

/** Query of GET /promotion. */
export const promotionQuery = z.strictObject({ ...offsetPage, status: status.optional() });

/** Query of the sales partner's GET /developer/promotion. */
export const partnerPromotionQuery = z.strictObject({
  limit,
  offset,
  status: repeatable(status),
  organizationId: repeatable(comparedUuid),
});

const named = z.strictObject({ id: z.uuid(), name: z.string() });

/**
 * Says who bears the fee of some payments, and never changes what the payer pays. `feeDiscount` and `businessTake` are percent (4.5 is
 * 4.5 %), `minimumAmount` is in MXN pesos, `sponsor` is the sales partner.
 */
export const promotion = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    status: z.enum(promotionStatuses),
    feeDiscount: z.number(),
    businessTake: z.number(),
    terms: z.array(z.int()),
    types: z.array(z.enum(paymentTypes)),
    networks: z.array(z.string()),
    issuingBanks: z.array(z.string()),
    productIds: z.array(z.uuid()),
    minimumAmount: z.number().nullable(),
    maxPayments: z.int().nullable(),
    paymentsCount: z.int().min(0),
    sponsor: named,
    startsAt: time,
    endsAt: time,
    externalId: textOrNull,
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Promotion' });
export type ShownPromotion = z.output<typeof promotion>;

/** A promotion as its sponsor sees it. */
export const partnerPromotion = z
  .strictObject({ ...promotion.shape, organization: named })
  .meta({ id: 'PartnerPromotion' });
export type PartnerPromotion = z.output<typeof partnerPromotion>;

import { z } from 'zod';
import { dayOrTime, oneOf } from './developer-lists.ts';
import { financingMethods } from './developer-payments.ts';
import { comparedUuid, uuid } from './ids.ts';
import { limit, offset, repeatable } from './paging.ts';
import { paymentTypes, shapesIn } from './payment-fields.ts';
import { periodicities } from './periodicities.ts';
import { requiredText, textOrNull, time } from './text.ts';

/** The partner sees a hold as PENDING, and a released or expired hold as CANCELLED. */
export const partnerPaymentStatuses = ['PENDING', 'CANCELLED', 'CONFIRMED', 'REFUNDED'] as const;
export type PartnerPaymentStatus = (typeof partnerPaymentStatuses)[number];

const digits = z.string().regex(/^\d{1,14}$/, { error: 'must be digits' });
const terms = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, { error: 'must be a whole number, at least 1' })
  .transform(Number);

/** Matches of `operationCode` or `search` are counted up to this number, and no page begins after it. */
export const COUNTED_MATCHES = 10_000;
const OFFSET_RULE = `must be at most ${COUNTED_MATCHES} together with operationCode or search`;

/**
 * Query of the sales partner's GET /developer/payment. `operationCode` matches a part of the code, or the whole code if it has fewer
 * than four digits; `search` matches a part of the organization's name or a whole amount.
 */
export const partnerPaymentQuery = z
  .strictObject({
    limit,
    offset: offset.meta({ description: OFFSET_RULE }),
    id: repeatable(uuid),
    organizationId: repeatable(comparedUuid),
    status: repeatable(oneOf(partnerPaymentStatuses)),
    type: repeatable(oneOf(paymentTypes)),
    financingMethod: repeatable(oneOf(financingMethods)),
    terms: repeatable(terms),
    issuingBank: repeatable(requiredText(255)),
    createdAtFrom: dayOrTime.optional(),
    createdAtTo: dayOrTime.optional(),
    operationCode: repeatable(digits, 20),
    search: requiredText(255).optional(),
  })
  .refine(
    ({ operationCode, search, ...query }) => !isSearch({ operationCode, search }) || query.offset <= COUNTED_MATCHES,
    {
      path: ['offset'],
      error: OFFSET_RULE,
    },
  );

const isSearch = (query: { operationCode: unknown; search: unknown }) =>
  query.operationCode !== undefined || query.search !== undefined;

export type PartnerPaymentQuery = z.output<typeof partnerPaymentQuery>;

/** Pesos with two decimals: "35.00". */
const decimal = z.string().regex(/^-?\d+\.\d{2}$/);
/** 3.5 is 3.5 %. Null if no fee channel is known. */
const percent = z.number().nullable();

const paymentDisbursement = z.strictObject({
  feePercentage: percent,
  promotionFeeDiscount: percent,
  finalFeePercentageForMerchant: percent,
  finalFeePercentageForManufacturer: percent,
  promotionBusinessTake: percent,
  feeAmount: decimal,
  merchantFeeAmount: decimal,
  manufacturerFeeAmount: decimal,
  merchantIvaFeeAmount: decimal,
  manufacturerIvaFeeAmount: decimal,
  totalFeeIva: decimal,
  promotionTakeAmount: decimal,
  merchantTakeAmount: decimal,
  manufacturerTakeAmount: decimal,
});
export type PaymentDisbursement = z.output<typeof paymentDisbursement>;

/** Item of the sales partner's list. `amount` is in MXN pesos. */
export const partnerPayment = z
  .strictObject({
    id: z.uuid(),
    status: z.enum(partnerPaymentStatuses),
    financingMethod: z.enum(financingMethods),
    operationCode: z.int(),
    amount: z.number(),
    ...shapesIn('partner'),
    periodicity: z.enum(periodicities).nullable(),
    createdAt: time,
    organization: z.strictObject({ id: z.uuid(), name: z.string() }),
    cardInformation: z.strictObject({
      /** Masked: "**** 4242". */
      lastFourDigits: z.string(),
      networkType: z.string(),
      issuingBank: z.string(),
      fundingSource: z.string(),
      entryMode: textOrNull,
    }),
    paymentDisbursement,
    promotionId: z.uuid().nullable().meta({ description: 'The promotion that it carries.' }),
    transaction: z.strictObject({
      bankReference: textOrNull,
      rawResponseText: textOrNull,
      authResult: z.enum(['APPROVED', 'DECLINED', 'NOT_PROCESSED']),
      createdAt: time,
      authCode: textOrNull,
      resultCode: textOrNull,
    }),
    terminal: z.strictObject({ serialNumber: z.string() }).nullable(),
    billingInformation: z.strictObject({
      email: textOrNull,
      firstName: textOrNull,
      lastName: textOrNull,
      phoneNumber: textOrNull,
      address: z.strictObject({ addressLine: textOrNull, city: textOrNull, state: textOrNull, zip: textOrNull }),
    }),
    salesperson: z.strictObject({ id: z.uuid(), name: z.string(), username: z.string() }).nullable(),
    businessStoreBranch: z.strictObject({ id: z.uuid(), name: z.string() }).nullable(),
  })
  .meta({ id: 'PartnerPayment' });
export type PartnerPayment = z.output<typeof partnerPayment>;

export interface PartnerList<T> {
  data: T[];
  pagination: { limit: number; offset: number; count: number };
}

/**
 * Answer of the sales partner's list. `count` is the total number of rows; with `operationCode` or `search` at most COUNTED_MATCHES, and
 * the header `X-Count-Capped: true` says that there are more.
 */
export const partnerListOf = <S extends z.ZodType>(item: S) =>
  z.strictObject({
    data: z.array(item),
    pagination: z.strictObject({ limit: z.int(), offset: z.int(), count: z.int() }),
  });

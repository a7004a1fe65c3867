import { z } from 'zod';
import { acquirerInEvents } from './acquirer-name.ts';
import { centavos } from './amount.ts';
import { periodicities } from './periodicities.ts';
import { instant, textOrNull } from './text.ts';

/** The answers that show fields as kept: a payment to its merchant, the developer list and detail, the partner's list. */
export type Answer = 'merchant' | 'list' | 'detail' | 'partner';

const field = <S extends z.ZodType, const A extends readonly Answer[]>(is: S, ...shownIn: A) => ({
  is,
  shownIn,
  isJson: false,
});
/** A field in a jsonb column. Answers show parts of it. */
const json = <S extends z.ZodType>(is: S) => ({ is, shownIn: [] as const, isJson: true });

export const paymentTypes = ['CARD_PRESENT', 'CARD_NOT_PRESENT'] as const;
const sources = ['SAVED_CARD', 'ONE_TIME_PAYMENT', 'PAYMENT_INTENT', 'PAYMENT_LINK', 'SUBSCRIPTION'] as const;
const idOrNull = z.uuid().nullable();

/** Basis points: 350 is 3.5 %. */
const bps = z.int().min(0).max(10_000);
const ofPromotion = { promotionFeeDiscountBps: bps, promotionBusinessTakeBps: bps };
export const rates = z.object({
  feeBps: bps,
  ...ofPromotion,
  /** The promotion whose discount and take replaced the fee channel's own, kept in `instead`. `isCapped`: it has a maxPayments. */
  promotion: z.object({ id: z.uuid(), isCapped: z.boolean(), instead: z.object(ofPromotion) }).optional(),
});
export type Rates = z.output<typeof rates>;

const card = z.object({
  lastFourDigits: z.string(),
  network: z.string(),
  fundingSource: z.string(),
  issuingBank: z.string(),
  entryMode: textOrNull,
});

const billing = z.object({
  email: textOrNull,
  firstName: textOrNull,
  lastName: textOrNull,
  phoneNumber: textOrNull,
  address: z.object({ addressLine: textOrNull, city: textOrNull, state: textOrNull, zip: textOrNull }).nullable(),
});

/** A JSON number that is a bigint in code, like Postgres's bigint. */
const wholeNumber = z.codec(z.int(), z.bigint(), { decode: (n) => BigInt(n), encode: (n) => Number(n) });

/**
 * The fields of a payment that are known when it is made and never change: for each its type in events, and the answers that show
 * it as kept. payments and reporting have a column for each, the claim writes each except the operation code, events carry each, and
 * holds copies those that merchants are shown. An answer that shows a field in another form (pesos, a masked card) does so in its
 * rules.
 */
export const paymentFields = {
  type: field(z.enum(paymentTypes), 'list', 'detail', 'partner'),
  source: field(z.enum(sources), 'detail'),
  amount: field(centavos),
  currency: field(z.literal('MXN'), 'merchant', 'list', 'detail', 'partner'),
  description: field(textOrNull),
  externalId: field(textOrNull, 'merchant', 'list'),
  createdAt: field(instant),
  operationCode: field(wholeNumber),
  terms: field(z.int().min(1), 'detail', 'partner'),
  /** When the merchant gets the money of a payment in terms. MONTHLY in an event that is older than the field. */
  installments: field(z.enum(['AT_ONCE', 'MONTHLY']).default('MONTHLY')),
  /** The acquirer whose token is charged. All requests about this payment go to it. */
  acquirer: field(acquirerInEvents),
  /** Frozen when the payment is made. Null if no fee channel was found (only for a hold). */
  rates: json(rates.nullable()),
  card: json(card),
  billing: json(billing.nullable()),
  paymentMethodId: field(idOrNull, 'list', 'detail'),
  oneTimePaymentId: field(idOrNull, 'list', 'detail'),
  paymentIntentId: field(idOrNull, 'list', 'detail'),
  paymentLinkId: field(idOrNull, 'list', 'detail'),
  subscriptionId: field(idOrNull, 'list', 'detail'),
  /** How often its subscription is billed. Null without a subscription. */
  periodicity: field(z.enum(periodicities).nullable()),
  /** Terminal, salesperson and branch when the payment was made, with the names of that time. */
  terminalId: field(idOrNull),
  salespersonId: field(idOrNull),
  salespersonName: field(textOrNull),
  salespersonUsername: field(textOrNull),
  branchId: field(idOrNull),
  branchName: field(textOrNull),
};

type Fields = typeof paymentFields;
export type FieldName = keyof Fields;
/** A payment's fields, as code has them. */
export type FieldValues = { [K in FieldName]: z.output<Fields[K]['is']> };
/** The fields that may be null. */
export type NullField = { [K in FieldName]: null extends FieldValues[K] ? K : never }[FieldName];
/** The fields that this answer shows as kept. */
export type ShownIn<A extends Answer> = {
  [K in FieldName]: A extends Fields[K]['shownIn'][number] ? K : never;
}[FieldName];

export const fieldNames = Object.keys(paymentFields) as FieldName[];
const isNullable = (name: FieldName): name is NullField => paymentFields[name].is instanceof z.ZodNullable;
const namesIn = (answer: Answer) =>
  fieldNames.filter((name) => (paymentFields[name].shownIn as readonly Answer[]).includes(answer));
const names = {
  merchant: namesIn('merchant'),
  list: namesIn('list'),
  detail: namesIn('detail'),
  partner: namesIn('partner'),
} as const satisfies Record<Answer, FieldName[]>;

const each = <T>(of: readonly FieldName[], value: (name: FieldName) => T) =>
  Object.fromEntries(of.map((name) => [name, value(name)]));

/** `paymentFields` without these fields. */
export const fieldsBut = <K extends FieldName>(...apart: K[]) =>
  each(
    fieldNames.filter((name) => !(apart as FieldName[]).includes(name)),
    (name) => paymentFields[name],
  ) as Omit<Fields, K>;

/** Null for each field that may be null. */
export const unset = each(fieldNames.filter(isNullable), () => null) as Record<NullField, null>;

/**
 * The fields' shapes in events. A field that may be null may also be absent, because an event may be older than the field. Rates may
 * not: without them a hold could not be captured.
 */
export const shapesInEvents = each(fieldNames, (name) => {
  const { is, isJson }: { is: z.ZodType; isJson: boolean } = paymentFields[name];
  return is instanceof z.ZodNullable && !isJson ? is.default(null) : is;
}) as { [K in FieldName]: Fields[K]['is'] };

/** The shapes of the fields that this answer shows as kept. */
export const shapesIn = <A extends Answer>(answer: A) =>
  each(names[answer], (name) => paymentFields[name].is) as { [K in ShownIn<A>]: Fields[K]['is'] };

/** The fields of this payment that the answer shows as kept. A field that is newer than the kept payment is null. */
export const shownIn = <A extends Answer>(answer: A, payment: Pick<FieldValues, ShownIn<A>>) =>
  each(names[answer], (name) => (payment as Partial<FieldValues>)[name] ?? null) as Pick<FieldValues, ShownIn<A>>;

/** The `paymentFields` of this payment, without its other properties. */
export const fieldsOf = (payment: FieldValues): FieldValues => each(fieldNames, (name) => payment[name]) as FieldValues;

import { z } from 'zod';
import { centavosOf } from './amount.ts';
import { oneOf } from './developer-lists.ts';
import { developerPaymentItem, developerPaymentQuery } from './developer-payments.ts';
import { uuid } from './ids.ts';
import { limit, offset } from './paging.ts';
import { paymentFields } from './payment-fields.ts';
import { text, textOrNull, time } from './text.ts';

/** A day since 2000: Postgres has no year 0, and no payment is older. */
export const wholeDay = z.iso
  .date({ error: 'must be a day (YYYY-MM-DD)', abort: true })
  .refine((day) => day >= '2000-01-01', { error: 'must be 2000-01-01 or later' });

/** The most days of one answer: a month, or what a home page shows. */
export const MOST_DAYS = 31;

export const FROM_RULE = `must be ${MOST_DAYS} days before the end at most`;
export const TO_RULE = 'must not be before from';

/** Query of GET /report/day: days of Mexico City, both included; today by default. */
export const dayQuery = z.strictObject({
  from: wholeDay.meta({ description: FROM_RULE }).optional(),
  to: wholeDay.meta({ description: TO_RULE }).optional(),
});

/** What a decline is due to. OTHER: the bank's code is none that we know. */
export const declineReasons = ['FUNDS', 'CARD', 'BANK', 'OURS', 'OTHER'] as const;
export type DeclineReason = (typeof declineReasons)[number];

const counted = { payments: z.int(), amount: z.number() };

/** One day. Amounts are MXN pesos. */
export const reportedDay = z
  .strictObject({
    day: z.iso.date(),
    ...counted,
    approved: z.int().meta({ description: 'Charges and holds that the bank approved, whatever became of them.' }),
    declined: z.int(),
    approvalRate: z
      .number()
      .nullable()
      .meta({ description: 'Approved of all, from 0 to 1. Null on a day without any.' }),
    declines: z.array(z.strictObject({ reason: z.enum(declineReasons), declineCode: textOrNull, payments: z.int() })),
    fee: z.number(),
    feeIva: z.number(),
    promotionTake: z.number(),
    take: z.number().meta({ description: 'What the merchant gets: amount less fee, IVA and promotion.' }),
    refunds: z.strictObject({ ...counted, take: z.number() }).meta({
      description: 'Refunds made on this day, of whatever day’s payments. They are not taken off the figures above.',
    }),
    hours: z
      .array(z.strictObject({ hour: z.int().min(0).max(23), ...counted }))
      .nullable()
      .meta({ description: 'Of today; null for other days.' }),
  })
  .meta({ id: 'ReportedDay' });
export type ReportedDay = z.output<typeof reportedDay>;

/** Answer of GET /report/day, the earliest day first. */
export const reportedDays = z.strictObject({ days: z.array(reportedDay) });

/** Query of GET /report/takings: a day of Mexico City, today by default. */
export const takingsQuery = z.strictObject({ day: wholeDay.optional() });

const taken = { ...counted, refunds: z.strictObject(counted) };
/** The entry without an id sums payments that name no salesperson, branch or terminal. */
const takenBy = z.array(z.strictObject({ id: z.uuid().nullable(), name: textOrNull, ...taken }));

/** Answer of GET /report/takings. Each list adds up to the day's sums. Pesos; refunds made on the day are not subtracted. */
export const takings = z
  .strictObject({ day: z.iso.date(), ...taken, salespeople: takenBy, branches: takenBy, terminals: takenBy })
  .meta({ id: 'Takings' });
export type Takings = z.output<typeof takings>;

/** Query of GET /report/hold. */
export const holdBoardQuery = z.strictObject({ limit, offset, endsOn: wholeDay.optional() });

/** A hold on the board. */
export const heldPayment = developerPaymentItem
  .extend({ endsAt: time, daysRemaining: z.int().min(0).max(7) })
  .meta({ id: 'HeldPayment' });
export type HeldPayment = z.output<typeof heldPayment>;

/** Answer of GET /report/hold: open holds by the day on which they end, and those that end next. */
export const holdBoard = z
  .strictObject({
    days: z.array(
      z.strictObject({
        endsOn: z.iso.date(),
        daysRemaining: z.int(),
        firstEndsAt: time,
        holds: z.int(),
        amount: z.number(),
      }),
    ),
    holds: z.array(heldPayment),
  })
  .meta({ id: 'HoldBoard' });

/** An amount in a query, `150` or `150.25` pesos, as centavos. */
const queriedAmount = z
  .string()
  .regex(/^\d{1,9}(?:\.\d{1,2})?$/, { error: 'must be an amount like 150 or 150.25' })
  .transform((pesos) => centavosOf(Number(pesos)) ?? 0n);

const filters = {
  source: oneOf(paymentFields.source.is.options).optional(),
  amountFrom: queriedAmount.optional(),
  amountTo: queriedAmount.optional(),
  issuingBank: text(500).optional(),
  terms: z
    .string()
    .regex(/^\d{1,2}$/, { error: 'must be a whole number' })
    .transform(Number)
    .optional(),
  lastFourDigits: z
    .string()
    .regex(/^\d{4}$/, { error: 'must be four digits' })
    .optional(),
  externalId: text(255).optional(),
  email: text(320).optional(),
  settledOn: wholeDay
    .optional()
    .meta({ description: 'Payments whose money moved on this day: of captured holds the day of the capture.' }),
  refundedOn: wholeDay.optional(),
  salespersonId: uuid.optional(),
  branchId: uuid.optional(),
  terminalId: uuid.optional(),
};

/** Query of GET /report/payment: the developer list's query with more filters. */
export const reportQuery = developerPaymentQuery.extend(filters);
export type ReportQuery = z.output<typeof reportQuery>;

/** Query of GET /report/payment.csv: the filters of the list, and the language of the column names, Spanish by default. */
export const exportQuery = reportQuery
  .omit({ limit: true, cursor: true })
  .extend({ language: oneOf(['es', 'en']).optional() });

/** Item of GET /report/payment. Amounts are MXN pesos; the disbursement's amounts are null until money has moved. */
export const reportedPayment = developerPaymentItem
  .extend({
    source: paymentFields.source.is,
    terms: z.int(),
    declineCode: textOrNull,
    refundedAt: time.nullable(),
    customer: z.strictObject({
      firstName: textOrNull,
      lastName: textOrNull,
      email: textOrNull,
      phoneNumber: textOrNull,
    }),
    fee: z.number().nullable(),
    feeIva: z.number().nullable(),
    promotionTake: z.number().nullable(),
    take: z.number().nullable(),
    terminalId: z.uuid().nullable(),
    salespersonId: z.uuid().nullable(),
    branchId: z.uuid().nullable(),
  })
  .meta({ id: 'ReportedPayment' });
export type ReportedPayment = z.output<typeof reportedPayment>;

/** One step from the amount to what the merchant gets. Pesos; `formula` in plain figures. */
const step = z.strictObject({
  step: z.enum(['AMOUNT', 'FEE', 'FEE_IVA', 'PROMOTION', 'TAKE']),
  amount: z.number().meta({ description: 'Negative where it is taken off.' }),
  left: z.number().meta({ description: 'What is left after this step.' }),
  formula: textOrNull,
});

/** One line of the shares of merchant and sponsor, in pesos. What the merchant gives the sponsor is negative. */
const share = z.strictObject({
  share: z.enum(['FEE', 'FEE_IVA', 'PROMOTION', 'TAKE']),
  merchant: z.number(),
  sponsor: z.number(),
  total: z.number(),
  formula: textOrNull,
});

/** Answer of GET /report/payment/{id}/disbursement. `steps` is empty until money has moved, and if no fee channel was known. */
export const disbursementExplained = z
  .strictObject({
    paymentId: z.uuid(),
    status: developerPaymentItem.shape.status,
    refundedAt: time.nullable(),
    steps: z.array(step),
    shares: z.array(share).meta({ description: 'Empty where no sponsor has a part.' }),
  })
  .meta({ id: 'DisbursementExplained' });
export type DisbursementExplained = z.output<typeof disbursementExplained>;

import { z } from 'zod';
import { amount, currency } from './amount.ts';
import { uuid } from './ids.ts';
import { installmentTerms } from './one-time-payments.ts';
import { tappedCard } from './payment-methods.ts';
import { offsetPage } from './paging.ts';
import { paymentSummary } from './payments.ts';
import { must, optional, requiredExternalId, requiredText, text, time } from './text.ts';

export const paymentIntentStatuses = ['PENDING', 'CONFIRMED', 'CANCELLED'] as const;

/** Body of POST /payment-intent. `amount` is decoded to centavos. */
export const paymentIntentBody = z.strictObject({
  amount,
  currency,
  externalId: requiredExternalId,
  terminalCode: optional(requiredText(255)),
  redirectAppId: optional(text(255)),
});

/** Answer of POST /payment-intent. `amount` is in MXN pesos. */
export const createdPaymentIntent = z.strictObject({
  id: z.uuid(),
  status: z.enum(paymentIntentStatuses),
  amount: z.number(),
  currency: z.literal('MXN'),
  externalId: z.string(),
  redirectAppId: z.string().optional(),
  organizationId: z.uuid(),
  terminalId: z.uuid().optional(),
  createdAt: time,
  updatedAt: time,
});

/**
 * An intent as a cashier's system reads it. `paymentSummary` shows the latest payment made for the intent, and is absent if
 * there was none.
 */
export const paymentIntentState = z.strictObject({
  id: z.uuid(),
  status: z.enum(paymentIntentStatuses),
  expired: z.boolean(),
  paymentSummary: paymentSummary.optional(),
});

/** The most intents that the list counts, and through which it pages. */
export const COUNTED_INTENTS = 10_000;
export const INTENT_PAGE_RULE = `must be within the first ${COUNTED_INTENTS} intents`;

/** Query of GET /payment-intent. */
export const paymentIntentQuery = z.strictObject({
  ...offsetPage,
  page: offsetPage.page.meta({ description: INTENT_PAGE_RULE }),
  status: z.enum(paymentIntentStatuses, { error: `must be one of ${paymentIntentStatuses.join(', ')}` }).optional(),
  terminalCode: requiredText(255).optional(),
});

/** Item of GET /payment-intent. `terminalCode` belongs to the terminal that has it now; `paymentSummary` copies the latest payment. */
export const paymentIntentItem = z
  .strictObject({
    id: z.uuid(),
    status: z.enum(paymentIntentStatuses),
    expired: z.boolean(),
    isCharging: z.boolean(),
    amount: z.number(),
    currency: z.literal('MXN'),
    externalId: z.string(),
    redirectAppId: z.string().nullable(),
    terminalId: z.uuid().nullable(),
    terminalCode: z.string().nullable(),
    supersededBy: z.uuid().nullable(),
    createdAt: time,
    updatedAt: time,
    expiresAt: time,
    paymentSummary: paymentSummary.nullable(),
  })
  .meta({ id: 'PaymentIntentItem' });
export type PaymentIntentItem = z.output<typeof paymentIntentItem>;

/** Query of GET /terminal. */
export const terminalQuery = z.strictObject(offsetPage);

const named = z.strictObject({ id: z.uuid(), name: z.string() });

/** Item of GET /terminal. Amounts are MXN pesos. */
export const terminalItem = z
  .strictObject({
    id: z.uuid(),
    terminalCode: z.string(),
    branch: named.nullable(),
    salesperson: named.nullable(),
    createdAt: time,
    seenAt: time
      .nullable()
      .meta({ description: 'Real time of its last request, to the minute; null before the first.' }),
    openIntent: z
      .strictObject({
        id: z.uuid(),
        amount: z.number(),
        externalId: z.string(),
        isCharging: z.boolean(),
        createdAt: time,
        expiresAt: time,
      })
      .nullable(),
    lastOutcome: z
      .strictObject({
        outcome: z.enum(['CONFIRMED', 'DECLINED']),
        paymentIntentId: z.uuid(),
        paymentId: z.uuid().nullable(),
        amount: z.number(),
        operationCode: z.int().nullable(),
        declineCode: z.string().nullable(),
        tappedAt: time.meta({ description: 'Real time.' }),
      })
      .nullable(),
  })
  .meta({ id: 'Terminal' });
export type TerminalItem = z.output<typeof terminalItem>;

const LONGEST_WAIT_S = 25;

/** Query of the terminal's long poll. `waitSeconds` says how long the answer may wait for an intent. */
export const nextIntentQuery = z.strictObject({
  waitSeconds: z
    .string()
    .regex(/^(?:\d|1\d|2[0-5])$/, { error: 'must be a whole number from 0 to 25' })
    .transform(Number)
    .optional()
    .transform((seconds) => seconds ?? LONGEST_WAIT_S)
    .meta({ override: { type: 'integer', minimum: 0, maximum: LONGEST_WAIT_S, default: LONGEST_WAIT_S } }),
});

/** What a terminal shows to the cardholder. */
export const nextIntent = z.strictObject({
  id: z.uuid(),
  amount: z.number(),
  currency: z.literal('MXN'),
  externalId: z.string(),
  redirectAppId: z.string().nullable(),
  organization: z.strictObject({ name: z.string() }),
  createdAt: time,
  expiresAt: time,
});

/** Body of the terminal's payment. A request with the same `attemptId` is the same attempt. */
export const intentPaymentBody = z.strictObject({
  attemptId: z.uuid(must('be a UUID')),
  card: tappedCard,
  terms: optional(z.literal(installmentTerms, { error: `must be one of ${installmentTerms.join(', ')}` })),
  /** Who sells; by default the salesperson to whom the terminal is assigned. */
  salespersonId: optional(uuid),
});

/** Answer of a payment that was approved. */
export const paidIntent = z
  .strictObject({
    id: z.uuid(),
    status: z.literal('CONFIRMED'),
    paymentId: z.uuid(),
    operationCode: z.int(),
    amount: z.number(),
    currency: z.literal('MXN'),
    card: z.strictObject({ lastFourDigits: z.string(), network: z.string() }),
  })
  .meta({ id: 'PaidIntent' });

/** What became of an intent, for its terminal. */
export const intentOutcome = z.union([
  paidIntent,
  z.strictObject({ id: z.uuid(), status: z.enum(paymentIntentStatuses) }),
]);

/** Body of the terminal's decline. */
export const declineIntentBody = z.strictObject({ reason: optional(text(500)) });

/** `{}`, an empty answer. */
export const nothing = z.strictObject({});

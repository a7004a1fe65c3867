import { z } from 'zod';
import { askedBy } from './asked-by.ts';
import { limit } from './paging.ts';
import { paymentFields, paymentTypes } from './payment-fields.ts';
import { payment } from './payments.ts';
import { textOrNull, time } from './text.ts';

/** The operations on a payment. EXPIRE is the sweep's release of a hold whose window has closed. */
const timelinePurposes = ['CHARGE', 'HOLD', 'CAPTURE', 'RELEASE', 'EXPIRE', 'REFUND'] as const;

const operation = {
  id: z.uuid(),
  purpose: z.enum(timelinePurposes),
  outcome: z
    .enum(['OPEN', 'APPROVED', 'DECLINED', 'NOT_PROCESSED', 'NOT_SENT'])
    .meta({ description: 'OPEN: the bank’s answer is not known yet. NOT_SENT: the bank was never asked.' }),
  reason: textOrNull,
  askedAt: time.meta({ description: 'Real time, as the other times are but the bank’s own.' }),
  askedBy: askedBy
    .nullable()
    .meta({ description: 'Null where a payer, a terminal or a job asked, and where it was not written down.' }),
  silentAt: time.nullable().meta({ description: 'When the call ended without an answer.' }),
  inquiries: z.int().meta({ description: 'How often the bank was asked what became of it.' }),
  settledAt: time.nullable(),
  bankTime: time.nullable().meta({ description: 'The bank’s own time of its answer.' }),
  declineCode: textOrNull,
  bankReference: textOrNull,
};

/** One operation, as merchants see it. Amounts are MXN pesos; null if a request names none. */
export const timelineOperation = z
  .strictObject({ ...operation, amount: z.number().nullable() })
  .meta({ id: 'TimelineOperation' });
export type TimelineOperation = z.output<typeof timelineOperation>;

const idOrNull = z.uuid().nullable();

/** A payment with or without an outcome, as its merchant sees it. */
export const paymentRecord = payment
  .extend({
    type: z.enum(paymentTypes),
    source: paymentFields.source.is,
    description: textOrNull,
    operationCode: z.int(),
    terms: z.int(),
    declineCode: textOrNull,
    refundedAt: time.nullable(),
    card: z.strictObject({
      lastFourDigits: z.string(),
      network: z.string(),
      fundingSource: z.string(),
      issuingBank: z.string(),
    }),
    customer: z.strictObject({
      firstName: textOrNull,
      lastName: textOrNull,
      email: textOrNull,
      phoneNumber: textOrNull,
    }),
    paymentMethodId: idOrNull,
    oneTimePaymentId: idOrNull,
    paymentLinkId: idOrNull,
    subscriptionId: idOrNull,
    paymentIntentId: idOrNull,
    terminalId: idOrNull,
    salespersonId: idOrNull,
    branchId: idOrNull,
    promotionId: idOrNull.meta({ description: 'The promotion that it carries.' }),
  })
  .meta({ id: 'PaymentRecord' });
export type PaymentRecord = z.output<typeof paymentRecord>;

const complete = z.boolean().meta({
  description: 'False where the part that keeps holds could not be asked: captures and releases may be missing.',
});

/** Answer of GET /payment/{id}/timeline. Operations are in the order of their requests. */
export const paymentTimeline = z
  .strictObject({ payment: paymentRecord, complete, operations: z.array(timelineOperation) })
  .meta({ id: 'PaymentTimeline' });

/** Query of GET /payment/pending. */
export const pendingQuery = z.strictObject({ limit });

/** Answer of GET /payment/pending, the longest pending first. */
export const pendingPayments = z
  .strictObject({
    count: z.int(),
    complete,
    items: z.array(z.strictObject({ payment: paymentRecord, operation: timelineOperation })),
  })
  .meta({ id: 'PendingPayments' });

/** Answers of holds, about its own operations: of one hold, and of a merchant's holds that wait for the bank. */
export const holdOperations = z.strictObject({ operations: z.array(timelineOperation) });
export const unansweredOfHolds = z.strictObject({
  count: z.int(),
  items: z.array(z.strictObject({ paymentId: z.uuid(), operation: timelineOperation })),
});

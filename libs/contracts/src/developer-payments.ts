import { z } from 'zod';
import { developerListQuery, oneOf } from './developer-lists.ts';
import { uuid } from './ids.ts';
import { paymentTypes, shapesIn } from './payment-fields.ts';
import { periodicities } from './periodicities.ts';
import { textOrNull, time } from './text.ts';

/** The statuses that the developer list and detail show: those of payments with an outcome. */
export const developerPaymentStatuses = [
  'CONFIRMED',
  'CANCELLED',
  'REFUNDED',
  'HELD',
  'HOLD_RELEASED',
  'HOLD_EXPIRED',
] as const;

export const financingMethods = ['INSTALLMENTS', 'PAY_NOW'] as const;

/** Query of GET /developer/v1/payment. */
export const developerPaymentQuery = developerListQuery(developerPaymentStatuses).extend({
  type: oneOf(paymentTypes).optional(),
  operationCode: z
    .string()
    .regex(/^\d{1,14}$/, { error: 'must be a whole number' })
    .transform(Number)
    .optional(),
  paymentLinkId: uuid.optional(),
  subscriptionId: uuid.optional(),
  oneTimePaymentId: uuid.optional(),
  paymentMethodId: uuid.optional(),
  paymentIntentId: uuid.optional(),
});
export type DeveloperPaymentQuery = z.output<typeof developerPaymentQuery>;

const idOrNull = z.uuid().nullable();

const card = z.strictObject({
  lastFourDigits: z.string(),
  network: z.string(),
  fundingSource: z.string(),
  issuingBank: z.string(),
});

/** Item of the developer list. Amounts in MXN pesos. */
export const developerPaymentItem = z
  .strictObject({
    id: z.uuid(),
    status: z.enum(developerPaymentStatuses),
    amount: z.number(),
    createdAt: time,
    operationCode: z.int(),
    heldAmount: z.number().nullable(),
    holdExpiresAt: time.nullable(),
    card,
    ...shapesIn('list'),
  })
  .meta({ id: 'DeveloperPaymentItem' });
export type DeveloperPaymentItem = z.output<typeof developerPaymentItem>;

/** Answer of GET /developer/v1/payment/{id}. `fee` is a percentage (3.5 is 3.5 %), or null if no fee channel is known. */
export const developerPayment = z
  .strictObject({
    id: z.uuid(),
    status: z.enum(developerPaymentStatuses),
    amount: z.number(),
    createdAt: time,
    operationCode: z.int(),
    fee: z.number().nullable(),
    promotionId: idOrNull.meta({ description: 'The promotion that it carries.' }),
    paidTerms: z.int(),
    periodicity: z.enum(periodicities).nullable(),
    financingMethod: z.enum(financingMethods),
    refundedAt: time.nullable(),
    heldAmount: z.number().nullable(),
    heldAt: time.nullable(),
    capturedAt: time.nullable(),
    holdReleasedAt: time.nullable(),
    holdExpiresAt: time.nullable(),
    /** May be earlier than holdExpiresAt. */
    captureBefore: time.nullable().meta({
      description:
        'When the card network lets go of a hold’s money: a later capture is declined. Null where nobody has said.',
    }),
    holdExpired: z.boolean(),
    holdDaysRemaining: z.int().min(0).max(7).nullable(),
    card,
    customer: z.strictObject({
      firstName: textOrNull,
      lastName: textOrNull,
      email: textOrNull,
      phoneNumber: textOrNull,
    }),
    ...shapesIn('detail'),
  })
  .meta({ id: 'DeveloperPayment' });
export type DeveloperPayment = z.output<typeof developerPayment>;

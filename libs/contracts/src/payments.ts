import { z } from 'zod';
import { amount, amountMeta, currency } from './amount.ts';
import { offsetPage } from './paging.ts';
import { type FieldValues, shapesIn, type ShownIn, shownIn } from './payment-fields.ts';
import { externalId, optional, text, time } from './text.ts';

export const paymentStatuses = [
  'NOT_INITIALIZED',
  'PENDING',
  'CONFIRMED',
  'CANCELLED',
  'REFUNDED',
  'HELD',
  'HOLD_RELEASED',
  'HOLD_EXPIRED',
] as const;

/** The payment made for an intent or for a one-time payment. */
export const paymentSummary = z.strictObject({
  id: z.uuid(),
  status: z.enum(paymentStatuses),
  operationCode: z.int(),
});
export type PaymentStatus = (typeof paymentStatuses)[number];

/** Body of POST /payment-method/{id}/payment. `amount` is decoded to centavos. */
export const chargeBody = z.strictObject({
  amount,
  currency: optional(currency),
  description: optional(text(500)),
  holdFunds: optional(z.boolean({ error: 'must be true or false' })),
  externalId,
});
export type ChargeBody = z.output<typeof chargeBody>;

/** Body of the captures. `amount` is validated later, because its refusals have codes of their own. */
export const captureBody = z.strictObject({
  amount: z.unknown().optional().meta(amountMeta),
});

/** Body of a route that takes no fields. An absent body counts as `{}`. */
export const emptyBody = z.strictObject({});

/** Body of the refunds. */
export const refundBody = z.strictObject({ reason: optional(text(500)) });

const timeOrNull = time.nullable();

/** The fields of a payment that merchants are shown and that never change. */
const fixed = { ...shapesIn('merchant'), createdAt: time };
export type FixedPart = z.output<z.ZodObject<typeof fixed>>;

export const fixedPart = (payment: Pick<FieldValues, 'createdAt' | ShownIn<'merchant'>>): FixedPart => ({
  ...shownIn('merchant', payment),
  createdAt: payment.createdAt.toISOString(),
});

/** Payment of a saved payment method, as charge, get, list, capture and release answer it. Amounts are MXN pesos. */
export const payment = z
  .strictObject({
    id: z.uuid(),
    status: z.enum(paymentStatuses),
    amount: z.number(),
    heldAmount: z.number().nullable(),
    ...fixed,
    heldAt: timeOrNull,
    capturedAt: timeOrNull,
    holdReleasedAt: timeOrNull,
    holdExpiresAt: timeOrNull,
    holdExpired: z.boolean(),
    holdDaysRemaining: z.int().min(0).max(7).nullable(),
  })
  .meta({ id: 'Payment' });
export type Payment = z.output<typeof payment>;

/** Answer of the refunds. */
export const refund = payment
  .pick({ id: true, status: true, amount: true, currency: true, externalId: true })
  .meta({ id: 'Refund' });
export type Refund = z.output<typeof refund>;

/** Query of GET /payment-method/{id}/payment. */
export const paymentQuery = z.strictObject({ ...offsetPage, status: z.enum(paymentStatuses).optional() });

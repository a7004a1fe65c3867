import type { Model, Payment } from './model.ts';
import { countPromotion } from './predict-promotions.ts';

/** Adds a payment and returns its position. */
export function newPayment(
  model: Model,
  payment: Pick<Payment, 'origin' | 'externalId' | 'asked'>,
  outcome: 'CONFIRMED' | 'HELD' | 'CANCELLED',
): number {
  const held = outcome === 'HELD';
  if (outcome !== 'CANCELLED') countPromotion(model);
  model.payments.push({
    ...payment,
    amount: payment.asked,
    heldAmount: held ? payment.asked : null,
    status: outcome,
    id: undefined,
    createdAt: undefined,
    operationCode: undefined,
    heldAt: held ? undefined : null,
    capturedAt: null,
    holdReleasedAt: null,
  });
  return model.payments.length - 1;
}

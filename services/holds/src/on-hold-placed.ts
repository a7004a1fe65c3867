import { fixedPart } from '@cobro/contracts/payments.ts';
import { holdExpiresAt } from '@cobro/domain/hold-window.ts';
import type { Handler } from '@cobro/events/event-handlers.ts';
import { PermanentEventError } from '@cobro/events/inbox.ts';
import { insertHold } from './hold.store.ts';

/** From this event on, holds may capture, release or expire the hold. */
export const onHoldPlaced: Handler<'HoldPlaced'> = (tx, placed) => {
  const { paymentMethodId, transaction } = placed;
  if (paymentMethodId === null || transaction.bankReference === null) {
    throw new PermanentEventError('a hold without a card or a reference');
  }
  insertHold(tx, {
    paymentId: placed.paymentId,
    organizationId: placed.organizationId,
    paymentMethodId,
    heldAmount: placed.amount,
    acquirer: placed.acquirer,
    bankReference: transaction.bankReference,
    rates: placed.rates,
    heldAt: placed.heldAt,
    expiresAt: holdExpiresAt(placed.heldAt),
    captureBefore: placed.captureBefore,
    shown: fixedPart(placed),
  });
};

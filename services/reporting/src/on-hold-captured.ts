import type { Handler } from '@cobro/events/event-handlers.ts';
import { disburseCapture } from './hold-disbursement.ts';
import { recordCaptured } from './payment.store.ts';

export const onHoldCaptured: Handler<'HoldCaptured'> = async (tx, data) => {
  const { paymentId: id, organizationId, capturedAt, amount: capturedAmount, transaction: captureTransaction } = data;
  const capture = { id, organizationId, capturedAt, capturedAmount, captureTransaction };
  disburseCapture(tx, id, await recordCaptured(tx, capture));
};

import { storedTransaction } from '@cobro/contracts/events.ts';
import { disburse } from '@cobro/domain/fees.ts';
import type { Handler } from '@cobro/events/event-handlers.ts';
import { recordCaptured } from './payment.store.ts';

export const onHoldCaptured: Handler<'HoldCaptured'> = (tx, data) => {
  const { paymentId: id, organizationId, capturedAt, amount: capturedAmount } = data;
  const captureTransaction = storedTransaction(data.transaction);
  const disbursement = disburse(capturedAmount, data.rates);
  recordCaptured(tx, { id, organizationId, capturedAt, capturedAmount, captureTransaction, disbursement });
};

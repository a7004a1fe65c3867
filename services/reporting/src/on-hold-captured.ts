import type { Handler } from '@cobro/events/event-handlers.ts';
import { disburseCapture } from './hold-disbursement.ts';
import { recordCaptured } from './payment.store.ts';

export const onHoldCaptured: Handler<'HoldCaptured'> = async (tx, data) => {
  disburseCapture(tx, data.paymentId, await recordCaptured(tx, data));
};

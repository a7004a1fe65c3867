import { dataOf } from '@cobro/contracts/events.ts';
import type { EventHandler } from '@cobro/events/inbox.ts';
import { disburseCapture } from './hold-disbursement.ts';
import { recordCaptured } from './payment.store.ts';

export const onHoldCaptured: EventHandler = async (tx, event) => {
  const data = dataOf('HoldCaptured', event);
  disburseCapture(tx, data.paymentId, await recordCaptured(tx, data));
};

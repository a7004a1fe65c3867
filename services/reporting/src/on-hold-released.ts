import { dataOf } from '@cobro/contracts/events.ts';
import type { EventHandler } from '@cobro/events/inbox.ts';
import { recordReleased } from './payment.store.ts';

export const onHoldReleased: EventHandler = async (tx, event) => {
  const { paymentId, organizationId, releasedAt } = dataOf('HoldReleased', event);
  recordReleased(tx, { paymentId, organizationId, at: releasedAt });
};

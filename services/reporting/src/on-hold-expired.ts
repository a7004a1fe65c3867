import { dataOf } from '@cobro/contracts/events.ts';
import type { EventHandler } from '@cobro/events/inbox.ts';
import { recordExpired } from './payment.store.ts';

export const onHoldExpired: EventHandler = async (tx, event) => {
  const { paymentId, organizationId, releasedAt } = dataOf('HoldExpired', event);
  recordExpired(tx, { paymentId, organizationId, at: releasedAt });
};

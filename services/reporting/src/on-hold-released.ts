import type { Handler } from '@cobro/events/event-handlers.ts';
import { recordReleased } from './payment.store.ts';

export const onHoldReleased: Handler<'HoldReleased'> = (tx, { paymentId, organizationId, releasedAt }) => {
  recordReleased(tx, { id: paymentId, organizationId, releasedAt });
};

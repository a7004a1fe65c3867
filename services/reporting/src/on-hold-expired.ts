import type { Handler } from '@cobro/events/event-handlers.ts';
import { recordExpired } from './payment.store.ts';

export const onHoldExpired: Handler<'HoldExpired'> = (tx, { paymentId, organizationId, releasedAt }) => {
  recordExpired(tx, { id: paymentId, organizationId, expiredAt: releasedAt });
};

import { newEvent } from '@cobro/contracts/events.ts';
import { dayStart } from '@cobro/domain/mexico-city.ts';
import type { Deps } from '../deps.ts';
import { wakeWaiting } from '../subscriptions/subscription.store.ts';
import { monthNow } from './payment-method.rules.ts';
import { noteExpiryOfCards } from './payment-method.store.ts';

const BATCH = 200;

/**
 * Publishes once that a card has expired, and wakes its subscriptions that wait for an acquirer. Looks only for cards whose last
 * month was the previous one.
 */
export function announceExpiredCards({ db, outbox, clock }: Deps): Promise<number> {
  const month = monthNow(clock.now());
  return db.inTransaction(async (tx) => {
    const cards = await noteExpiryOfCards(tx, month - 1, BATCH);
    wakeWaiting(
      tx,
      cards.map(({ id }) => id),
    );
    for (const { id, organizationId, lastFourDigits, network, externalId, createdAt, version } of cards) {
      const expiredAt = dayStart(
        `${Math.floor((month - 1) / 12)}-${String(((month - 1) % 12) + 1).padStart(2, '0')}-01`,
      );
      const method = { paymentMethodId: id, organizationId, lastFourDigits, network, externalId, createdAt };
      const of = { subject: id, sequence: version, time: expiredAt };
      outbox.append(tx, newEvent('PaymentMethodExpired', { ...of, data: { ...method, expiredAt } }));
    }
    // A month ends for many cards at once. The rest come a second later, so that other events do not wait behind them.
    return 0;
  });
}

import { compareEvents, objectsOf } from '@cobro/books/compare-events.ts';
import type { Difference } from '@cobro/books/difference.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import { bookedPayments } from '../../../services/payments/src/books/payment-book.store.ts';
import { shownEvents } from '../../../services/webhooks/src/events/event-book.store.ts';

/** Events of these payments that merchants are shown too often, wrongly or not at all. */
export async function shownWrongly(payments: Queries, webhooks: Queries, ids: string[]): Promise<Difference[]> {
  const booked = await bookedPayments(payments, ids);
  const events = await shownEvents(webhooks, booked.flatMap(objectsOf));
  const byObject = Map.groupBy(events, ({ objectId }) => objectId);
  return booked.flatMap((payment) => {
    const about = objectsOf(payment).flatMap((object) => byObject.get(object) ?? []);
    return compareEvents(payment, about, new Date(0));
  });
}

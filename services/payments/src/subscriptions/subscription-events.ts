import { type Envelope, newEvent } from '@cobro/contracts/events.ts';
import type { News } from './subscription-news.rules.ts';
import type { SubscriptionRow } from './subscription.row.ts';
import { showSubscription } from './subscription.rules.ts';

/** What happened to a subscription at this business time, with the subscription as it is now. */
export const subscriptionChanged = (
  row: SubscriptionRow,
  { change, periodNumber }: News,
  { at, now }: { at: Date; now: Date },
): Envelope =>
  newEvent('SubscriptionChanged', {
    subject: row.id,
    sequence: row.version,
    time: at,
    data: {
      subscriptionId: row.id,
      organizationId: row.organizationId,
      change,
      periodNumber,
      subscription: showSubscription(row, now),
    },
  });

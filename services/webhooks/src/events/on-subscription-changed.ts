import { type Maker, outwardOf } from './outward-event.ts';

export const onSubscriptionChanged: Maker<'SubscriptionChanged'> = (
  { subscriptionId: objectId, change, periodNumber, subscription: data },
  event,
) => {
  if (change === 'created' || change === 'cancelled' || change === 'completed') {
    return [outwardOf(event, { type: `subscription.${change}`, objectId, data })];
  }
  if (periodNumber === null) throw new Error(`a subscription is ${change} without a period`);
  const ofPeriod = { objectId, number: periodNumber, data: { ...data, periodNumber } };
  return [outwardOf(event, { type: `subscription.${change}`, ...ofPeriod })];
};

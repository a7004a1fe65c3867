import { endedIntent } from './intent.rules.ts';
import { type Maker, outwardOf } from './outward-event.ts';

// An event of release 0.1 has no intent; that release showed merchants no events.

export const onIntentConfirmed: Maker<'IntentConfirmed'> = (
  { paymentIntentId: objectId, intent, confirmedAt: at },
  event,
) => {
  if (intent === null) return [];
  const data = endedIntent(objectId, intent, { status: 'CONFIRMED', at });
  return [outwardOf(event, { type: 'payment_intent.confirmed', objectId, data })];
};

export const onIntentSuperseded: Maker<'IntentSuperseded'> = (
  { paymentIntentId: objectId, intent, supersededAt: at, supersededBy },
  event,
) => {
  if (intent === null) return [];
  const data = endedIntent(objectId, intent, { status: 'CANCELLED', at, supersededBy });
  return [outwardOf(event, { type: 'payment_intent.superseded', objectId, data })];
};

export const onIntentCancelled: Maker<'IntentCancelled'> = (
  { paymentIntentId: objectId, intent, cancelledAt: at },
  event,
) => {
  if (intent === null) return [];
  const data = endedIntent(objectId, intent, { status: 'CANCELLED', at });
  return [outwardOf(event, { type: 'payment_intent.cancelled', objectId, data })];
};

export const onIntentExpired: Maker<'IntentExpired'> = (
  { paymentIntentId: objectId, intent, expiredAt: at },
  event,
) => {
  if (intent === null) return [];
  const data = endedIntent(objectId, intent, { status: 'CANCELLED', at });
  return [outwardOf(event, { type: 'payment_intent.expired', objectId, data })];
};

import type { Handler } from '@cobro/events/event-handlers.ts';
import type { Deps } from '../deps.ts';
import { endedIntent } from './intent.rules.ts';
import { keepEvent } from './keep-event.ts';

// Release 0.1 did not say which intent had ended, and showed merchants no events.

export const onIntentConfirmed =
  (deps: Deps): Handler<'IntentConfirmed'> =>
  (tx, { paymentIntentId: objectId, intent, confirmedAt: at }, event) => {
    if (intent === null) return;
    const data = endedIntent(objectId, intent, { status: 'CONFIRMED', at });
    keepEvent(deps, tx, event, { type: 'payment_intent.confirmed', objectId, data });
  };

export const onIntentSuperseded =
  (deps: Deps): Handler<'IntentSuperseded'> =>
  (tx, { paymentIntentId: objectId, intent, supersededAt: at, supersededBy }, event) => {
    if (intent === null) return;
    const data = endedIntent(objectId, intent, { status: 'CANCELLED', at, supersededBy });
    keepEvent(deps, tx, event, { type: 'payment_intent.superseded', objectId, data });
  };

export const onIntentCancelled =
  (deps: Deps): Handler<'IntentCancelled'> =>
  (tx, { paymentIntentId: objectId, intent, cancelledAt: at }, event) => {
    if (intent === null) return;
    const data = endedIntent(objectId, intent, { status: 'CANCELLED', at });
    keepEvent(deps, tx, event, { type: 'payment_intent.cancelled', objectId, data });
  };

export const onIntentExpired =
  (deps: Deps): Handler<'IntentExpired'> =>
  (tx, { paymentIntentId: objectId, intent, expiredAt: at }, event) => {
    if (intent === null) return;
    const data = endedIntent(objectId, intent, { status: 'CANCELLED', at });
    keepEvent(deps, tx, event, { type: 'payment_intent.expired', objectId, data });
  };

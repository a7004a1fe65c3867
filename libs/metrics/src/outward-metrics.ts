import type { Metric } from './metric.ts';

/** What the dashboard, webhooks and the Stripe adapter count. */
export const outward = {
  'cobro.signin.attempts': {
    kind: 'counter',
    attributes: {
      by: ['password', 'code', 'passkey', 'oidc'],
      outcome: ['right', 'wrong', 'locked', 'network', 'busy'],
    },
    means:
      'Attempts to sign in to the dashboard, or to prove again who one is. `locked`: the account waits; `network`: too many failures from there; `busy`: four passwords were being looked at; none of these was tried.',
    by: 'dashboard',
  },
  'cobro.dashboard.calls': {
    kind: 'counter',
    attributes: { outcome: ['answered', 'lost'] },
    means: 'Requests of the dashboard to the gateway. `lost`: no answer came.',
    by: 'dashboard',
  },
  'cobro.dashboard.unanswered': {
    kind: 'gauge',
    attributes: {},
    means: 'Actions of people of the last day, asked two minutes ago or earlier, without what became of them.',
    by: 'dashboard',
  },
  'cobro.webhooks.deliveries': {
    kind: 'counter',
    attributes: { outcome: ['delivered', 'refused', 'failed'] },
    means:
      'Tries to send an event to an endpoint of a merchant. `refused`: it answered no 2xx. `failed`: no answer came.',
    by: 'webhooks',
  },
  'cobro.webhooks.waiting.seconds': {
    kind: 'gauge',
    unit: 's',
    attributes: {},
    means:
      'How long the event has been waiting that has waited longest for its first try, of endpoints that do not fail; 0 where none waits.',
    by: 'webhooks',
  },
  'cobro.webhooks.reconciliation.differences': {
    kind: 'gauge',
    attributes: {},
    means:
      'Differences between what happened and what merchants were shown and sent of it, on the latest day that has been compared; no value before the first.',
    by: 'webhooks',
  },
  'cobro.webhooks.reconciliation.age.seconds': {
    kind: 'gauge',
    unit: 's',
    attributes: {},
    means: 'How long ago that comparison ended.',
    by: 'webhooks',
  },
  'cobro.stripe.duration.seconds': {
    kind: 'histogram',
    unit: 's',
    attributes: {
      call: 'method and path of Stripe’s interface, as `POST /v1/payment_intents/:id/confirm`',
      outcome: ['answered', 'refused', 'limited', 'failed', 'lost'],
    },
    means:
      'Requests to Stripe by how long it took until an answer began. `refused`: 4xx, also a declined card. `limited`: 429. `failed`: 5xx. `lost`: no answer.',
    by: 'the Stripe adapter',
  },
  'cobro.stripe.open': {
    kind: 'gauge',
    attributes: { longer: ['minute', 'day'] },
    means:
      'Operations that were sent to Stripe and are not decided: for more than a minute, and for 23 hours, after which nothing is repeated and a person decides.',
    by: 'the Stripe adapter',
  },
} as const satisfies Record<`cobro.${string}`, Metric>;

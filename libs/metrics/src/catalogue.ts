import type { Metric } from './metric.ts';
import { outward } from './outward-metrics.ts';

const all = 'every service';
const atTheBank = 'payments, holds';
const acquirer = 'the name of the acquirer, as the deployment has it; `default` is the one at `BANK_URL`';
const queue = 'the name of the service whose queue it is';

/**
 * Every metric that the services count, as plain data: instruments are made from it, docs/generated/metrics.md is written from it, and the
 * rules of alerts and the dashboard may name nothing else.
 */
export const catalogue = {
  'cobro.http.duration.seconds': {
    kind: 'histogram',
    unit: 's',
    attributes: {
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'other'],
      route: 'the path’s template, as docs/generated/routes.md has it; `unknown` where no route has the path',
      status: ['1xx', '2xx', '3xx', '4xx', '5xx', 'left'],
    },
    means:
      'Requests by how long they took, from their arrival until the whole answer was sent. `left`: the caller went away first. The number of them is the rate, the `5xx` are the errors.',
    by: all,
  },
  'cobro.http.refusals': {
    kind: 'counter',
    attributes: {
      route: 'as above',
      code: 'the code of the refusal, from docs/generated/errors.md',
    },
    means:
      'Requests that this service itself refused. What the gateway only passes on is counted by the service that refused.',
    by: all,
  },
  'cobro.operations.settled': {
    kind: 'counter',
    attributes: {
      acquirer,
      purpose: ['save', 'charge', 'hold', 'capture', 'release', 'expire', 'refund'],
      outcome: ['approved', 'declined', 'not_processed', 'not_sent'],
      reason:
        'why the bank declined, of the codes that we know; `other` for any other code; `none` where it did not decline',
    },
    means:
      'Operations whose outcome was written down: charges of every origin, taps too, are those with purpose `charge`, the sweep’s those with `expire`.',
    by: atTheBank,
  },
  'cobro.operations.open': {
    kind: 'gauge',
    attributes: {},
    means: 'Operations whose outcome is not known, although the time of their call is over.',
    by: atTheBank,
  },
  'cobro.operations.unknown': {
    kind: 'gauge',
    attributes: {},
    means: 'Operations whose outcome has been unknown for an hour.',
    by: atTheBank,
  },
  'cobro.bank.duration.seconds': {
    kind: 'histogram',
    unit: 's',
    attributes: {
      acquirer,
      call: ['tokenize', 'authorize', 'sale', 'capture', 'void', 'refund', 'inquire'],
      outcome: ['approved', 'declined', 'unknown', 'unreachable', 'retry', 'not_found'],
    },
    means:
      'Calls to the bank by how long they took. `unknown`: the bank may have acted. `unreachable`: nothing was sent. `retry`: the bank did nothing and may be asked again. `not_found`: the answer to an inquiry.',
    by: 'payments, holds, intents',
  },
  'cobro.outbox.age.seconds': {
    kind: 'gauge',
    unit: 's',
    attributes: {},
    means: 'How long the oldest event that has been committed waits for the broker; 0 where none waits.',
    by: all,
  },
  'cobro.events.lag.seconds': {
    kind: 'gauge',
    unit: 's',
    attributes: { queue },
    means:
      'Longest time from the making of an event until its effect, since the last look; one that is in work counts as well.',
    by: 'every service but the gateway',
  },
  'cobro.events.queued': {
    kind: 'gauge',
    attributes: { queue },
    means: 'Events that the broker has for this queue and has not delivered.',
    by: 'every service but the gateway',
  },
  'cobro.events.waiting': {
    kind: 'gauge',
    attributes: { queue },
    means: '1 while events that were delivered wait, because the database of their consumer is sick.',
    by: 'every service but the gateway',
  },
  'cobro.events.parked': {
    kind: 'gauge',
    attributes: {},
    means: 'Events of all consumers that are parked. Each service reports the same number.',
    by: 'every service but the gateway',
  },
  'cobro.hand_overs.missed': {
    kind: 'counter',
    attributes: {
      target: 'the name of the service that should have got the event',
      reason: ['failed', 'late', 'paused'],
    },
    means:
      'Events that were not handed over before the answer: the call failed, no time was left for it, or hand-overs paused for a second after five failures. The broker brings them as well.',
    by: 'payments, holds, intents, gateway',
  },
  'cobro.events.untrusted': {
    kind: 'gauge',
    attributes: { queue },
    means:
      'Events that this process has parked since its start because their producer had not signed them: somebody else wrote to the broker, or a key is missing.',
    by: 'every service but the gateway',
  },
  'cobro.holds.held': {
    kind: 'gauge',
    attributes: { days: ['0', '1', '2', '3', '4', '5', '6', '7'] },
    means:
      'Holds that are neither captured nor released, by the days on which they can still be captured; read once a minute at most.',
    by: 'holds',
  },
  'cobro.holds.due': {
    kind: 'gauge',
    attributes: {},
    means: 'Holds that have ended and that the sweep has not released yet; 10,000 at most are counted.',
    by: 'holds',
  },
  'cobro.holds.overdue.seconds': {
    kind: 'gauge',
    unit: 's',
    attributes: {},
    means: 'How long ago the oldest of these ended; 0 where there is none.',
    by: 'holds',
  },
  'cobro.holds.let_go': {
    kind: 'gauge',
    attributes: {},
    means:
      'Holds of the last 24 hours, by the business clock, whose capture the bank declined because the network had let go of the money.',
    by: 'holds',
  },
  'cobro.intents.open': {
    kind: 'gauge',
    attributes: { state: ['unassigned', 'assigned', 'charging'] },
    means: 'Intents that wait: for any terminal, at a terminal, for the outcome of a card’s charge.',
    by: 'intents',
  },
  'cobro.intents.charging.seconds': {
    kind: 'gauge',
    unit: 's',
    attributes: {},
    means: 'How long the oldest tap waits for the outcome of its charge; 0 where none waits.',
    by: 'intents',
  },
  'cobro.limits.fallback_decisions': {
    kind: 'counter',
    attributes: { limit: ['rate', 'declines'] },
    means: 'Decisions of a limit that one process made alone, because Redis did not answer or refused.',
    by: 'gateway, payments, intents',
  },
  'cobro.limits.attempts_refused': {
    kind: 'counter',
    attributes: {
      at: ['link', 'paymentLink', 'terminal', 'saving'],
      limit: ['card', 'link', 'paymentLink', 'address', 'terminal'],
    },
    means:
      'Attempts to pay a one-time payment (`link`), a payment link or at a terminal, or to save a card, that were refused because of too many declines.',
    by: 'payments, intents',
  },
  'cobro.limits.merchants_suspected': {
    kind: 'gauge',
    attributes: {},
    means:
      'Merchants with 50 refused cards or more in 10 minutes, as they were saved. A log line `many_cards_refused` says which.',
    by: 'payments',
  },
  'cobro.reconciliation.differences': {
    kind: 'gauge',
    attributes: { acquirer },
    means:
      'Differences between our books and the acquirer’s on the latest day; no value before the first. Where that day could not be compared, each operation that the acquirer answered on it is one.',
    by: 'payments',
  },
  'cobro.reconciliation.age.seconds': {
    kind: 'gauge',
    unit: 's',
    attributes: { acquirer },
    means: 'How long ago the comparison of the latest day that could be compared ended.',
    by: 'payments',
  },
  'cobro.counters.reconciliation.differences': {
    kind: 'gauge',
    attributes: {},
    means:
      'Payment links, products and promotions that miscount their payments, on the latest day that has been compared; no value before the first.',
    by: 'payments',
  },
  'cobro.promotion_uses.waiting': {
    kind: 'gauge',
    attributes: {},
    means:
      'Payments of promotions without maxPayments that are not added up yet. More than some thousands: the job that adds them up stands still, and reads of promotions grow slow.',
    by: 'payments',
  },
  'cobro.operation_codes.used': {
    kind: 'gauge',
    attributes: {},
    means: 'How far the operation codes have come: 0 at the beginning, 1 when none is left and no payment can be made.',
    by: 'payments',
  },
  'cobro.subscriptions.late': {
    kind: 'gauge',
    attributes: {},
    means:
      'Subscriptions that should have been charged, tried again or ended ten minutes ago by the business clock, and were not. It counts to 10,000.',
    by: 'payments',
  },
  'cobro.subscriptions.changes': {
    kind: 'counter',
    attributes: { change: ['created', 'renewing', 'renewed', 'past_due', 'recovered', 'cancelled', 'completed'] },
    means:
      'What happened to subscriptions, as merchants are shown it: a period that was charged is `renewed` or `recovered`.',
    by: 'payments',
  },
  'cobro.degraded': {
    kind: 'gauge',
    attributes: { reason: ['database_read_only', 'events_wait', 'bank_away', 'redis_refuses', 'clock_wrong'] },
    means: '1 while the process serves and cannot do all of its work.',
    by: all,
  },
  'cobro.postgres.statements': {
    kind: 'gauge',
    attributes: {},
    means:
      'Statements that the process has named, each of which its connections keep prepared. At 200 further ones are parsed each time: some text varies with what callers ask.',
    by: all,
  },
  ...outward,
} as const satisfies Record<`cobro.${string}`, Metric>;

type Catalogue = typeof catalogue;
/** The names of all metrics of a kind. */
export type MetricName<Kind extends Metric['kind']> = {
  [Name in keyof Catalogue]: Catalogue[Name]['kind'] extends Kind ? Name : never;
}[keyof Catalogue];

type ValueOf<Values> = Values extends readonly (infer Value)[] ? Value : string;
/** The attributes of one observation of the metric. */
export type AttributesOf<Name extends keyof Catalogue> = {
  [Attribute in keyof Catalogue[Name]['attributes']]: ValueOf<Catalogue[Name]['attributes'][Attribute]>;
};

/** A metric's name in Prometheus, without the suffixes of a histogram. */
export function prometheusName(name: string, { kind }: Pick<Metric, 'kind'>): string {
  return `${name.replaceAll('.', '_')}${kind === 'counter' ? '_total' : ''}`;
}

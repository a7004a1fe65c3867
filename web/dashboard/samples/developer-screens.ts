import type { ApiKey, CreatedApiKey } from '@cobro/contracts/api-keys.ts';
import type { OutwardEvent } from '@cobro/contracts/outward-events.ts';

import type { WebhookDelivery } from '@cobro/contracts/webhook-requests.ts';
import type { Language } from '@cobro/html/language.ts';
import { eventPage, eventsPage, type EventsView } from '../src/developers/events-page.ts';
import { createKeyPage, keyActionPage, type KeyActionView, keyMadePage } from '../src/developers/key-forms.ts';
import { keysPage, type KeysView } from '../src/developers/keys-page.ts';
import { createWebhookPage, webhookActionPage, webhookSecretPage } from '../src/developers/webhook-forms.ts';
import { webhookPage, type WebhookView } from '../src/developers/webhook-page.ts';
import { type WebhookAction, webhookActions } from '../src/developers/webhook-words.ts';
import { type ShownWebhook, webhooksPage } from '../src/developers/webhooks-page.ts';
import type { Screen } from './payment-screens.ts';
import { ids, names, sampleFrame } from './sample-frame.ts';

const key: ApiKey = {
  id: ids.key,
  name: 'Tienda en línea',
  lastFour: 'a1B2',
  status: 'ACTIVE',
  createdBy: ids.person,
  createdAt: '2026-11-20T18:04:09.000Z',
  lastUsedAt: '2026-11-24T18:04:09.000Z',
  endsAt: null,
};
const keys: ApiKey[] = [
  key,
  { ...key, status: 'ENDING', lastFour: '9xYz', endsAt: '2026-11-26T18:04:09.000Z' },
  { ...key, name: null, createdBy: null, lastUsedAt: null, lastFour: 'Q7q7' },
  { ...key, name: names.hostile, status: 'REVOKED', endsAt: '2026-11-21T00:00:00.000Z', createdBy: ids.link },
  { ...key, name: 'x'.repeat(100) },
];
const made: CreatedApiKey = { ...key, key: 'sk_test_3vQ8mK1TzYcR5uWb7LxN0pGsJ4hDfE2aVnXqM6oBkUiZtCyR9w' };

const endpoint: ShownWebhook = {
  id: ids.link,
  url: 'https://tienda.example/webhooks/cobro',
  types: ['payment.*', 'hold.*'],
  description: 'Pedidos de la tienda',
  status: 'ENABLED',
  createdAt: '2026-11-20T18:04:09.000Z',
  lastDeliveryAt: '2026-11-24T18:04:09.000Z',
  failingSince: null,
};
const failing: ShownWebhook = {
  ...endpoint,
  url: `https://${'subdominio.'.repeat(12)}example/${'camino/'.repeat(20)}`,
  types: ['payment.*', 'hold.*', 'one_time_payment.*', 'payment_intent.*', 'payment_method.*', 'webhook_endpoint.*'],
  description: names.hostile,
  status: 'PAUSED',
  lastDeliveryAt: null,
  failingSince: '2026-11-19T18:04:09.000Z',
};
const delivery: WebhookDelivery = {
  id: ids.card,
  eventId: ids.payment,
  type: 'payment.confirmed',
  status: 'DELIVERED',
  attempts: 1,
  createdAt: '2026-11-24T18:04:09.000Z',
  lastAttemptAt: '2026-11-24T18:04:10.000Z',
  nextAttemptAt: null,
  responseStatus: 200,
  responseBody: 'ok',
  error: null,
};
const deliveries: WebhookDelivery[] = [
  delivery,
  { ...delivery, type: 'hold.placed', status: 'PENDING', attempts: 0, responseStatus: null, responseBody: null },
  {
    ...delivery,
    type: 'payment.refunded',
    status: 'PENDING',
    attempts: 12,
    nextAttemptAt: '2026-11-25T02:00:00.000Z',
    responseStatus: 500,
    responseBody: `${names.hostile} ${'x'.repeat(400)}`,
  },
  { ...delivery, status: 'PENDING', attempts: 3, responseStatus: null, responseBody: null, error: 'ECONNREFUSED' },
];

const event: OutwardEvent = {
  id: ids.key,
  type: 'payment.confirmed',
  createdAt: '2026-11-24T18:04:09.000Z',
  organizationId: ids.link,
  object: { type: 'payment', id: ids.payment },
  data: { id: ids.payment, status: 'CONFIRMED', amount: 1250.5, externalId: names.hostile, description: names.long },
};
const events: OutwardEvent[] = [
  event,
  { ...event, type: 'one_time_payment.cancelled', object: { type: 'one_time_payment', id: ids.link } },
  { ...event, type: 'payment_method.saved', object: { type: 'payment_method', id: ids.card } },
];

/** The screens for developers, by a name for tests and pictures. */
export function developerScreens(language: Language): Record<string, Screen> {
  return { ...keyScreens(language), ...eventScreens(language), ...webhookScreens(language) };
}

function keyScreens(language: Language): Record<string, Screen> {
  const list = (view: Partial<KeysView>, acting: Parameters<typeof sampleFrame>[2] = {}): Screen => {
    const frame = sampleFrame(language, '/developers/keys', acting);
    const found = { kind: 'rows', rows: keys, next: '/developers/keys?page=2', first: null } as const;
    return { frame, content: keysPage(frame, { found, names: { [ids.person]: 'Ana Torres' }, done: null, ...view }) };
  };
  const form = sampleFrame(language, '/developers/keys/new');
  const action = (view: Pick<KeyActionView, 'action'> & Partial<KeyActionView>): Screen => {
    const frame = sampleFrame(language, `/developers/keys/${ids.key}/${view.action}`);
    const whole = { key, externalId: ids.payment, isOnlyActive: false, problem: null, ...view };
    return { frame, content: keyActionPage(frame, whole) };
  };
  const shown = { made, old: null, apiBaseUrl: 'https://api.cobro.example/api', isPartner: false };
  const typed = { externalId: ids.payment, name: '', problem: null };
  const refused = { kind: 'refused', code: 'RATE_LIMIT_EXCEEDED', status: 429, requestId: ids.key } as const;
  return {
    keys: list({}),
    'keys-none': list({ found: { kind: 'rows', rows: [], next: null, first: null } }),
    'keys-revoked': list({ done: 'revoke' }),
    'keys-unavailable': list({ found: { kind: 'unavailable' } }),
    'keys-partner': list({}, { scope: 'partner', scopeName: 'Ventas del Norte' }),
    'key-new': { frame: form, content: createKeyPage(form, typed) },
    'key-wrong-name': { frame: form, content: createKeyPage(form, { ...typed, problem: { kind: 'wrong-name' } }) },
    'key-refused': { frame: form, content: createKeyPage(form, { ...typed, name: names.hostile, problem: refused }) },
    'key-made': { frame: form, content: keyMadePage(form, shown) },
    'key-rolled': {
      frame: form,
      content: keyMadePage(form, { ...shown, old: { lastFour: 'a1B2', endsAt: '2026-11-26T18:04:09.000Z' } }),
    },
    'key-roll': action({ action: 'roll' }),
    'key-revoke': action({ action: 'revoke', isOnlyActive: true }),
    'key-delete': action({ action: 'delete', key: keys[3] ?? key }),
    'key-lost': action({ action: 'revoke', problem: { kind: 'lost', requestId: ids.key } }),
  };
}

function eventScreens(language: Language): Record<string, Screen> {
  const none = { type: '', objectId: '' };
  const list = (view: Partial<EventsView>): Screen => {
    const frame = sampleFrame(language, '/developers/events', { role: 'read-only' });
    const found = { kind: 'rows', rows: events, nextCursor: '1764000000000000', isFirstPage: true } as const;
    return { frame, content: eventsPage(frame, { filters: none, found, ...view }) };
  };
  const frame = sampleFrame(language, `/developers/events/${ids.key}`);
  const nothing = { kind: 'rows', rows: [], nextCursor: null, isFirstPage: true } as const;
  return {
    events: list({}),
    'events-none': list({ filters: { type: 'hold.*', objectId: '' }, found: nothing }),
    'events-wrong-filter': list({ found: { kind: 'wrong-filter' } }),
    event: { frame, content: eventPage(frame, event) },
  };
}

function webhookScreens(language: Language): Record<string, Screen> {
  const frame = sampleFrame(language, '/developers/webhooks');
  const list = (rows: readonly ShownWebhook[]): Screen => ({
    frame,
    content: webhooksPage(frame, { found: { kind: 'rows', rows }, isDeleted: false }),
  });
  const detail = (view: Partial<WebhookView>, acting: Parameters<typeof sampleFrame>[2] = {}): Screen => {
    const at = sampleFrame(language, `/developers/webhooks/${ids.link}`, acting);
    const found = { kind: 'rows', rows: deliveries, nextCursor: 'bmV4dA', isFirstPage: true } as const;
    return { frame: at, content: webhookPage(at, { endpoint, deliveries: found, done: null, problem: null, ...view }) };
  };
  const nothing = { kind: 'rows', rows: [], nextCursor: null, isFirstPage: true } as const;
  const problem = { kind: 'refused', code: 'VALIDATION_ERROR', status: 400, requestId: ids.key } as const;
  const action = (one: WebhookAction): [string, Screen] => {
    const at = sampleFrame(language, `/developers/webhooks/${ids.link}/${one}`);
    const shown = { url: failing.url, types: ['payment.*', 'hold.captured'], description: names.long };
    const view = {
      action: one,
      endpoint: failing,
      typed: shown,
      since: '',
      isWrongSince: one === 'replay',
      problem: null,
    };
    return [`webhook-${one}`, { frame: at, content: webhookActionPage(at, view) }];
  };
  const typed = { url: 'http://localhost/', types: ['payment.*'], description: names.long };
  return {
    webhooks: list([endpoint, failing, { ...endpoint, status: 'DISABLED' }]),
    'webhooks-none': list([]),
    webhook: detail({ done: 'test' }),
    'webhook-paused': detail({ endpoint: { ...failing, status: 'PAUSED' } }),
    'webhook-failing': detail({ endpoint: failing, done: { replayed: 5000 } }),
    'webhook-none': detail({ deliveries: nothing }, { role: 'read-only' }),
    'webhook-new': {
      frame,
      content: createWebhookPage(frame, { typed: { url: '', types: [], description: '' }, problem: null }),
    },
    'webhook-refused': { frame, content: createWebhookPage(frame, { typed, problem }) },
    'webhook-made': {
      frame,
      content: webhookSecretPage(frame, { id: ids.link, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0aG1bC2dE3f=' }),
    },
    ...Object.fromEntries(webhookActions.map(action)),
  };
}

import type { EventReconciliation } from '@cobro/books/reconcile-events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { outwardId, type OutwardType } from '@cobro/contracts/outward-events.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { dayEnd, dayInMexicoCity } from '@cobro/domain/mexico-city.ts';
import { sql } from '@cobro/postgres/database.ts';
import { approvedCard } from '@cobro/testing/card-numbers.ts';
import { testPaymentLinks } from '@cobro/testing/test-payment-links.ts';
import { testPromotions } from '@cobro/testing/test-promotions.ts';
import { until } from '@cobro/testing/until.ts';
import { type Reconciled, startReconciled } from '@cobro/testing/test-reconciled.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { reconcileCommands } from './reconcile-command.ts';

/** Payments whose events are falsified below, by how. */
const made: Record<'missing' | 'twice' | 'wrong' | 'refunded' | 'unsent', string> = {
  missing: '',
  twice: '',
  wrong: '',
  refunded: '',
  unsent: '',
};
const stranger = newId();
let intent = '';
let before: EventReconciliation;
let listed: EventReconciliation['listed'];
let services: Reconciled['services'];
let reconciled: Reconciled;
const event = (object: string, type: OutwardType) => outwardId(object, type);
beforeAll(async () => {
  reconciled = await startReconciled([reconcileCommands]);
  const { holds, charge, settled, eventsOf } = reconciled;
  ({ services } = reconciled);
  const today = dayInMexicoCity(services.now());
  // Makes the oldest event, close to which nothing is compared.
  await charge();
  await settled();
  const webhooks = services.db('webhooks');
  const { call } = holds.merchant;
  const body = { url: 'http://127.0.0.1:9/webhooks', types: ['payment.*'] };
  await call({ method: 'POST', path: '/webhook-endpoint', body });
  // Makes the endpoint due events from now on, not from a minute later.
  await webhooks.run(sql`update webhook_endpoint set asked_since = clock_timestamp() - interval '1 minute'`);
  for (const name of ['missing', 'twice', 'refunded', 'unsent'] as const) made[name] = (await charge()).id;
  const captured = await holds.place();
  await holds.capture(captured, { amount: 60 });
  made.wrong = captured.id;
  const asked = { amount: 10, currency: 'MXN', externalId: newId() };
  intent = ((await call({ method: 'POST', path: '/payment-intent', body: asked })).body as { id: string }).id;
  await call({ method: 'POST', path: `/payment-intent/${intent}/cancel` });
  await settled();
  await until('the intent is shown as cancelled', async () => {
    const { count } = await webhooks.one<{ count: bigint }>(sql`
      select count(*) from event where object_id = ${intent}`);
    return count === 1n;
  });
  before = await eventsOf(today);

  await webhooks.run(sql`delete from event where object_id = any(${[made.missing, intent]}::uuid[])`);
  const copy = (id: string, type: OutwardType, about: string) => sql`
    insert into event (id, organization_id, type, object_id, created_at, data)
    select ${id}::uuid, organization_id, ${type}::text, ${about}::uuid, created_at, data from event
    where id = ${event(made.twice, 'payment.confirmed')}`;
  const otherId = `${made.twice.slice(0, 13)}-8abc-8abc-0123456789ab`;
  await webhooks.run(copy(otherId, 'payment.confirmed', made.twice));
  await webhooks.run(copy(event(made.refunded, 'payment.refunded'), 'payment.refunded', made.refunded));
  await webhooks.run(copy(event(stranger, 'payment.confirmed'), 'payment.confirmed', stranger));
  await webhooks.run(sql`
    update event set data = jsonb_set(data::jsonb, '{amount}', '61')::json
    where id = ${event(made.wrong, 'hold.captured')}`);
  await webhooks.run(sql`delete from delivery where event_id = ${event(made.unsent, 'payment.confirmed')}`);
  const { written } = await webhooks.one<{ written: Date }>(sql`
    select to_timestamp(max(position) / 1000000) as written from event`);
  // Written events are compared by real time, up to the last microsecond of the day.
  const day = dayInMexicoCity(written);
  const last = BigInt(dayEnd(day).getTime()) * 1_000n + 999n;
  await webhooks.run(sql`update event set position = ${last} where id = ${event(stranger, 'payment.confirmed')}`);
  const days = new Set([today, day]);
  listed = [];
  for (const one of days) listed.push(...(await eventsOf(one)).listed);
});
afterAll(() => services?.stop());

test('before anything is changed all of it agrees', () => {
  expect(before).toMatchObject({ of: 'events', intents: 1, differences: 0, operations: 7 });
});

const sentences = () => listed.map(({ what, sentence }) => `${what}: ${sentence}`);
test.each([
  [
    'an event that is missing',
    () => `missing_here: payment ${made.missing} in webhooks: there is no event payment.confirmed ${made.missing}`,
  ],
  [
    'the end of an intent that is missing',
    () => `missing_here: intent ${intent} in webhooks: there is no event payment_intent.cancelled ${intent}`,
  ],
  [
    'an event that is there twice',
    () => `state: payment ${made.twice} in webhooks, payment.confirmed ${made.twice}: the number of events is 2, not 1`,
  ],
  [
    'another amount than moved',
    () => `amount: payment ${made.wrong} in webhooks, hold.captured ${made.wrong}: amount is 6100, not 6000`,
  ],
  [
    'what has not happened',
    () =>
      `missing_there: payment ${made.refunded} in webhooks: the event payment.refunded ${made.refunded} says what has not happened`,
  ],
  [
    'a payment that payments has not',
    () =>
      `missing_there: the event ${event(stranger, 'payment.confirmed')} (payment.confirmed ${stranger}) in webhooks is about a payment that payments has not`,
  ],
  [
    'another id than such an event has',
    () =>
      `state: the event ${made.twice.slice(0, 13)}-8abc-8abc-0123456789ab (payment.confirmed ${made.twice}) in webhooks has another id than such an event has`,
  ],
  [
    'an event that is not to be sent to an endpoint that asked for it',
    () =>
      `missing_here: the event ${event(made.unsent, 'payment.confirmed')} (payment.confirmed ${made.unsent}) in webhooks is not to be sent to 1 endpoints that asked for it`,
  ],
])('%s', (_what, sentence) => expect(sentences()).toContain(sentence()));

test('and nothing else', () => {
  // Besides the unsent event, the three copies of an event have no deliveries.
  const unsent = sentences().filter((one) => one.includes('is not to be sent'));
  expect(unsent).toHaveLength(4);
  expect(sentences()).toHaveLength(7 + unsent.length);
});

test('what a payment link, a product and a promotion count is compared with all their payments', async () => {
  const today = dayInMexicoCity(services.now());
  const links = await testPaymentLinks(services);
  const { create } = await testPromotions(services, { merchant: links.merchant });
  const promotion = await create();
  const product = await links.product(3);
  const link = await links.create({ productId: product });
  for (const card of [approvedCard(1), approvedCard(2), testCards.declined]) await links.pay(link, card);
  expect(await reconciled.countersOf(today)).toMatchObject({ counters: 3, differences: 0 });
  const payments = services.db('payments');
  await payments.run(sql`update payment_link set payments_count = payments_count + 1 where id = ${link.id}`);
  await payments.run(sql`update product set stock = stock - 1 where id = ${product}`);
  await payments.run(sql`insert into promotion_use (promotion_id, change) values (${promotion.id}, 1)`);
  const wrong = await reconciled.countersOf(today);
  const said = (of: string) => `${of}: the number of payments that it counts is 3, not 2`;
  expect(wrong.listed.map(({ sentence }) => sentence)).toEqual([
    said(`payment link ${link.id}`),
    said(`product ${product}`),
    said(`promotion ${promotion.id}`),
  ]);
  const kept = sql`select differences from counter_reconciliation where day = ${today}`;
  expect(await payments.one(kept)).toEqual({ differences: 3n });
});

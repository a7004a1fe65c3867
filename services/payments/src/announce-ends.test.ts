import { dataOf, type Envelope } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import type { Subscription } from '@cobro/contracts/subscriptions.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { FIRST_KEY } from '@cobro/events/retelling.ts';
import { sql } from '@cobro/postgres/database.ts';
import { type HeardEvents, hearEvents } from '@cobro/testing/hear-events.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestLinks, testLinks } from '@cobro/testing/test-links.ts';
import { moveTo, moveToNoon, testHolds } from '@cobro/testing/test-holds.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { retellLinks } from './retelling.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let services: RunningServices;
let links: TestLinks;
let heard: HeardEvents;
beforeAll(async () => {
  // Two replicas look for the same ends.
  services = await startServices({
    services: ['payments', 'holds'],
    replicas: { payments: 2, holds: 2 },
    env: { BANK_CALL_TIMEOUT_MS: '4000' },
  });
  await moveToNoon(services);
  links = await testLinks(services);
  heard = await hearEvents(services.broker);
});
afterAll(async () => {
  await heard?.close();
  await services?.stop();
});

const typesOf = (id: string) => heard.of(id).map(({ type }) => type);
const untilSaid = (id: string, count: number) => until(`${count} ends of ${id}`, () => typesOf(id).length >= count);

describe('how a one-time payment ends', () => {
  test('is published once: paid, cancelled, expired, and cancelled after it had expired', async () => {
    const [paid, cancelled, left, late] = await Promise.all(
      [1, 2, 3, 4].map(() => links.create({ externalId: newId() })),
    );
    if (!paid || !cancelled || !left || !late) throw new Error('no links');
    await links.pay(paid, testCards.approved);
    await links.cancel(cancelled);
    expect(await heard.data('OneTimePaymentPaid', paid.id)).toMatchObject({
      amount: 90_000n,
      externalId: paid.externalId,
    });
    await untilSaid(cancelled.id, 1);
    await services.moveClock(DAY + MINUTE);
    await Promise.all([untilSaid(left.id, 1), untilSaid(late.id, 1)]);
    const { endedAt, expiresAt } = await heard.data('OneTimePaymentExpired', left.id);
    expect(endedAt).toEqual(expiresAt);
    await links.cancel(late);
    await untilSaid(late.id, 2);
    expect([paid, cancelled, left, late].map(({ id }) => typesOf(id))).toEqual([
      ['OneTimePaymentPaid'],
      ['OneTimePaymentCancelled'],
      ['OneTimePaymentExpired'],
      ['OneTimePaymentExpired', 'OneTimePaymentCancelled'],
    ]);
    // From them a feed that was lost is made anew, with the same ids.
    const words = ({ type, time, data }: Envelope) => ({ type, time, data });
    const retelling = retellLinks(services.db('payments'));
    for (const { id } of [paid, cancelled, left, late]) {
      expect((await retelling.of([id])).map(words)).toEqual(heard.of(id).map(words));
    }
    const { events } = await retelling.page(FIRST_KEY, 1_000);
    expect(events.filter(({ subject }) => subject === late.id)).toHaveLength(2);
  });

  test('is not published as expired while a card is being charged for it', async () => {
    const link = await links.create();
    await services.db('payments').run(sql`
      update one_time_payment set expires_at = ${new Date(services.now().getTime() + 10 * MINUTE)} where id = ${link.id}`);
    const paying = links.pay(link, testCards.silentDone);
    await until('its card is being charged', async () => {
      const open = sql`select from payment where one_time_payment_id = ${link.id} and status = 'PENDING'`;
      return (await services.db('payments').many(open)).length === 1;
    });
    await services.moveClock(20 * MINUTE);
    expect([201, 202]).toContain((await paying).status);
    await heard.data('OneTimePaymentPaid', link.id);
    expect(typesOf(link.id)).toEqual(['OneTimePaymentPaid']);
  });
});

test('a card whose last month is over is published once', async () => {
  const { merchant } = links;
  const now = services.now();
  const card = { ...cardBody(), expirationMonth: now.getUTCMonth() + 1, expirationYear: now.getUTCFullYear() };
  const saved = await merchant.call({ method: 'POST', path: '/payment-method', body: { externalId: newId(), card } });
  const { id, externalId } = saved.body as { id: string; externalId: string };
  await heard.data('PaymentMethodSaved', id);
  await services.moveClock(31 * DAY);
  expect(await heard.data('PaymentMethodExpired', id)).toMatchObject({ externalId, lastFourDigits: '4242' });
  expect(typesOf(id)).toEqual(['PaymentMethodSaved', 'PaymentMethodExpired']);
});

test('a hold whose last 24 hours have begun is published once, and one that has ended is not', async () => {
  const holds = await testHolds(services);
  const [left, released] = [await holds.place(), await holds.place()];
  await holds.release(released);
  await moveTo(services, new Date(Date.parse(left.holdExpiresAt ?? '') - DAY + MINUTE));
  const { endsAt } = await heard.data('HoldEnding', left.id);
  expect(endsAt.toISOString()).toBe(left.holdExpiresAt);
  await services.moveClock(MINUTE);
  await until('the release was published', () => typesOf(released.id).includes('HoldReleased'));
  expect(typesOf(released.id)).not.toContain('HoldEnding');
  expect(typesOf(left.id).filter((type) => type === 'HoldEnding')).toHaveLength(1);
});

test('a hold that the network lets go of sooner ends then', async () => {
  const holds = await testHolds(services);
  const card = await holds.merchant.saveCard(testCards.shortWindow);
  const held = await holds.place({}, card.id);
  const { captureBefore } = await heard.data('HoldPlaced', held.id);
  await moveTo(services, new Date(Number(captureBefore) - DAY + MINUTE));
  expect(await heard.data('HoldEnding', held.id)).toMatchObject({ endsAt: captureBefore });
});

test('what happens to a subscription is published once: its beginning, each period, a decline and its retry, its end', async () => {
  const { merchant } = links;
  const paymentMethodId = (await merchant.saveCard()).id;
  const asked = { paymentMethodId, amount: 349, periodicity: 'WEEKLY' };
  const made = await merchant.call({ method: 'POST', path: '/subscription', body: asked });
  expect(made).toMatchObject({ status: 201, body: { status: 'ACTIVE' } });
  const { id } = made.body as Subscription;
  const read = async () => (await merchant.call({ path: `/subscription/${id}` })).body as Subscription;
  const said = () =>
    heard.of(id).map((event) => {
      const { change, periodNumber } = dataOf('SubscriptionChanged', event);
      return periodNumber === null ? change : `${change} ${periodNumber}`;
    });
  const untilIs = (what: string) => until(`it is ${what}`, () => said().includes(what));
  const moveTowards = (time: string | null, ms: number) => moveTo(services, new Date(Date.parse(time ?? '') + ms));

  await untilIs('created');
  await moveTowards((await read()).nextBillingAt, -2 * DAY);
  await untilIs('renewing 2');
  await moveTowards((await read()).nextBillingAt, MINUTE);
  await untilIs('renewed 2');
  await services.bank.setFaults({ next: [{ kind: 'sale', fault: 'decline' }] });
  await moveTowards((await read()).nextBillingAt, MINUTE);
  await untilIs('past_due 3');
  await moveTowards((await read()).nextRetryAt, MINUTE);
  await untilIs('recovered 3');
  await merchant.call({ method: 'PATCH', path: `/subscription/${id}`, body: { description: 'Pan' } });
  await merchant.call({ method: 'POST', path: `/subscription/${id}/cancel` });
  await untilIs('cancelled');
  expect(said()).toEqual(['created', 'renewing 2', 'renewed 2', 'past_due 3', 'recovered 3', 'cancelled']);
  const [pastDue] = heard.of(id).filter((event) => dataOf('SubscriptionChanged', event).change === 'past_due');
  expect(pastDue && dataOf('SubscriptionChanged', pastDue).subscription).toMatchObject({
    status: 'PAST_DUE',
    lastDeclineCode: 'do_not_honor',
    currentPeriod: { number: 3, status: 'OPEN' },
  });
});

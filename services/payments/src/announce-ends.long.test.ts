import { dataOf, type Envelope } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import type { Subscription } from '@cobro/contracts/subscriptions.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { FIRST_KEY, type Retelling } from '@cobro/events/retelling.ts';
import { type Queries, sql } from '@cobro/postgres/database.ts';
import { approvedCard } from '@cobro/testing/card-numbers.ts';
import { type HeardEvents, hearEvents } from '@cobro/testing/hear-events.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestLinks, testLinks } from '@cobro/testing/test-links.ts';
import { moveTo, moveToNoon, testHolds } from '@cobro/testing/test-holds.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';
import { type TestPaymentLinks, testPaymentLinks } from '@cobro/testing/test-payment-links.ts';
import { testPromotions } from '@cobro/testing/test-promotions.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  retellLinks,
  retellOutOfStock,
  retellPromotions,
  retellSoldOutLinks,
  retellSubscriptions,
} from './retelling.ts';

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

const words = (event: Envelope | undefined) => ({ type: event?.type, time: event?.time, data: event?.data });
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
    // A lost feed is rebuilt from these rows, with the same ids.
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

describe('that nothing is left', () => {
  let paymentLinks: TestPaymentLinks;
  beforeAll(async () => {
    paymentLinks = await testPaymentLinks(services);
  });
  const retoldOf = async (retell: (queries: Queries) => Retelling, id: string) =>
    (await retell(services.db('payments')).of([id])).map(words);
  const pays = async (link: { id: string }, card: string) => {
    const { status } = await paymentLinks.pay(link, card);
    expect(status).toBe(201);
  };

  test('of a payment link is published once for each maxPayments, and not while a place may be given back', async () => {
    const link = await paymentLinks.create({ maxPayments: 2 });
    await pays(link, approvedCard(1));
    expect((await paymentLinks.pay(link, testCards.silentNotDone)).status).toBe(202);
    await until('the place is free again', async () => (await paymentLinks.get(link)).status === 'ACTIVE');
    expect(heard.of(link.id)).toEqual([]);
    await pays(link, approvedCard(2));
    const said = await heard.data('PaymentLinkSoldOut', link.id);
    expect(said).toMatchObject({
      maxPayments: 2,
      link: { id: link.id, status: 'SOLD_OUT', paymentsCount: 2, amount: 350 },
    });
    expect(said.link).not.toHaveProperty('checkoutUrl');
    const refunded = (await paymentLinks.payments(link)).items[0]?.id ?? '';
    expect((await paymentLinks.refund(link, refunded)).status).toBe(200);
    await paymentLinks.change(link, { maxPayments: 3 });
    await pays(link, approvedCard(3));
    await untilSaid(link.id, 2);
    const ends = heard.of(link.id).filter(({ type }) => type === 'PaymentLinkSoldOut');
    const numbers = ends.map((event) => dataOf('PaymentLinkSoldOut', event).maxPayments);
    expect(numbers).toEqual([2, 3]);
    expect(await retoldOf(retellSoldOutLinks, link.id)).toEqual([ends.at(-1)].map(words));
  });

  test('of a product is published once for each number of units sold', async () => {
    const product = await paymentLinks.product(1);
    const link = await paymentLinks.create({ productId: product });
    const restock = (change: number) =>
      paymentLinks.merchant.call({ method: 'POST', path: `/product/${product}/stock`, body: { change } });
    await pays(link, approvedCard(4));
    expect(await heard.data('ProductOutOfStock', product)).toMatchObject({
      unitsSold: 1,
      product: { id: product, stock: 0 },
    });
    // Nothing was sold: five units were added and taken out again.
    await restock(5);
    await restock(-5);
    await restock(1);
    await pays(link, approvedCard(5));
    await untilSaid(product, 2);
    const numbers = heard.of(product).map((event) => dataOf('ProductOutOfStock', event).unitsSold);
    expect(numbers).toEqual([1, 2]);
    expect(await retoldOf(retellOutOfStock, product)).toEqual([heard.of(product).at(-1)].map(words));
  });
});

test('that a promotion was accepted, and has ended, is published once each', async () => {
  const shop = await testPromotions(services);
  const endsAt = new Date(services.now().getTime() + 10 * MINUTE).toISOString();
  const [byHand, byClock] = [await shop.create({ feeDiscount: 1 }), await shop.create({ endsAt })];
  const never = (await shop.post({ feeDiscount: 1, endsAt })).body as { id: string };
  expect(await heard.data('PromotionAccepted', byHand.id)).toMatchObject({
    promotion: { id: byHand.id, status: 'ACTIVE', sponsor: { id: shop.partnerId } },
  });
  await Promise.all([shop.end(byHand.id), shop.ask('POST', `/developer/promotion/${byHand.id}/end`)]);
  expect(await heard.data('PromotionEnded', byHand.id)).toMatchObject({ promotion: { status: 'ENDED' } });
  await services.moveClock(11 * MINUTE);
  const { endedAt } = await heard.data('PromotionEnded', byClock.id);
  expect(endedAt.toISOString()).toBe(endsAt);
  await untilSaid(never.id, 1);
  // An end by the clock is not published again, even if the clock goes back and the merchant ends it.
  await services.moveClock(-11 * MINUTE);
  await shop.end(byClock.id);
  await services.moveClock(12 * MINUTE);
  expect([byHand, byClock, never].map(({ id }) => typesOf(id))).toEqual([
    ['PromotionAccepted', 'PromotionEnded'],
    ['PromotionEnded'],
    ['PromotionEnded'],
  ]);
  const retold = await retellPromotions(services.db('payments')).of([byHand.id]);
  expect(retold.map(words)).toEqual(heard.of(byHand.id).map(words));
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
  const factsOf = (event: Envelope) => {
    const { change, periodNumber, organizationId } = dataOf('SubscriptionChanged', event);
    return { subject: event.subject, time: event.time, change, periodNumber, organizationId };
  };
  const retelling = retellSubscriptions(services.db('payments'));
  const byPages = await retelling.page(FIRST_KEY, 500);
  for (const events of [await retelling.of([id]), byPages.events.filter(({ subject }) => subject === id)])
    expect(events.map(factsOf)).toEqual(heard.of(id).map(factsOf));
});

test('a period that was left out and is collected by hand is no renewal; one by which it is no longer past due is said', async () => {
  const { merchant } = links;
  const paymentMethodId = (await merchant.saveCard()).id;
  const asked = { paymentMethodId, amount: 349, periodicity: 'WEEKLY' };
  const made = (await merchant.call({ method: 'POST', path: '/subscription', body: asked })).body as Subscription;
  const post = (path: string) => merchant.call({ method: 'POST', path: `/subscription/${made.id}/${path}`, body: {} });
  const said = () =>
    heard
      .of(made.id)
      .map((event) => dataOf('SubscriptionChanged', event))
      .filter(({ change }) => change !== 'renewing')
      .map(({ change, periodNumber }) => (periodNumber === null ? change : `${change} ${periodNumber}`));
  const untilIs = (what: string) => until(`it is ${what}`, () => said().includes(what));
  const noonOf = (days: number) => new Date(Date.parse(`${made.firstBillingDate}T18:00:00Z`) + days * DAY);

  await untilIs('created');
  await post('pause');
  await moveTo(services, noonOf(8));
  await post('resume');
  expect((await post('period/2/charge')).status).toBe(201);
  await services.bank.setFaults({ next: [{ kind: 'sale', fault: 'decline' }] });
  await moveTo(services, noonOf(14));
  await untilIs('past_due 3');
  // At the resumption no retry is left.
  await post('pause');
  await moveTo(services, noonOf(18));
  await post('resume');
  expect((await post('period/3/charge')).status).toBe(201);
  await untilIs('recovered 3');
  await post('cancel');
  await untilIs('cancelled');
  expect(said()).toEqual(['created', 'past_due 3', 'recovered 3', 'cancelled']);
});

import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import type { Subscription } from '@cobro/contracts/subscriptions.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { dayInMexicoCity } from '@cobro/domain/mexico-city.ts';
import { untilAgreed } from '@cobro/testing/agreement.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { testMerchant } from '@cobro/testing/test-merchant.ts';
import { type TestSubscriptions, testSubscriptions } from '@cobro/testing/test-subscriptions.ts';
import { until } from '@cobro/testing/until.ts';

jest.setTimeout(300_000);

let services: RunningServices;
let subs: TestSubscriptions;
beforeAll(async () => {
  services = await startServices({ services: ['payments', 'holds'], env: { BANK_CALL_TIMEOUT_MS: '8000' } });
  subs = await testSubscriptions(services);
});
afterAll(async () => {
  await untilAgreed({ bankUrl: services.bank.url, payments: services.db('payments'), holds: services.db('holds') });
  await services.stop();
});

const DAY_MS = 86_400_000;
const today = () => dayInMexicoCity(services.now());
const inDays = (days: number) => dayInMexicoCity(new Date(services.now().getTime() + days * DAY_MS));
const codeOf = ({ status, body }: HttpAnswer) => `${status} ${(body as { code?: string }).code ?? ''}`.trim();
const sales = async () => (await services.bank.operations()).filter(({ kind }) => kind === 'sale').length;

test('today: subscription, period and charge are claimed together, in the request: 201 ACTIVE', async () => {
  const before = await sales();
  const externalId = newId();
  const made = await subs.create({ externalId, totalPeriods: 12, description: 'Plan básico' });
  expect(made).toMatchObject({
    status: 'ACTIVE',
    description: 'Plan básico',
    product: null,
    amount: 349,
    currency: 'MXN',
    periodicity: 'MONTHLY',
    firstBillingDate: today(),
    totalPeriods: 12,
    cancelAtPeriodEnd: false,
    currentPeriod: { number: 1, startsOn: today(), status: 'PAID' },
    nextRetryAt: null,
    lastDeclineCode: null,
    endedAt: null,
    endReason: null,
    externalId,
  });
  expect(made.nextBillingAt).toMatch(/T14:00:00.000Z$/);
  expect(await sales()).toBe(before + 1);
  const [payment] = await subs.payments(made);
  expect(payment).toMatchObject({ number: 1, status: 'CONFIRMED', amount: 34_900n });
  expect(await subs.periods(made)).toEqual([
    { ...made.currentPeriod, amount: 349, declines: 0, paymentId: payment?.id },
  ]);
  // The payment is a charge of the saved card, listed and refunded there, without an externalId. If it is refunded, the period
  // stays PAID.
  const path = `/payment-method/${made.paymentMethodId}/payment/${payment?.id}`;
  expect(await subs.merchant.call({ path })).toMatchObject({ status: 200, body: { externalId: null, amount: 349 } });
  const refunded = await subs.merchant.call({ method: 'POST', path: `${path}/refund`, body: {} });
  expect(refunded).toMatchObject({ status: 200, body: { status: 'REFUNDED' } });
  expect((await subs.get(made)).currentPeriod?.status).toBe('PAID');
});

test('a declined first charge: 402 with subscriptionId and paymentId, kept CANCELLED, key spent', async () => {
  const { id: paymentMethodId } = await subs.card(testCards.declined);
  const body = { paymentMethodId, externalId: newId() };
  const answer = await subs.post(body);
  expect(codeOf(answer)).toBe('402 CHARGE_DECLINED');
  const { subscriptionId, paymentId } = answer.body as { subscriptionId: string; paymentId: string };
  const [payment] = await subs.payments({ id: subscriptionId });
  expect(payment).toMatchObject({ id: paymentId, status: 'CANCELLED' });
  const ended = { status: 'CANCELLED', endReason: 'FIRST_CHARGE_FAILED', currentPeriod: null, nextBillingAt: null };
  expect(await subs.get({ id: subscriptionId })).toMatchObject({ ...ended, lastDeclineCode: 'do_not_honor' });
  const replayed = await subs.post(body);
  expect(replayed.body).toEqual(answer.body);
  expect(replayed.headers.get('idempotent-replayed')).toBe('true');
  expect(await subs.periods({ id: subscriptionId })).toMatchObject([{ status: 'FAILED', declines: 1 }]);
});

test('an unknown first charge is 202 PENDING with its Location, then ACTIVE; one that the bank never saw CANCELLED', async () => {
  const { id: done } = await subs.card(testCards.silentDone);
  const externalId = newId();
  const pending = await subs.post({ paymentMethodId: done, externalId });
  expect(pending).toMatchObject({ status: 202, body: { status: 'PENDING', currentPeriod: { status: 'OPEN' } } });
  const made = pending.body as Subscription;
  expect(pending.headers.get('location')).toBe(`/api/subscription/${made.id}`);
  expect(codeOf(await subs.act(made, 'pause'))).toBe('409 CHARGE_IN_PROGRESS');
  await subs.becomes(made, { status: 'ACTIVE' });
  const replayed = await subs.post({ paymentMethodId: done, externalId });
  expect(replayed).toMatchObject({ status: 201, body: { id: made.id, status: 'ACTIVE' } });

  const { id: lost } = await subs.card(testCards.silentNotDone);
  const other = (await subs.post({ paymentMethodId: lost })).body as Subscription;
  await subs.becomes(other, { status: 'CANCELLED', endReason: 'FIRST_CHARGE_FAILED' });
});

test.each<[string, keyof typeof testCards, string]>([
  ['declined', 'declined', '402 CHARGE_DECLINED'],
  ['unknown', 'silentDone', '202'],
])('a first charge that is %s says so, although it was cancelled meanwhile', async (_, card, expected) => {
  const { id: paymentMethodId } = await subs.card(testCards[card]);
  await services.bank.setFaults({ next: [{ kind: 'sale', fault: card === 'declined' ? 'held' : 'silentDone' }] });
  const body = { paymentMethodId, externalId: newId() };
  const posting = subs.post(body);
  let made = { id: '' };
  await until('it is there', async () => {
    const list = await subs.merchant.call({ path: `/subscription?paymentMethodId=${paymentMethodId}` });
    made = (list.body as { items: Subscription[] }).items[0] ?? made;
    return made.id !== '';
  });
  expect(await subs.act(made, 'cancel')).toMatchObject({ status: 200, body: { endReason: 'MERCHANT' } });
  await services.bank.setFaults({});
  expect(codeOf(await posting)).toBe(expected);
  expect(await subs.get(made)).toMatchObject({ status: 'CANCELLED', endReason: 'MERCHANT' });
});

test('503: in no list, key unspent; sent again it is another subscription, charged once', async () => {
  const { id: paymentMethodId } = await subs.card();
  const body = { paymentMethodId, externalId: newId() };
  const before = await sales();
  await services.bank.kill();
  const failed = await Promise.all(Array.from({ length: 4 }, () => subs.post(body)));
  await services.bank.start();
  expect(failed.map(codeOf)).toContain('503 BANK_UNAVAILABLE');
  for (const answer of failed) expect(['503 BANK_UNAVAILABLE', '409 CHARGE_IN_PROGRESS']).toContain(codeOf(answer));
  const list = async () =>
    (await subs.merchant.call({ path: `/subscription?paymentMethodId=${paymentMethodId}` })).body as { count: number };
  expect(await list()).toMatchObject({ count: 0, items: [] });
  const made = await subs.create(body);
  expect(made.status).toBe('ACTIVE');
  expect(await list()).toMatchObject({ count: 1, items: [{ id: made.id }] });
  expect(await sales()).toBe(before + 1);
});

test('the same request as sent is the original, however often and at once; another one is EXTERNAL_ID_MISMATCH', async () => {
  const { id: paymentMethodId } = await subs.card();
  const body = { paymentMethodId, externalId: newId(), periodicity: 'WEEKLY' };
  const before = await sales();
  const answers = await Promise.all(Array.from({ length: 6 }, () => subs.post(body)));
  const ids = answers.flatMap((answer) => (answer.status === 201 ? [(answer.body as Subscription).id] : []));
  expect(new Set(ids).size).toBe(1);
  for (const answer of answers) expect(['201', '409 CHARGE_IN_PROGRESS']).toContain(codeOf(answer));
  expect(await sales()).toBe(before + 1);
  expect(codeOf(await subs.post({ ...body, amount: 350 }))).toBe('409 EXTERNAL_ID_MISMATCH');
  await subs.merchant.call({ method: 'DELETE', path: `/payment-method/${paymentMethodId}` });
  expect(await subs.post(body)).toMatchObject({ status: 201, body: { id: ids[0] } });
});

test('later: 201 ACTIVE, and that day is a renewal like any', async () => {
  const before = await sales();
  const firstBillingDate = inDays(40);
  const made = await subs.create({ firstBillingDate, externalId: newId() });
  expect(made).toMatchObject({ status: 'ACTIVE', firstBillingDate, currentPeriod: null });
  expect(made.nextBillingAt?.slice(0, 10)).toBe(firstBillingDate);
  expect(await subs.periods(made)).toEqual([]);
  expect(await sales()).toBe(before);
  // With atPeriodEnd, it ends at once if nothing was billed yet.
  const cancelled = await subs.act(made, 'cancel', { atPeriodEnd: true });
  expect(cancelled).toMatchObject({ status: 200, body: { status: 'CANCELLED', endReason: 'MERCHANT' } });
});

test('a product’s price is frozen, takes no stock, and an archived or unknown one is refused', async () => {
  const call = async (method: string, path: string, body: object) =>
    (await subs.merchant.call({ method, path, body })).body as { id: string; stock: number };
  const product = await call('POST', '/product', { name: 'Plan anual', price: 1200, stock: 3 });
  const made = await subs.create({ productId: product.id, periodicity: 'YEARLY' });
  expect(made).toMatchObject({
    amount: 1200,
    description: 'Plan anual',
    product: { id: product.id, name: 'Plan anual' },
  });
  expect(await call('PATCH', `/product/${product.id}`, { price: 1500, status: 'ARCHIVED' })).toMatchObject({
    stock: 3,
  });
  expect((await subs.get(made)).amount).toBe(1200);
  expect(codeOf(await subs.post({ productId: product.id }))).toBe('409 PRODUCT_NOT_ACTIVE');
  expect(codeOf(await subs.post({ productId: newId() }))).toBe('404 PRODUCT_NOT_FOUND');
});

test.each<[string, object, string]>([
  ['no card', { paymentMethodId: 'x' }, 'paymentMethodId'],
  ['an unknown periodicity', { periodicity: 'DAILY' }, 'periodicity'],
  ['no amount and no product', { amount: null }, 'amount'],
  ['both amount and product', { amount: 1, productId: newId() }, 'amount'],
  ['a first day in the past', { firstBillingDate: '2020-01-01' }, 'firstBillingDate'],
  ['a first day more than a year on', { firstBillingDate: '2099-01-01' }, 'firstBillingDate'],
  ['no day at all', { firstBillingDate: '2026-02-30' }, 'firstBillingDate'],
  ['no periods', { totalPeriods: 0 }, 'totalPeriods'],
  ['601 periods', { totalPeriods: 601 }, 'totalPeriods'],
  ['an unknown field', { trialDays: 3 }, 'trialDays'],
])('400 for %s, naming the field', async (_, body, path) => {
  const answer = await subs.merchant.call({
    method: 'POST',
    path: '/subscription',
    body: { paymentMethodId: newId(), amount: 349, periodicity: 'MONTHLY', ...body },
  });
  expect(answer).toMatchObject({ status: 400, body: { details: [expect.objectContaining({ path })] } });
});

test('a card of nobody, one that is not ACTIVE, and a merchant without fee channel are refused before anything is written', async () => {
  expect(codeOf(await subs.post({ paymentMethodId: newId() }))).toBe('404 PAYMENT_METHOD_NOT_FOUND');
  const { id } = await subs.card();
  await subs.merchant.call({ method: 'DELETE', path: `/payment-method/${id}` });
  expect(codeOf(await subs.post({ paymentMethodId: id }))).toBe('409 PAYMENT_METHOD_NOT_ACTIVE');
  const poor = await testSubscriptions(services, { merchant: await testMerchant(services, { fees: false }) });
  expect(codeOf(await poor.post())).toBe('409 FEE_CHANNEL_UNKNOWN');
  const made = await subs.create();
  expect(codeOf(await poor.act(made, 'cancel'))).toBe('404 SUBSCRIPTION_NOT_FOUND');
  expect(codeOf(await poor.change(made, { amount: 1 }))).toBe('404 SUBSCRIPTION_NOT_FOUND');
});

test('cancel now: no refund, never blocked; again the same 200; anything else on an ended one is SUBSCRIPTION_ENDED', async () => {
  const made = await subs.create();
  const cancelled = await subs.act(made, 'cancel');
  expect(cancelled).toMatchObject({
    status: 200,
    body: { status: 'CANCELLED', endReason: 'MERCHANT', currentPeriod: null },
  });
  expect((await subs.act(made, 'cancel')).body).toEqual(cancelled.body);
  expect(await subs.payments(made)).toMatchObject([{ status: 'CONFIRMED' }]);
  for (const action of ['pause', 'resume', 'period/2/charge'])
    expect(codeOf(await subs.act(made, action))).toBe('409 SUBSCRIPTION_ENDED');
  expect(codeOf(await subs.change(made, { amount: 1 }))).toBe('409 SUBSCRIPTION_ENDED');
  // For a PAID period, its payment is replayed with 201.
  const paid = await subs.act(made, 'period/1/charge');
  expect(paid).toMatchObject({ status: 201, body: { status: 'CONFIRMED' } });
  expect(paid.headers.get('idempotent-replayed')).toBe('true');
});

test('cancel at the period’s end is taken back by resume; pause and resume say so twice alike', async () => {
  const made = await subs.create();
  expect((await subs.act(made, 'cancel', { atPeriodEnd: true })).body).toMatchObject({
    status: 'ACTIVE',
    cancelAtPeriodEnd: true,
    nextBillingAt: null,
  });
  expect((await subs.act(made, 'resume')).body).toMatchObject({ cancelAtPeriodEnd: false, status: 'ACTIVE' });
  for (let i = 0; i < 2; i++) {
    expect((await subs.act(made, 'pause')).body).toMatchObject({ status: 'PAUSED', nextBillingAt: null });
  }
  for (let i = 0; i < 2; i++) {
    expect((await subs.act(made, 'resume')).body).toMatchObject({ status: 'ACTIVE' });
  }
  expect(codeOf(await subs.act(made, 'period/2/charge'))).toBe('409 SUBSCRIPTION_PERIOD_NOT_DUE');
});

test('lists: newest first by status and card, and under /developer/v1 by cursor', async () => {
  const mine = await testSubscriptions(services);
  const card = await mine.card();
  const made: Subscription[] = [];
  for (let i = 0; i < 3; i++) made.push(await mine.create({ paymentMethodId: card.id }));
  const other = await mine.create();
  await mine.act(made[1] as Subscription, 'pause');
  const idsOf = async (query: string) => {
    const { body } = await mine.merchant.call({ path: `/subscription?${query}` });
    const { count, items } = body as { count: number; items: Subscription[] };
    expect(count).toBe(items.length);
    return items.map(({ id }) => id);
  };
  const [first, paused, last] = made.map(({ id }) => id);
  expect(await idsOf('')).toEqual([other.id, last, paused, first]);
  expect(await idsOf('status=PAUSED')).toEqual([paused]);
  expect(await idsOf(`paymentMethodId=${card.id}&status=ACTIVE`)).toEqual([last, first]);
  const walk = async (query: string) => {
    const ids: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await mine.merchant.call({ path: `/developer/v1/subscription?limit=2&${query}${cursor}` });
      const { data, pagination } = body as { data: Subscription[]; pagination: { nextCursor: string | null } };
      ids.push(...data.map(({ id }) => id));
      if (pagination.nextCursor === null) return ids;
      cursor = `&cursor=${pagination.nextCursor}`;
    }
  };
  expect(await walk('')).toEqual([other.id, last, paused, first]);
  expect(await walk(`paymentMethodId=${card.id}&status=ACTIVE&status=PAUSED`)).toEqual([last, paused, first]);
  const read = await mine.merchant.call({ path: `/developer/v1/subscription/${other.id}` });
  expect(read.body).toEqual(other);
  expect(codeOf(await mine.merchant.call({ path: `/developer/v1/subscription/${newId()}` }))).toBe(
    '404 SUBSCRIPTION_NOT_FOUND',
  );
});

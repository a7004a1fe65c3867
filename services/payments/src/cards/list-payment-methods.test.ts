import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import type { OffsetList } from '@cobro/contracts/paging.ts';
import { paymentMethod, type PaymentMethod } from '@cobro/contracts/payment-methods.ts';
import { payment, type Payment } from '@cobro/contracts/payments.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { hearEvents } from '@cobro/testing/hear-events.ts';
import { refusal } from '@cobro/testing/refusal.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { moveToNoon } from '@cobro/testing/test-holds.ts';
import { cardBody, type TestMerchant, testMerchant } from '@cobro/testing/test-merchant.ts';
import { until } from '@cobro/testing/until.ts';

const DAY = 24 * 3_600_000;

let services: RunningServices;
let merchant: TestMerchant;
let stranger: TestMerchant;

beforeAll(async () => {
  services = await startServices({ services: ['payments', 'holds'], env: { BANK_CALL_TIMEOUT_MS: '5000' } });
  await moveToNoon(services);
  merchant = await testMerchant(services);
  stranger = await testMerchant(services);
});
afterAll(() => services.stop());

const get = (path: string, of = merchant) => of.call({ path });
const ids = ({ body }: HttpAnswer) => (body as OffsetList<{ id: string }>).items.map(({ id }) => id);

async function saveUntil(expirationYear: number, expirationMonth: number): Promise<PaymentMethod> {
  const card = { ...cardBody(), expirationYear, expirationMonth };
  return (await merchant.call({ method: 'POST', path: '/payment-method', body: { card } })).body as PaymentMethod;
}

describe('the lists', () => {
  let cards: PaymentMethod[];
  let charges: Payment[];
  let card: string;

  beforeAll(async () => {
    cards = [];
    for (const number of [testCards.approved, testCards.insufficientFunds, testCards.amexCredit]) {
      cards.unshift(await merchant.saveCard(number));
    }
    card = cards[2]?.id ?? '';
    charges = [];
    for (const [amount, holdFunds] of [
      [1, false],
      [2, true],
      [3, false],
      [4, true],
      [5, false],
    ] as const) {
      charges.unshift((await merchant.charge(card, { amount, holdFunds })).body as Payment);
    }
  });

  test('show a merchant’s cards, newest first, and nobody else’s', async () => {
    const answer = await get('/payment-method');
    expect(answer).toMatchObject({ status: 200, body: { count: 3, page: 1, pageSize: 100, items: cards } });
    expect((await get('/payment-method', stranger)).body).toEqual({ count: 0, page: 1, pageSize: 100, items: [] });
    for (const item of (answer.body as OffsetList<unknown>).items) paymentMethod.parse(item);
  });

  test('show a card’s payments, newest first', async () => {
    const answer = await get(`/payment-method/${card}/payment`);
    expect(answer).toMatchObject({ status: 200, body: { count: 5, page: 1, pageSize: 100, items: charges } });
    for (const item of (answer.body as OffsetList<unknown>).items) payment.parse(item);
    expect((await get(`/payment-method/${cards[0]?.id}/payment`)).body).toMatchObject({ count: 0, items: [] });
  });

  test('come in pages, with the count of all', async () => {
    const path = `/payment-method/${card}/payment?pageSize=2&page=`;
    const pages = await Promise.all([1, 2, 3, 4].map((page) => get(`${path}${page}`)));
    expect(pages.map(({ body }) => (body as OffsetList<unknown>).count)).toEqual([5, 5, 5, 5]);
    expect(pages.map((page) => ids(page).length)).toEqual([2, 2, 1, 0]);
    expect(pages.flatMap(ids)).toEqual(charges.map(({ id }) => id));
    expect(pages[1]?.body).toMatchObject({ page: 2, pageSize: 2 });
    expect(ids(await get('/payment-method?page=2&pageSize=2'))).toEqual([cards[2]?.id]);
    expect(await get('/payment-method?page=999999999&pageSize=500')).toMatchObject({
      status: 200,
      body: { items: [] },
    });
  });

  test('can be of one status', async () => {
    const held = await get(`/payment-method/${card}/payment?status=HELD`);
    expect(held.body).toMatchObject({ count: 2, items: [{ amount: 4 }, { amount: 2 }] });
    const none = await get(`/payment-method/${card}/payment?status=HOLD_EXPIRED`);
    expect(none.body).toMatchObject({ count: 0, items: [] });
    const broke = cards[1]?.id ?? '';
    await merchant.charge(broke);
    expect((await get(`/payment-method/${broke}/payment?status=CANCELLED`)).body).toMatchObject({ count: 1 });
    expect((await get('/payment-method?status=PENDING')).body).toMatchObject({ count: 0 });
    expect((await get('/payment-method?status=ACTIVE&page=1')).body).toMatchObject({ count: 3 });
  });

  test.each([
    ['page=0', 'page'],
    ['page=-1', 'page'],
    ['page=1.5', 'page'],
    ['page=', 'page'],
    ['page=one', 'page'],
    ['page=1&page=2', 'page'],
    ['pageSize=0', 'pageSize'],
    ['pageSize=501', 'pageSize'],
    ['pageSize=1e2', 'pageSize'],
    ['status=held', 'status'],
    ['status=', 'status'],
    ['Status=HELD', 'Status'],
    ['limit=10', 'limit'],
  ])('do not take ?%s', async (query, path) => {
    for (const list of ['/payment-method', `/payment-method/${card}/payment`]) {
      const answer = await get(`${list}?${query}`);
      expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR', details: [{ path }] } });
      expect((answer.body as { message: string }).message).toContain(`${path}: `);
    }
  });

  test('and single ones are found by their ids', async () => {
    const id = charges[0]?.id ?? '';
    expect(await get(`/payment-method/${card}/payment/${id}`)).toMatchObject({ status: 200, body: charges[0] });
    expect(await get(`/payment-method/${card}`)).toMatchObject({ status: 200, body: cards[2] });
    expect(await get(`/payment-method/${newId()}`)).toMatchObject(refusal(404, 'PAYMENT_METHOD_NOT_FOUND'));
    expect(await get(`/payment-method/${cards[0]?.id}/payment/${id}`)).toMatchObject(refusal(404, 'PAYMENT_NOT_FOUND'));
    expect(await get(`/payment-method/${card}/payment/${newId()}`)).toMatchObject(refusal(404, 'PAYMENT_NOT_FOUND'));
    expect(await get(`/payment-method/${card}/payment/1`)).toMatchObject(refusal(400, 'VALIDATION_ERROR'));
    expect(await get('/payment-method/%ff')).toMatchObject(refusal(400, 'VALIDATION_ERROR'));
    expect(await get(`/payment-method/${card}?expand=payments`)).toMatchObject(refusal(400, 'VALIDATION_ERROR'));
  });
});

describe('a revoked card', () => {
  test('is revoked once and for all, and its holds live on', async () => {
    const events = await hearEvents(services.broker);
    const { id } = await merchant.saveCard();
    const hold = (await merchant.charge(id, { holdFunds: true, amount: 9 })).body as Payment;
    for (let n = 0; n < 2; n++) {
      const answer = await merchant.call({ method: 'DELETE', path: `/payment-method/${id}` });
      expect(answer).toMatchObject({ status: 200, body: { success: true } });
    }
    expect((await get(`/payment-method/${id}`)).body).toMatchObject({ id, status: 'REVOKED' });
    expect((await get('/payment-method?status=REVOKED')).body).toMatchObject({ count: 1, items: [{ id }] });
    expect(await merchant.charge(id)).toMatchObject(refusal(409, 'PAYMENT_METHOD_NOT_ACTIVE'));
    const path = `/payment-method/${id}/payment/${hold.id}`;
    expect(await merchant.call({ method: 'POST', path: `${path}/capture` })).toMatchObject({ status: 200 });
    await until('payments follows', async () => ((await get(path)).body as Payment).status === 'CONFIRMED');
    expect(await get(path)).toMatchObject({ status: 200, body: { amount: 9 } });

    expect(await events.data('PaymentMethodRevoked', id)).toMatchObject({ lastFourDigits: '4242' });
    expect(events.of(id).map(({ type }) => type)).toEqual(['PaymentMethodSaved', 'PaymentMethodRevoked']);
    await events.close();
    expect(await merchant.call({ method: 'DELETE', path: `/payment-method/${newId()}` })).toMatchObject(
      refusal(404, 'PAYMENT_METHOD_NOT_FOUND'),
    );
  });
});

// Last: the clock goes forward only.
describe('a card whose month has passed', () => {
  test('is expired by the calendar, takes no charge, and answers for earlier ones', async () => {
    const now = services.now();
    const card = await saveUntil(now.getUTCFullYear(), now.getUTCMonth() + 1);
    const inForce = await saveUntil(now.getUTCFullYear() + 2, 1);
    const charged = await merchant.charge(card.id, { externalId: 'while in force' });
    expect(charged.status).toBe(201);
    await services.moveClock(32 * DAY);
    expect((await get(`/payment-method/${card.id}`)).body).toMatchObject({ status: 'EXPIRED' });
    expect((await get('/payment-method?status=EXPIRED')).body).toMatchObject({ count: 1, items: [{ id: card.id }] });
    expect(ids(await get('/payment-method?status=ACTIVE'))).not.toContain(card.id);
    expect(ids(await get('/payment-method?status=ACTIVE'))).toContain(inForce.id);
    expect(await merchant.charge(card.id)).toMatchObject(refusal(409, 'PAYMENT_METHOD_NOT_ACTIVE'));
    const replay = await merchant.charge(card.id, { externalId: 'while in force' });
    expect(replay).toMatchObject({ status: 201, body: charged.body });
    expect(await merchant.charge(inForce.id)).toMatchObject({ status: 201 });
    const expired = await merchant.call({ method: 'DELETE', path: `/payment-method/${card.id}` });
    expect(expired).toMatchObject({ status: 200, body: { success: true } });
  });
});

import { newEvent } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import type { Payment } from '@cobro/contracts/payments.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql } from '@cobro/postgres/database.ts';
import { untilAtTheBank, untilBankIsBack } from '@cobro/testing/at-the-bank.ts';
import { setFaults } from '@cobro/testing/bank-faults.ts';
import { patiently } from '@cobro/testing/patiently.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type Receipt, testIntents } from '@cobro/testing/test-intents.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { frozenRates, testPromotions, type TestShop, testShop } from '@cobro/testing/test-promotions.ts';

let services: RunningServices;
beforeAll(async () => {
  services = await startServices({
    services: ['payments', 'holds', 'intents'],
    replicas: { payments: 2 },
    env: { BANK_CALL_TIMEOUT_MS: '8000' },
  });
});
afterAll(() => services.stop());

const open = () => testShop(services);
const frozenOf = (id: string) => frozenRates(services, id);
const idOf = ({ body }: HttpAnswer) => (body as { id?: string; paymentId?: string }).id ?? '';
const countOf = async (shop: TestShop, id: string) => (await shop.read(id)).paymentsCount;

describe('a payment carries a promotion, with its rates in place of the channel’s', () => {
  test('where a saved card is charged', async () => {
    const shop = await open();
    const { id } = await shop.create({ feeDiscount: 4.5, maxPayments: 10 });
    const charged = await shop.charge();
    expect(charged.status).toBe(201);
    // The fee is 3.5 %, so the sponsor bears no more.
    expect(await frozenOf(idOf(charged))).toEqual({ id, status: 'CONFIRMED', fee: 350, discount: 350, take: 125 });
    expect(await countOf(shop, id)).toBe(1);
  });

  test('where funds are held, whatever is captured of them', async () => {
    const shop = await open();
    const { id } = await shop.create({ feeDiscount: 1, minimumAmount: 100 });
    const held = (await shop.charge({ holdFunds: true })).body as Payment;
    const carried = { id, fee: 350, discount: 100, take: 125 };
    expect(await frozenOf(held.id)).toEqual({ ...carried, status: 'HELD' });
    await shop.end(id);
    const path = `/payment-method/${shop.card}/payment/${held.id}/capture`;
    const captured = await patiently(() => shop.merchant.call({ method: 'POST', path, body: { amount: 40 } }));
    expect(captured.status).toBe(200);
    await until('captured', async () => (await frozenOf(held.id)).status === 'CONFIRMED');
    expect(await frozenOf(held.id)).toEqual({ ...carried, status: 'CONFIRMED' });
    const { rates } = await services.db('holds').one<{ rates: object }>(sql`
      select rates from hold where payment_id = ${held.id}`);
    expect(rates).toMatchObject({ feeBps: 350, promotionFeeDiscountBps: 100, promotionBusinessTakeBps: 125 });
    expect(await countOf(shop, id)).toBe(1);
  });

  test('where a one-time payment is paid in the terms of the promotion', async () => {
    const shop = await open();
    const { id } = await shop.create({ terms: [6], types: ['CARD_NOT_PRESENT'], networks: ['VISA'] });
    const pay = async (terms: number) => {
      const body = { amount: 900, description: 'Dos boletos', allowedTerms: [1, 6] };
      const link = idOf(await shop.merchant.call({ method: 'POST', path: '/one-time-payment', body }));
      const payer = { email: 'ana@example.com', firstName: 'Ana', lastName: 'Torres' };
      const answer = await services.call('payments', {
        method: 'POST',
        path: `/one-time-payment/${link}/payment`,
        body: { card: cardBody(), billingInformation: payer, terms },
        caller: { kind: 'public' },
        headers: { 'x-forwarded-for': `10.9.8.${terms}` },
      });
      expect(answer.status).toBe(201);
      return services
        .db('payments')
        .one<{ id: string }>(sql`select id from payment where one_time_payment_id = ${link}`);
    };
    expect(await frozenOf((await pay(6)).id)).toMatchObject({ id, discount: 0, take: 125 });
    expect(await frozenOf((await pay(1)).id)).toMatchObject({ id: null, discount: 0, take: 0 });
  });

  test('where a card is tapped, also where the bank asks for it again', async () => {
    const intents = await testIntents(services);
    const shop = await testPromotions(services, { merchant: intents.merchant });
    const { id } = await shop.create({ types: ['CARD_PRESENT'], maxPayments: 1 });
    const tap = async () => {
      const { terminal, intent } = await intents.ready();
      const paid = await patiently(() => terminal.pay(intent));
      expect(paid.status).toBe(201);
      return frozenOf((paid.body as Receipt).paymentId);
    };
    await setFaults(services.bank.url, { next: [{ kind: 'sale', fault: 'retry' }] });
    expect(await tap()).toMatchObject({ id, status: 'CONFIRMED', take: 125 });
    await setFaults(services.bank.url, {});
    expect((await shop.read(id)).paymentsCount).toBe(1);
    // The promotion is spent.
    expect(await tap()).toMatchObject({ id: null, take: 0 });
    expect((await shop.read(id)).paymentsCount).toBe(1);
  });

  test('unless it has no fee channel, or is not what the promotion is for', async () => {
    const shop = await open();
    await shop.create({ networks: ['MASTERCARD'] });
    await shop.create({ issuingBanks: ['NO SUCH BANK'] });
    await shop.create({ types: ['CARD_PRESENT'] });
    await shop.create({ minimumAmount: 100.01 });
    await shop.create({ startsAt: new Date(services.now().getTime() + 60_000).toISOString() });
    await shop.post({ feeDiscount: 5 });
    expect(await frozenOf(idOf(await shop.charge()))).toMatchObject({ id: null, discount: 0, take: 0 });
    await services
      .db('payments')
      .run(sql`delete from fee_channel where organization_id = ${shop.merchant.organizationId}`);
    await shop.create();
    const held = await shop.charge({ holdFunds: true, amount: 500 });
    expect(await frozenOf(idOf(held))).toMatchObject({ id: null, status: 'HELD', fee: null });
  });
});

describe('of several', () => {
  test('the one that leaves the merchant most, then the next best, then none', async () => {
    const shop = await open();
    const take = await shop.create({ businessTake: 2, maxPayments: 1 });
    const discount = await shop.create({ feeDiscount: 2, businessTake: 0, maxPayments: 1 });
    const smaller = await shop.create({ feeDiscount: 1, businessTake: 0, maxPayments: 1 });
    const carried = [];
    for (let i = 0; i < 4; i++) carried.push((await frozenOf(idOf(await shop.charge()))).id);
    expect(carried).toEqual([discount.id, smaller.id, take.id, null]);
  });

  test('that are the same to the merchant, the one with the smallest id', async () => {
    const shop = await open();
    const ids = [(await shop.create()).id, (await shop.create()).id, (await shop.create()).id];
    expect((await frozenOf(idOf(await shop.charge()))).id).toBe(ids.toSorted()[0]);
  });

  test('that are spent at the same time, in one order or the other, each counts what carries it', async () => {
    const shop = await open();
    // Of 100.00 the first leaves the merchant more; of 0.50 its take is rounded up, and the second leaves more.
    const first = await shop.create({ feeDiscount: 2, businessTake: 1, maxPayments: 4 });
    const second = await shop.create({ feeDiscount: 1, businessTake: 0, maxPayments: 4 });
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, i) => shop.charge({ amount: i < 7 ? 0.5 : 100 }, shop.card, i % 2)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(await shop.carriedBy()).toEqual(
      new Map([
        [first.id, 4],
        [second.id, 4],
      ]),
    );
    expect([await countOf(shop, first.id), await countOf(shop, second.id)]).toEqual([4, 4]);
  });
});

describe('what a promotion counts', () => {
  test.each([
    ['a capped one', 5],
    ['one without maxPayments', undefined],
  ])('of %s: not what was declined, refused or never sent, and still what was refunded', async (_name, maxPayments) => {
    const shop = await open();
    const { id } = await shop.create({ maxPayments });
    const declined = (await shop.merchant.saveCard(testCards.declined)).id;
    expect((await shop.charge({}, declined)).status).toBe(402);
    expect(await countOf(shop, id)).toBe(0);

    const paid = (await shop.charge()).body as Payment;
    const refunding = { method: 'POST', path: `/payment-method/${shop.card}/payment/${paid.id}/refund`, body: {} };
    expect((await patiently(() => shop.merchant.call(refunding))).status).toBe(200);
    expect(await countOf(shop, id)).toBe(1);

    await services.bank.kill();
    const externalId = newId();
    const unsent = await shop.merchant.charge(shop.card, { externalId });
    expect(unsent).toMatchObject({ status: 503, body: { code: 'BANK_UNAVAILABLE' } });
    expect(await countOf(shop, id)).toBe(1);
    await services.bank.start();
    await untilBankIsBack(services, 'payments');
    const sent = await shop.charge({ externalId });
    expect(sent.status).toBe(201);
    expect(await countOf(shop, id)).toBe(2);
    // A replay counts nothing.
    expect((await shop.charge({ externalId })).headers.get('idempotent-replayed')).toBe('true');
    expect(await countOf(shop, id)).toBe(2);
    expect(await shop.carriedBy()).toEqual(new Map([[id, 2]]));
  });

  test('while nobody knows: the payment, and no more once the bank has never seen it', async () => {
    const shop = await open();
    const { id } = await shop.create({ maxPayments: 2 });
    const lost = (await shop.merchant.saveCard(testCards.silentNotDone)).id;
    const done = (await shop.merchant.saveCard(testCards.silentDone)).id;
    const [first, second] = await Promise.all([shop.merchant.charge(lost), shop.merchant.charge(done)]);
    expect([first.status, second.status]).toEqual([202, 202]);
    await until('both are known', async () => {
      const statuses = await Promise.all([first, second].map(async (one) => (await frozenOf(idOf(one))).status));
      // While PENDING, the first counts, though it may be given back.
      return statuses[0] === 'CANCELLED' && statuses[1] === 'CONFIRMED';
    });
    expect(await countOf(shop, id)).toBe(1);
    expect(await frozenOf(idOf(first))).toMatchObject({ id, take: 125 });
    expect(await shop.carriedBy()).toEqual(new Map([[id, 1]]));
  });

  test('once, however often and at once an externalId is sent to two replicas', async () => {
    const shop = await open();
    const { id } = await shop.create({ maxPayments: 3 });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => shop.charge({ externalId: 'one' }, shop.card, i % 2)),
    );
    expect(new Set(answers.filter(({ status }) => status === 201).map(idOf)).size).toBe(1);
    expect(await countOf(shop, id)).toBe(1);
  });

  test('the last of its payments, whom two replicas want to give it to, is given once', async () => {
    const shop = await open();
    const { id } = await shop.create({ maxPayments: 3 });
    const answers = await Promise.all(Array.from({ length: 14 }, (_, i) => shop.charge({}, shop.card, i % 2)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(await shop.carriedBy()).toEqual(new Map([[id, 3]]));
    expect(await shop.read(id)).toMatchObject({ status: 'ACTIVE', paymentsCount: 3 });
  });
});

describe('what happens to a promotion while a charge is under way', () => {
  test.each([
    ['its merchant ends it', (shop: TestShop, id: string) => shop.end(id)],
    ['its sponsor ends it', (shop: TestShop, id: string) => shop.ask('POST', `/developer/promotion/${id}/end`)],
    ['the organization changes its sales partner', changePartner],
  ])('changes nothing in the charge: %s', async (_name, change) => {
    const shop = await open();
    const { id } = await shop.create({ feeDiscount: 2, maxPayments: 9 });
    await services.bank.setFaults({ next: [{ kind: 'sale', fault: 'held' }] });
    const charging = shop.charge();
    await untilAtTheBank(services, 'payments');
    expect((await change(shop, id)).status).toBe(200);
    await services.bank.setFaults({});
    const charged = await charging;
    expect(charged.status).toBe(201);
    expect(await frozenOf(idOf(charged))).toMatchObject({ id, status: 'CONFIRMED', discount: 200, take: 125 });
    expect(await shop.read(id)).toMatchObject({ status: 'ENDED', paymentsCount: 1 });
    expect(await frozenOf(idOf(await shop.charge()))).toMatchObject({ id: null, discount: 0 });
  });

  test.each([1_000, undefined])(
    'no charge that begins after it has ended carries it: maxPayments %s',
    async (maxPayments) => {
      const shop = await open();
      const { id } = await shop.create({ maxPayments });
      let hasEnded = false;
      const late: string[] = [];
      const charge = async (replica: number) => {
        for (let i = 0; i < 6; i++) {
          const isLate = hasEnded;
          const charged = idOf(await shop.charge({}, shop.card, replica));
          if (isLate) late.push(charged);
        }
      };
      const ending = async () => {
        await until('some carry it', async () => (await countOf(shop, id)) > 2);
        expect((await shop.end(id)).status).toBe(200);
        hasEnded = true;
      };
      await Promise.all([charge(0), charge(1), charge(0), charge(1), ending()]);
      late.push(idOf(await shop.charge()));
      for (const one of late) expect(await frozenOf(one)).toMatchObject({ id: null, take: 0 });
      expect(await countOf(shop, id)).toBe((await shop.carriedBy()).get(id));
    },
  );
});

/** Sends the event that the gateway would publish. */
function changePartner({ merchant: { organizationId } }: TestShop): Promise<HttpAnswer> {
  const body = newEvent('OrganizationChanged', {
    subject: organizationId,
    sequence: 2,
    time: new Date(),
    data: { organizationId, name: 'Café', websiteURL: null, partnerId: newId(), partnerName: 'Otro' },
  });
  const caller = { kind: 'service', name: 'gateway' } as const;
  return services.call('payments', { method: 'POST', path: '/internal/events', body, caller });
}

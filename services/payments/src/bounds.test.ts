import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import type { Payment } from '@cobro/contracts/payments.ts';
import { sql } from '@cobro/postgres/database.ts';
import { lockWaits } from '@cobro/testing/lock-waits.ts';
import { awake } from '@cobro/testing/awake.ts';
import { refusal } from '@cobro/testing/refusal.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { cardBody, type TestMerchant, testMerchant } from '@cobro/testing/test-merchant.ts';
import { until } from '@cobro/testing/until.ts';

const CALL_TIMEOUT_MS = 12_000;
const BOUNDS = { BANK_CALLS_PER_CARD: '2', BANK_CALLS_PER_MERCHANT: '3', BANK_CALLS: '4' };

let services: RunningServices;
let merchant: TestMerchant;
let other: TestMerchant;
/** Cards of `merchant`. */
let slow: string;
let slowToo: string;
let card: string;
/** A card of `other`. */
let others: string;

beforeAll(async () => {
  services = await startServices({
    services: ['payments'],
    env: { BANK_CALL_TIMEOUT_MS: String(CALL_TIMEOUT_MS), ...BOUNDS },
  });
  [merchant, other] = await Promise.all([testMerchant(services), testMerchant(services)]);
  slow = (await merchant.saveCard()).id;
  card = (await merchant.saveCard()).id;
  slowToo = (await merchant.saveCard()).id;
  others = (await other.saveCard()).id;
});
afterAll(() => services.stop());

const unavailable = refusal(503, 'BANK_UNAVAILABLE');
const expectUnavailable = (answer: HttpAnswer) => {
  expect(answer).toMatchObject(unavailable);
  expect(answer.headers.get('retry-after')).toBe('1');
};
const rowsOf = async (externalId: string) => {
  const { count } = await services.db('payments').one<{ count: number }>(sql`
    select (select count(*) from payment where external_id = ${externalId})::int
      + (select count(*) from payment_method where external_id = ${externalId})::int as count`);
  return count;
};
const openOperations = async () => {
  const open = sql`select count(*)::int as count from bank_operation where status = 'open'`;
  return (await services.db('payments').one<{ count: number }>(open)).count;
};
const operations = async () =>
  (await services.db('payments').one<{ count: number }>(sql`select count(*)::int as count from bank_operation`)).count;
const save = (of: TestMerchant, externalId = newId(), headers = {}) =>
  of.call({ method: 'POST', path: '/payment-method', body: { externalId, card: cardBody() }, headers });
const refund = (id: string, headers = {}, of = card) =>
  merchant.call({ method: 'POST', path: `/payment-method/${of}/payment/${id}/refund`, headers });

/** Keeps these charges at the bank until the end. */
async function occupy(...charges: (() => Promise<HttpAnswer>)[]) {
  await holdSales(charges.length);
  return occupied(...charges);
}
const holdSales = (count: number) =>
  services.bank.setFaults({ next: Array.from({ length: count }, () => ({ kind: 'sale', fault: 'held' })) });
async function occupied(...charges: (() => Promise<HttpAnswer>)[]) {
  const running = charges.map((charge) => charge());
  await until('they are at the bank', async () => {
    const asked = await services.db('payments').many<{ id: string }>(sql`
      select id from bank_operation where status = 'open'`);
    const outcomes = await Promise.all(asked.map(({ id }) => services.bank.outcomeOf(id)));
    return outcomes.length === charges.length && outcomes.every((outcome) => outcome === 'in_progress');
  });
  return {
    end: async () => {
      await services.bank.setFaults({});
      for (const answer of await Promise.all(running)) expect(answer.status).toBe(201);
    },
  };
}
const slowly = (externalId = newId()) => merchant.charge(slow, { externalId });

describe('where no permit is left', () => {
  test('for a card, its charges are refused and spend nothing; other cards and reads go on', async () => {
    const running = await occupy(slowly, slowly);
    const externalId = newId();
    expectUnavailable(await slowly(externalId));
    expectUnavailable(await merchant.charge(slow, { externalId, holdFunds: true }));
    expect(await rowsOf(externalId)).toBe(0);
    expect(await merchant.charge(card)).toMatchObject({ status: 201 });
    expect(await merchant.call({ path: `/payment-method/${slow}/payment` })).toMatchObject({ status: 200 });
    await running.end();

    const made = await slowly(externalId);
    expect(made).toMatchObject({ status: 201, body: { status: 'CONFIRMED' } });
    expect(await slowly(externalId)).toMatchObject({ status: 201, body: made.body });
    const sales = (await services.bank.operations()).filter(({ kind }) => kind === 'sale');
    expect(sales).toHaveLength(4);
  });

  test('for a merchant, whatever would call the bank is refused; another merchant goes on', async () => {
    const [done, refunded] = [await merchant.charge(card), await merchant.charge(card)];
    const idOf = ({ body }: HttpAnswer) => (body as Payment).id;
    expect(await refund(idOf(refunded))).toMatchObject({ status: 200 });
    const running = await occupy(slowly, slowly, () => merchant.charge(slowToo));
    const externalId = newId();
    for (const answer of [
      await merchant.charge(card, { externalId }),
      await merchant.charge(card, { externalId, holdFunds: true }),
      await save(merchant, externalId),
      await refund(idOf(done)),
    ]) {
      expectUnavailable(answer);
    }
    expect(await rowsOf(externalId)).toBe(0);
    expect(await merchant.call({ path: `/payment-method/${card}/payment/${idOf(done)}` })).toMatchObject({
      body: { status: 'CONFIRMED' },
    });
    // A request's own faults are answered first.
    expect(await merchant.charge(newId())).toMatchObject(refusal(404, 'PAYMENT_METHOD_NOT_FOUND'));
    expect(await merchant.charge(card, { amount: -1 })).toMatchObject(refusal(400, 'VALIDATION_ERROR'));
    expect(await refund(idOf(refunded))).toMatchObject(refusal(409, 'PAYMENT_ALREADY_REFUNDED'));
    expect(await save(other)).toMatchObject({ status: 201 });
    await running.end();
    expect(await refund(idOf(done))).toMatchObject({ status: 200 });
  });

  test('in the whole service, every merchant is refused', async () => {
    const running = await occupy(
      slowly,
      slowly,
      () => other.charge(others),
      () => other.charge(others),
    );
    expectUnavailable(await merchant.charge(card));
    const stranger = await testMerchant(services);
    expectUnavailable(await save(stranger));
    await running.end();
    expect(await save(stranger)).toMatchObject({ status: 201 });
  });

  test('replays are answered, wait, and are refused as ever', async () => {
    const [before, now] = [newId(), newId()];
    const original = await merchant.charge(card, { externalId: before });
    const savedBefore = await save(merchant, before);
    const running = await occupy(
      () => slowly(now),
      slowly,
      () => other.charge(others),
      () => other.charge(others),
    );
    expect(await merchant.charge(card, { externalId: before })).toMatchObject({ status: 201, body: original.body });
    expect(await save(merchant, before)).toMatchObject({ status: 201, body: savedBefore.body });
    expect(await merchant.charge(card, { externalId: before, amount: 1 })).toMatchObject(
      refusal(409, 'EXTERNAL_ID_MISMATCH'),
    );
    const waited = await slowly(now);
    expect([201, 409]).toContain(waited.status);
    await running.end();
  });

  test('but one, requests with one externalId share it', async () => {
    await holdSales(4);
    const running = await occupied(
      slowly,
      () => other.charge(others),
      () => other.charge(others),
    );
    const externalId = newId();
    let answered = 0;
    const asked = Array.from({ length: 12 }, () => slowly(externalId).finally(() => answered++));
    await until('all but the one at the bank have an answer', () => answered >= 11);
    await running.end();
    const answers = await Promise.all(asked);
    for (const { status } of answers) expect([201, 409]).toContain(status);
    const codes = answers.flatMap(({ body }) => (body as { code?: string }).code ?? []);
    expect(new Set([...codes, 'CHARGE_IN_PROGRESS'])).toEqual(new Set(['CHARGE_IN_PROGRESS']));
    await until('its permit is released', async () => (await openOperations()) === 0);
    const saves = await Promise.all(Array.from({ length: 12 }, () => save(merchant, externalId)));
    for (const { status } of saves) expect(status).toBe(201);
    expect(new Set(saves.map(({ body }) => (body as { id: string }).id)).size).toBe(1);
  });

  test('because of claims that failed, it comes back', async () => {
    for (let again = 0; again < 6; again++) {
      const clash = newId();
      const answers = await Promise.all([1, 2].map((amount) => merchant.charge(card, { amount, externalId: clash })));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    }
    const running = await occupy(slowly, slowly);
    await running.end();
  });
});

describe('a request with less time left than a call and a second', () => {
  const hurried = { 'x-remaining-ms': String(CALL_TIMEOUT_MS + 990) };

  test('is refused before any row; with a little more it is served', async () => {
    const charged = (await merchant.charge(card)).body as Payment;
    const [externalId, before] = [newId(), await operations()];
    const charge = (body: object, headers: Record<string, string>) =>
      merchant.call({ method: 'POST', path: `/payment-method/${card}/payment`, body: { amount: 7, ...body }, headers });
    for (const answer of [
      await charge({ externalId }, hurried),
      await charge({ externalId, holdFunds: true }, hurried),
      await charge({}, { 'x-remaining-ms': '0' }),
      await save(merchant, externalId, hurried),
      await refund(charged.id, hurried),
    ]) {
      expectUnavailable(answer);
    }
    expect(await charge({ amount: -1 }, hurried)).toMatchObject(refusal(400, 'VALIDATION_ERROR'));
    expect([await rowsOf(externalId), await operations()]).toEqual([0, before]);

    const enough = { 'x-remaining-ms': String(CALL_TIMEOUT_MS + 8_000) };
    const original = await charge({ externalId }, enough);
    expect(original).toMatchObject({ status: 201 });
    expect(await charge({ externalId }, hurried)).toMatchObject({ status: 201, body: original.body });
    expect(await save(merchant, externalId, enough)).toMatchObject({ status: 201 });
    expect(await save(merchant, externalId, hurried)).toMatchObject({ status: 201 });
    expect(await refund(charged.id, enough)).toMatchObject({ status: 200 });
    expect(await refund(charged.id, hurried)).toMatchObject(refusal(409, 'PAYMENT_ALREADY_REFUNDED'));
  });

  test('because it waited for a lock is refused too, and nothing of its claim stays', async () => {
    const charged = (await merchant.charge(card)).body as Payment;
    const before = await operations();
    const free = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const locking = services.db('payments').inTransaction(async (tx) => {
      await tx.run(sql`select from payment where id = ${charged.id} for update`);
      locked.resolve();
      await awake(tx, free.promise);
    });
    await locked.promise;
    let isAnswered = false;
    const ask = () =>
      refund(charged.id, { 'x-remaining-ms': String(CALL_TIMEOUT_MS + 1_400) }).finally(() => (isAnswered = true));
    let waiting = ask();
    await until('its claim waits for the lock', async () => {
      // On a slow machine no time may have been left before the claim.
      if (isAnswered) waiting = ask();
      isAnswered = false;
      return (await lockWaits(services.db('payments'))) > 0;
    });
    setTimeout(free.resolve, 1_200);
    // If the test itself stands still, the claim gives the lock up after two seconds.
    const { status, body } = await waiting;
    expect([status, (body as { code?: string }).code]).toEqual([
      503,
      expect.stringMatching(/^(BANK|SERVICE)_UNAVAILABLE$/),
    ]);
    await locking;
    expect(await operations()).toBe(before);
    expect(await refund(charged.id)).toMatchObject({ status: 200 });
  });
});

test('what is no envelope is no event', async () => {
  const caller = { kind: 'service', name: 'holds' } as const;
  for (const body of [{}, { type: 'HoldCaptured' }, undefined]) {
    const answer = await services.call('payments', { method: 'POST', path: '/internal/events', body, caller });
    expect(answer).toMatchObject(refusal(400, 'VALIDATION_ERROR'));
  }
});

test('nothing was asked of the bank but what has an operation', async () => {
  await until('all is settled', async () => (await openOperations()) === 0);
  expect((await services.bank.operations()).length).toBe(await operations());
});

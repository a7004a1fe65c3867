import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import type { Payment } from '@cobro/contracts/payments.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql } from '@cobro/postgres/database.ts';
import { untilAtTheBank } from '@cobro/testing/at-the-bank.ts';
import { hearEvents, type HeardEvents } from '@cobro/testing/hear-events.ts';
import { unansweredInquiries } from '@cobro/testing/start-bank.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { moveToNoon } from '@cobro/testing/test-holds.ts';
import { type TestMerchant, testMerchant } from '@cobro/testing/test-merchant.ts';
import { until } from '@cobro/testing/until.ts';
import { retoldDifferently } from '../test-retelling.ts';

let services: RunningServices;
let events: HeardEvents;
let merchant: TestMerchant;

beforeAll(async () => {
  services = await startServices({ services: ['payments', 'holds'], env: { BANK_CALL_TIMEOUT_MS: '4000' } });
  await moveToNoon(services);
  events = await hearEvents(services.broker);
  merchant = await testMerchant(services);
});
afterAll(async () => {
  await events.close();
  await services.stop();
});

const idOf = (answer: HttpAnswer) => (answer.body as Payment).id;
const read = async (card: string, id: string) =>
  (await merchant.call({ path: `/payment-method/${card}/payment/${id}` })).body as Payment;

const settled = (card: string, id: string) =>
  until(`${id} is settled`, async () => (await read(card, id)).status !== 'PENDING');

async function atTheBank(paymentId: string) {
  const asked = await services.db('payments').many<{ id: string; status: string }>(sql`
    select id, status from bank_operation where subject_id = ${paymentId}`);
  const done = (await services.bank.operations()).filter((one) => asked.some(({ id }) => id === one.idempotencyKey));
  return { asked, done };
}

describe('a charge that the bank does not answer', () => {
  interface Story {
    first: HttpAnswer;
    duplicate: HttpAnswer;
    refund: HttpAnswer;
    end: Payment;
    replay: HttpAnswer;
    done: Awaited<ReturnType<typeof atTheBank>>['done'];
  }
  const stories = new Map<string, Story>();
  const story = (name: string) => stories.get(name) as Story;

  /** Returns a function that waits for the charge's end, once the bank answers inquiries. */
  async function live(name: string, card: string, body: object): Promise<() => Promise<void>> {
    const charge = { amount: 60, externalId: newId(), ...body };
    const first = await merchant.charge(card, charge);
    const id = idOf(first);
    const duplicate = await merchant.charge(card, charge);
    const refund = await merchant.call({ method: 'POST', path: `/payment-method/${card}/payment/${id}/refund` });
    return async () => {
      await settled(card, id);
      const [end, replay, { done }] = [await read(card, id), await merchant.charge(card, charge), await atTheBank(id)];
      stories.set(name, { first, duplicate, refund, end, replay, done });
    };
  }

  beforeAll(async () => {
    const { approved, error, silentDone, silentNotDone } = testCards;
    const card = async (number: string) => (await merchant.saveCard(number)).id;
    await services.bank.setFaults({ ...unansweredInquiries, next: [{ kind: 'sale', fault: 'drop' }] });
    const dropped = await live('drop', await card(approved), {});
    const ends = await Promise.all([
      live('silentDone', await card(silentDone), {}),
      live('silentNotDone', await card(silentNotDone), {}),
      live('error', await card(error), {}),
      live('hold silentDone', await card(silentDone), { holdFunds: true }),
      live('hold silentNotDone', await card(silentNotDone), { holdFunds: true }),
    ]);
    await services.bank.setFaults({});
    await Promise.all([dropped, ...ends].map((end) => end()));
  });

  test.each(['drop', 'silentDone', 'silentNotDone', 'error', 'hold silentDone', 'hold silentNotDone'])(
    '%s: is shown as pending, to duplicates too, and cannot be refunded',
    (name) => {
      const { first, duplicate, refund } = story(name);
      expect(first).toMatchObject({ status: 202, body: { status: 'PENDING', amount: 60, heldAmount: null } });
      expect(first.headers.get('retry-after')).toBe('1');
      expect(first.headers.get('location')).toMatch(new RegExp(`^/api/payment-method/.*/payment/${idOf(first)}$`));
      expect(duplicate).toMatchObject({ status: 202, body: first.body });
      expect(duplicate.headers.get('idempotent-replayed')).toBe('true');
      expect(refund).toMatchObject({ status: 409, body: { code: 'PAYMENT_NOT_REFUNDABLE' } });
    },
  );

  test.each(['drop', 'silentDone'])('%s: is confirmed later, by asking, once', async (name) => {
    const { first, end, replay, done } = story(name);
    expect(end).toMatchObject({ id: idOf(first), status: 'CONFIRMED', amount: 60 });
    expect(replay).toMatchObject({ status: 201, body: end });
    expect(done).toMatchObject([{ kind: 'sale', outcome: 'approved', amount: 6_000 }]);
    const { confirmedAt } = await events.data('PaymentConfirmed', end.id);
    expect(confirmedAt.toISOString()).toBe(done[0]?.createdAt);
    expect(events.of(end.id)).toHaveLength(1);
  });

  test('a hold is held later, with the bank’s time, and can be released', async () => {
    const { end, replay, done } = story('hold silentDone');
    expect(done).toMatchObject([{ kind: 'authorize', outcome: 'approved' }]);
    expect(end).toMatchObject({ status: 'HELD', heldAmount: 60, heldAt: done[0]?.createdAt });
    expect(replay).toMatchObject({ status: 201, body: end });
    const card = (await events.data('HoldPlaced', end.id)).paymentMethodId;
    const released = await merchant.call({ method: 'POST', path: `/payment-method/${card}/payment/${end.id}/release` });
    expect(released).toMatchObject({ status: 200, body: { status: 'HOLD_RELEASED' } });
  });

  test.each(['silentNotDone', 'error', 'hold silentNotDone'])('%s: is cancelled later, and spent', async (name) => {
    const { first, end, replay, done } = story(name);
    expect(end).toMatchObject({ id: idOf(first), status: 'CANCELLED' });
    expect(replay.status).toBe(402);
    expect(replay.body).toMatchObject({ code: 'CHARGE_DECLINED', declineCode: 'not_processed', paymentId: end.id });
    expect(done).toEqual([]);
    expect(await events.data('PaymentDeclined', end.id)).toMatchObject({
      declineCode: 'not_processed',
      transaction: { authResult: 'NOT_PROCESSED', bankReference: null },
    });
  });
});

describe('a charge that we cannot write down', () => {
  test('is shown as pending, and settled when we can', async () => {
    const { id: card } = await merchant.saveCard();
    const db = services.db('payments');
    await db.run(sql`alter table outbox rename to outbox_away`);
    const answer = await merchant.charge(card, { externalId: 'unwritten' });
    await db.run(sql`alter table outbox_away rename to outbox`);
    expect(answer).toMatchObject({ status: 202, body: { status: 'PENDING' } });
    await settled(card, idOf(answer));
    expect(await read(card, idOf(answer))).toMatchObject({ status: 'CONFIRMED' });
    await events.data('PaymentConfirmed', idOf(answer));
    expect((await atTheBank(idOf(answer))).done).toHaveLength(1);
    await until('it is said', () => services.logs('payments').includes('not settled'));
  });
});

describe('a charge in whose middle we die', () => {
  test.each([
    ['before the bank has decided', 'CONFIRMED', { slowMs: 6_000 }, testCards.slow],
    ['and the bank never got it', 'CANCELLED', {}, testCards.silentNotDone],
  ])('%s ends as the bank has it', async (_when, status, faults, number) => {
    const { id: card } = await merchant.saveCard(number);
    await services.bank.setFaults(faults);
    const externalId = newId();
    const lost = merchant.charge(card, { externalId }).catch(() => 'lost' as const);
    if (number === testCards.slow) await untilAtTheBank(services, 'payments');
    else {
      await until('the bank is asked', async () => {
        const open = sql`
          select from bank_operation join payment on payment.id = subject_id
          where external_id = ${externalId} and bank_operation.status = 'open'`;
        return (await services.db('payments').many(open)).length === 1;
      });
    }
    await services.kill('payments');
    expect(await lost).toBe('lost');
    await services.restart('payments');

    const replay = await merchant.charge(card, { externalId });
    expect([201, 202, 402, 409]).toContain(replay.status);
    const { id } = await services.db('payments').one<{ id: string }>(sql`
      select id from payment where external_id = ${externalId}`);
    await settled(card, id);
    expect((await read(card, id)).status).toBe(status);
    const { asked, done } = await atTheBank(id);
    expect(asked).toHaveLength(1);
    expect(done.map(({ outcome }) => outcome)).toEqual(status === 'CONFIRMED' ? ['approved'] : []);
    await events.data(status === 'CONFIRMED' ? 'PaymentConfirmed' : 'PaymentDeclined', id);
  });
});

test('whatever was published of these payments can be published again', async () => {
  const differences = () => retoldDifferently(services.db('payments'), events.of);
  await until('all of it is heard', async () => (await differences()).length === 0).catch(() => {});
  expect(await differences()).toEqual([]);
});

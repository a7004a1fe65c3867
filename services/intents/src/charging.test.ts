import type { Envelope } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { eventHandlers } from '@cobro/events/event-handlers.ts';
import { receiveEvent } from '@cobro/events/inbox.ts';
import { FIRST_KEY } from '@cobro/events/retelling.ts';
import { sql } from '@cobro/postgres/database.ts';
import { type HeardEvents, hearEvents } from '@cobro/testing/hear-events.ts';
import { refusal } from '@cobro/testing/refusal.ts';
import { unansweredInquiries } from '@cobro/testing/start-bank.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type Receipt, type TestIntents, testIntents } from '@cobro/testing/test-intents.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { retellIntents } from './retelling.ts';
import { onPaymentRefunded } from './terminals/on-payment-outcome.ts';

jest.setTimeout(240_000);

let services: RunningServices;
let intents: TestIntents;
let heard: HeardEvents;
beforeAll(async () => {
  services = await startServices({ services: ['intents', 'payments'], env: { BANK_CALL_TIMEOUT_MS: '5000' } });
  intents = await testIntents(services);
  heard = await hearEvents(services.broker);
});
afterAll(async () => {
  await heard?.close();
  await services?.stop();
});

/** Makes the bank do the next sale without an answer, until its faults are set anew. */
const silentSale = () =>
  services.bank.setFaults({ ...unansweredInquiries, next: [{ kind: 'sale', fault: 'silentDone' }] });

const untilCharging = (intent: { id: string }) =>
  until('a card is being charged', async () => {
    const row = await services.db('intents').one<{ charging: string | null }>(sql`
      select charging_payment_id as charging from payment_intent where id = ${intent.id}`);
    return row.charging !== null;
  });

describe('while a card is being charged', () => {
  test('the terminal is offered nothing, nothing can be cancelled or paid, and 202 says where to ask', async () => {
    const { terminal, intent } = await intents.ready();
    await silentSale();
    const attemptId = newId();
    const paying = terminal.pay(intent, undefined, { attemptId });
    await untilCharging(intent);
    expect(await intents.cancel(intent)).toMatchObject(refusal(409, 'INTENT_IN_PROGRESS'));
    expect(await terminal.decline(intent)).toMatchObject(refusal(409, 'INTENT_IN_PROGRESS'));
    expect(await terminal.pay(intent)).toMatchObject(refusal(409, 'INTENT_IN_PROGRESS'));
    expect(await terminal.next()).toMatchObject({ status: 204 });
    expect(await intents.read(intent)).toMatchObject({ body: { status: 'PENDING' } });
    await services.bank.setFaults({});
    // The inquiry finds that the card was charged.
    const answer = await paying;
    expect([201, 202]).toContain(answer.status);
    const asked = answer.status === 202 ? `/api/terminal/v1/payment-intent/${intent.id}` : null;
    expect(answer.headers.get('location')).toBe(asked);
    await until('it is known', async () => (await intents.statusOf(intent)) === 'CONFIRMED');
    expect(await terminal.pay(intent, undefined, { attemptId })).toMatchObject({ status: 201 });
  });

  test('a new intent for the terminal waits for the outcome: approved, both stand; declined, the old one is superseded', async () => {
    for (const [card, outcome] of [
      [testCards.approved, 'CONFIRMED'],
      [testCards.declined, 'CANCELLED'],
    ] as const) {
      const { terminal, intent } = await intents.ready();
      await silentSale();
      const attemptId = newId();
      const pay = () => terminal.pay(intent, card, { attemptId });
      const paying = pay();
      await untilCharging(intent);
      const newer = await intents.create({ terminalCode: terminal.code });
      expect(await intents.statusOf(intent)).toBe('PENDING');
      expect(await intents.statusOf(newer)).toBe('PENDING');
      const offered = terminal.next(25);
      await services.bank.setFaults({});
      const answer = await paying;
      await until('it is decided', async () => (await pay()).status !== 202);
      expect([202, card === testCards.approved ? 201 : 402]).toContain(answer.status);
      expect(await pay()).toMatchObject({ status: card === testCards.approved ? 201 : 402 });
      expect(await intents.statusOf(intent)).toBe(outcome);
      // The waiting request gets the newer intent as soon as the terminal is free.
      expect(await offered).toMatchObject({ status: 200, body: { id: newer.id } });
      const published = () => heard.of(intent.id).map(({ type }) => type);
      const last = outcome === 'CANCELLED' ? 'IntentSuperseded' : 'IntentConfirmed';
      await until('the end is published', () => published().length === 2);
      expect(published()).toEqual(['IntentPaymentRequested', last]);
    }
  });
});

describe('refunding an intent', () => {
  test('refunds its payment in full; the intent stays CONFIRMED', async () => {
    const { terminal, intent } = await intents.ready();
    expect(await intents.refund(intent)).toMatchObject(refusal(409, 'PAYMENT_NOT_REFUNDABLE'));
    expect(await intents.refund({ id: newId() })).toMatchObject(refusal(404, 'PAYMENT_INTENT_NOT_FOUND'));
    await terminal.pay(intent);
    expect(await intents.refund(intent, { reason: 'devolución' })).toMatchObject({
      status: 200,
      body: { status: 'REFUNDED', amount: 250, externalId: null },
    });
    expect(await intents.read(intent)).toMatchObject({
      body: { status: 'CONFIRMED', paymentSummary: { status: 'REFUNDED' } },
    });
    expect(await intents.refund(intent)).toMatchObject(refusal(409, 'PAYMENT_ALREADY_REFUNDED'));
    const other = await testIntents(services);
    expect(await other.refund(intent)).toMatchObject(refusal(404, 'PAYMENT_INTENT_NOT_FOUND'));
  });

  test('whose event overtakes the payment’s outcome waits for that, and is not forgotten', async () => {
    const before = await intents.ready();
    const { paymentId } = (await before.terminal.pay(before.intent)).body as Receipt;
    await intents.refund(before.intent);
    await heard.data('PaymentRefunded', paymentId);
    const published = heard.of(paymentId).find(({ type }) => type === 'PaymentRefunded') as Envelope;

    const { terminal, intent } = await intents.ready();
    await silentSale();
    const paying = terminal.pay(intent);
    await untilCharging(intent);
    const db = services.db('intents');
    const row = () =>
      db.one<{ charging: string | null; shown: string | null }>(sql`
        select charging_payment_id as charging, payment_status as shown from payment_intent where id = ${intent.id}`);
    const subject = (await row()).charging ?? '';
    const data = { ...(published.data as object), paymentId: subject, paymentIntentId: intent.id };
    const event = { ...published, id: newId(), subject, data };
    const receive = () => receiveEvent(db, eventHandlers({ PaymentRefunded: onPaymentRefunded }), event);
    await expect(receive()).rejects.toThrow('whose outcome has not come yet');
    await services.bank.setFaults({});
    await paying;
    await until('it is known', async () => (await row()).shown === 'CONFIRMED');
    expect(await receive()).toBe('applied');
    expect(await row()).toEqual({ charging: null, shown: 'REFUNDED' });
  });
});

async function makeTapsLate(): Promise<void> {
  const payments = services.db('payments');
  await payments.run(sql`
    create function late() returns trigger language plpgsql as
      $$ begin new.charge_before := clock_timestamp() - interval '1 second'; return new; end $$`);
  await payments.run(sql`create trigger late before insert on tap for each row execute function late()`);
}

describe('when a part is away', () => {
  test('a card whose time is over before the bank could be asked is declined, and never charged', async () => {
    const { terminal, intent } = await intents.ready();
    const before = (await intents.sales()).length;
    // Makes the event look half a minute late.
    await makeTapsLate();
    expect(await terminal.pay(intent)).toMatchObject({ status: 402, body: { declineCode: 'not_processed' } });
    await services.db('payments').run(sql`drop trigger late on tap`);
    expect((await intents.sales()).slice(before)).toEqual([]);
    expect(await terminal.pay(intent)).toMatchObject({ status: 201 });
  });

  test('a card whose time is over before payments could reach the bank is declined, and never charged', async () => {
    const waiting = [await intents.ready(), await intents.ready()];
    const before = (await intents.sales()).length;
    const payments = services.db('payments');
    await services.kill('payments');
    // intents can still reach the vault.
    await services.restart('payments', 0, { BANK_URL: 'http://127.0.0.1:9' });
    const attempts: (() => Promise<HttpAnswer>)[] = [];
    for (const { terminal, intent } of waiting) {
      const attemptId = newId();
      attempts.push(() => terminal.pay(intent, undefined, { attemptId }));
      const paying = attempts.at(-1)?.();
      // The first attempt finds the bank away; from then on payments knows that, and does not even claim.
      await until('the bank was to be asked', async () => {
        const tried = await payments.many<{ tries: number }>(sql`select tries from tap where tries > 0`);
        return tried.length === 1;
      });
      await payments.run(sql`update tap set charge_before = clock_timestamp()`);
      expect([202, 402]).toContain((await paying)?.status);
      await until('it is decided', async () => (await attempts.at(-1)?.())?.status !== 202);
    }
    for (const pay of attempts) {
      expect(await pay()).toMatchObject({ status: 402, body: { declineCode: 'bank_unavailable' } });
    }
    await services.kill('payments');
    await services.restart('payments');
    expect((await intents.sales()).slice(before)).toEqual([]);
  });

  test('payments that is away answers 202, and charges the card once if it is back in time, otherwise never', async () => {
    const { terminal, intent } = await intents.ready();
    const before = (await intents.sales()).length;
    await services.kill('payments');
    const attemptId = newId();
    const paying = terminal.pay(intent, undefined, { attemptId });
    await untilCharging(intent);
    expect(await intents.read(intent)).toMatchObject({ status: 200, body: { status: 'PENDING' } });
    await services.restart('payments');
    expect([201, 202, 402]).toContain((await paying).status);
    const again = () => terminal.pay(intent, undefined, { attemptId });
    await until('it is decided', async () => (await again()).status !== 202);
    const charged = (await again()).status === 201 ? 1 : 0;
    expect(await intents.statusOf(intent)).toBe(charged === 1 ? 'CONFIRMED' : 'PENDING');
    expect((await intents.sales()).slice(before)).toHaveLength(charged);
  });
});

test('however an intent has ended, the event that said so can be published again', async () => {
  const [byMerchant, byTerminal, left] = [await intents.ready(), await intents.ready(), await intents.create()];
  expect(await intents.cancel(byMerchant.intent)).toMatchObject({ status: 200 });
  expect(await byTerminal.terminal.decline(byTerminal.intent)).toMatchObject({ status: 200 });
  await services.moveClock(7 * 86_400_000);
  await heard.data('IntentExpired', left.id);
  const db = services.db('intents');
  const ids = (await db.many<{ id: string }>(sql`select id from payment_intent order by id`)).map(({ id }) => id);
  const words = ({ id: _id, previous: _previous, ...event }: Envelope) => event;
  const heardEnds = () =>
    ids.flatMap((id) => heard.of(id).filter(({ type }) => type !== 'IntentPaymentRequested')).map(words);
  const retold = async () => {
    const events = await retellIntents(db).of(ids);
    return events.toSorted((one, other) => ids.indexOf(one.subject) - ids.indexOf(other.subject)).map(words);
  };
  await until('every end is heard', async () => heardEnds().length === (await retold()).length);
  expect(await retold()).toEqual(heardEnds());
  expect(new Set(heardEnds().map(({ type }) => type))).toEqual(
    new Set(['IntentConfirmed', 'IntentSuperseded', 'IntentCancelled', 'IntentExpired']),
  );
  expect((await retellIntents(db).page(FIRST_KEY, 1_000)).events.map(words)).toEqual(await retold());
});

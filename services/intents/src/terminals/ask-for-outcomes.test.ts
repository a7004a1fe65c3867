import { newId } from '@cobro/contracts/ids.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql } from '@cobro/postgres/database.ts';
import { untilAgreed } from '@cobro/testing/agreement.ts';
import { failedHandOvers, handedOver } from '@cobro/testing/handed-over.ts';
import { refusal } from '@cobro/testing/refusal.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { proxyTo, type TcpProxy } from '@cobro/testing/tcp-proxy.ts';
import { testBrokerNames } from '@cobro/testing/test-broker.ts';
import { type TestIntent, type TestIntents, type TestTerminal, testIntents } from '@cobro/testing/test-intents.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';

jest.setTimeout(240_000);

let services: RunningServices;
let broker: TcpProxy;
let intents: TestIntents;
beforeAll(async () => {
  // Nothing comes by the broker until the last test. Two replicas of intents ask.
  broker = await proxyTo(testBrokerNames().url);
  services = await startServices({
    services: ['intents', 'payments', 'holds'],
    replicas: { intents: 2 },
    env: { AMQP_URL: broker.url, BANK_CALL_TIMEOUT_MS: '5000' },
  });
  intents = await testIntents(services);
});
afterAll(async () => {
  await services?.stop();
  await broker?.cut();
});

interface Tapped {
  terminal: TestTerminal;
  intent: TestIntent;
  card: string;
  attemptId: string;
  answer: Promise<HttpAnswer>;
}

async function tap(card: string = testCards.approved): Promise<Tapped> {
  const { terminal, intent } = await intents.ready();
  const attemptId = newId();
  const answer = terminal.pay(intent, card, { attemptId });
  await until('the charge is requested', async () => (await requestOf(attemptId)) !== undefined);
  return { terminal, intent, card, attemptId, answer };
}

const requestOf = (attemptId: string) =>
  services.db('intents').maybe<{ request: unknown }>(sql`
    select payment_request as request from intent_attempt where attempt_id = ${attemptId}`);

/** Repeats the attempt, as a terminal does after 202, until it has an outcome. */
async function outcomeOf({ terminal, intent, card, attemptId, answer }: Tapped): Promise<HttpAnswer> {
  let last = await answer;
  await until('it is decided', async () => {
    if (last.status === 202) last = await terminal.pay(intent, card, { attemptId });
    return last.status !== 202;
  });
  return last;
}

/** Waits until some replica has begun to ask payments. */
const untilAsked = ({ attemptId }: Tapped) =>
  until('payments is asked', async () => {
    const { isAsked } = await services.db('intents').one<{ isAsked: boolean }>(sql`
      select ask_at > requested_at + interval '2.5 seconds' as "isAsked"
      from intent_attempt where attempt_id = ${attemptId}`);
    return isAsked;
  });

const salesSince = async (before: number) => (await intents.sales()).length - before;
const paymentOf = (intent: TestIntent) =>
  services.db('payments').maybe<{ status: string; declineCode: string | null }>(sql`
    select status, decline_code as "declineCode" from payment where payment_intent_id = ${intent.id}`);

describe('without a broker', () => {
  test('what payments itself declines is handed over to the terminal: 402, and the next card is charged', async () => {
    const failures = () => failedHandOvers(services.logs('payments') + services.logs('intents'));
    const payInTerms = async () => {
      const { terminal, intent } = await intents.ready();
      return [terminal, await terminal.pay(intent, testCards.mastercardDebit, { terms: 3 })] as const;
    };
    const [free, answer] = await whileNobodyAsks(() =>
      handedOver(payInTerms, { isFresh: ([, { status }]) => status !== 202, failures }),
    );
    expect(answer).toMatchObject({ status: 402, body: { declineCode: 'terms_not_available' } });
    const next = await intents.create({ terminalCode: free.code });
    expect(await free.pay(next)).toMatchObject({ status: 201 });
  });

  test('a charge whose outcome intents could not take is asked for, and paid', async () => {
    const before = (await intents.sales()).length;
    await refuseEvents();
    const failed = failedHandOvers(services.logs('payments'));
    const tapped = await tap();
    await until('it is charged', async () => (await paymentOf(tapped.intent))?.status === 'CONFIRMED');
    await until('the hand-over has failed', () => failedHandOvers(services.logs('payments')) > failed);
    expect(await intents.cancel(tapped.intent)).toMatchObject(refusal(409, 'INTENT_IN_PROGRESS'));
    await takeEvents();
    expect(await outcomeOf(tapped)).toMatchObject({ status: 201 });
    expect(await intents.statusOf(tapped.intent)).toBe('CONFIRMED');
    expect(await requestOf(tapped.attemptId)).toEqual({ request: null });
    expect(await salesSince(before)).toBe(1);
  });

  test('a decline whose outcome intents could not take is asked for, and the intent is open again', async () => {
    await refuseEvents();
    const tapped = await tap(testCards.declined);
    await until('it is declined', async () => (await paymentOf(tapped.intent))?.status === 'CANCELLED');
    await takeEvents();
    expect(await outcomeOf(tapped)).toMatchObject({ status: 402, body: { code: 'CHARGE_DECLINED' } });
    expect(await intents.cancel(tapped.intent)).toMatchObject({ status: 200 });
  });

  test('a tap of which payments could not hear is brought to it again, and charged once', async () => {
    const before = (await intents.sales()).length;
    await services.kill('payments');
    const tapped = await tap();
    // On a slow machine the time to charge may run out before payments has started.
    await services.db('intents').run(sql`
      update intent_attempt
      set payment_request = jsonb_set(payment_request, '{data,chargeBefore}', '"2099-01-01T00:00:00.000Z"')
      where attempt_id = ${tapped.attemptId}`);
    await services.restart('payments');
    expect(await outcomeOf(tapped)).toMatchObject({ status: 201 });
    expect(await salesSince(before)).toBe(1);
  });

  test('a tap of which payments hears too late stays open until payments says so, and is never charged', async () => {
    const before = (await intents.sales()).length;
    await services.kill('payments');
    const tapped = await tap();
    // The event in the outbox, which the broker brings at last, still has its time. Here the key of the sealed card is gone too.
    await services.db('intents').run(sql`
      update intent_attempt
      set payment_request = jsonb_set(
        jsonb_set(payment_request, '{data,chargeBefore}', '"2026-01-01T00:00:00.000Z"'), '{data,sealedCard}', '"AAAA"')
      where attempt_id = ${tapped.attemptId}`);
    await untilAsked(tapped);
    expect(await intents.cancel(tapped.intent)).toMatchObject(refusal(409, 'INTENT_IN_PROGRESS'));
    await services.restart('payments');
    expect(await outcomeOf(tapped)).toMatchObject({ status: 402, body: { declineCode: 'not_processed' } });
    expect(await paymentOf(tapped.intent)).toEqual({ status: 'CANCELLED', declineCode: 'not_processed' });
    expect(await intents.cancel(tapped.intent)).toMatchObject({ status: 200 });
    expect(await salesSince(before)).toBe(0);
  });

  test('a charge that the bank is still being asked for stays open', async () => {
    await services.bank.setFaults({
      next: [{ kind: 'sale', fault: 'silentDone' }],
      rates: { error: 1 },
      kinds: ['inquire'],
    });
    const tapped = await tap();
    await untilAsked(tapped);
    expect(await paymentOf(tapped.intent)).toMatchObject({ status: 'PENDING' });
    expect(await intents.statusOf(tapped.intent)).toBe('PENDING');
    await services.bank.setFaults({});
    expect(await outcomeOf(tapped)).toMatchObject({ status: 201 });
  });
});

test('a broker that comes late brings it all again, and changes nothing', async () => {
  const state = async () => [
    await services.db('intents').many(sql`select id, status, version from payment_intent order by id`),
    await services.db('payments').many(sql`select id, status, version from payment order by id`),
  ];
  const before = await state();
  const sales = await intents.sales();
  await broker.restore();
  for (const service of ['intents', 'payments'] as const) {
    const waiting = () => services.db(service).many(sql`select from outbox limit 1`);
    await until(`the outbox of ${service} is empty`, async () => (await waiting()).length === 0);
  }
  // This one comes after all of these.
  expect(await outcomeOf(await tap())).toMatchObject({ status: 201 });
  const { bank, db } = services;
  await untilAgreed({ bankUrl: bank.url, payments: db('payments'), holds: db('holds'), intents: db('intents') });
  expect(await intents.sales()).toHaveLength(sales.length + 1);
  const after = (await state()).flat().map((row) => JSON.stringify(row));
  expect(after).toEqual(expect.arrayContaining(before.flat().map((row) => JSON.stringify(row))));
  for (const service of ['intents', 'payments'] as const) {
    expect(services.logs(service)).not.toMatch(/event_(retried|parked)/);
  }
});

/** Switches off asking, so that what comes was handed over. */
async function whileNobodyAsks<T>(work: () => Promise<T>): Promise<T> {
  const db = services.db('intents');
  await db.run(sql`alter table intent_attempt alter column ask_at set default 'infinity'`);
  try {
    return await work();
  } finally {
    await db.run(sql`
      alter table intent_attempt alter column ask_at set default clock_timestamp() + interval '2 seconds'`);
    await db.run(sql`update intent_attempt set ask_at = clock_timestamp()`);
  }
}

/** Makes intents fail to apply every event, until `takeEvents`. */
async function refuseEvents(): Promise<void> {
  const db = services.db('intents');
  await db.run(sql`
    create or replace function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'not now'; end $$`);
  await db.run(sql`create trigger refuse before insert on inbox for each row execute function refuse()`);
}

const takeEvents = () => services.db('intents').run(sql`drop trigger refuse on inbox`);

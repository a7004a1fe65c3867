import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reconciliation } from '@cobro/books/reconcile-day.ts';
import type { EventReconciliation } from '@cobro/books/reconcile-events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { outwardId, type OutwardType } from '@cobro/contracts/outward-events.ts';
import type { Payment } from '@cobro/contracts/payments.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { dayInMexicoCity, timeOfDay } from '@cobro/domain/mexico-city.ts';
import { sql } from '@cobro/postgres/database.ts';
import { untilAgreed } from '@cobro/testing/agreement.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { moveTo, moveToNoon, type TestHolds, testHolds } from '@cobro/testing/test-holds.ts';
import { shownWrongly } from '@cobro/testing/shown-wrongly.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { reconcileCommands } from './reconcile-command.ts';
import { runCommand } from '@cobro/testing/run-command.ts';

const MINUTES = 60_000;
let services: RunningServices;
let holds: TestHolds;
let today: string;
const folder = mkdtempSync(join(tmpdir(), 'cobro-reconcile-'));

beforeAll(async () => {
  services = await startServices({ services: ['payments', 'holds', 'reporting', 'intents', 'webhooks'] });
  await moveToNoon(services);
  today = dayInMexicoCity(services.now());
  holds = await testHolds(services);
});
afterAll(() => services?.stop());
afterAll(() => rmSync(folder, { recursive: true }));

/** Each book is read by the role of its own service, which can read no other. */
const reconcile = (day: string, ...more: string[]) =>
  runCommand({
    tables: [reconcileCommands],
    args: ['reconcile', '--date', day, ...more],
    env: {
      KEY_MODE: 'test',
      BANK_URL: services.bank.url,
      PAYMENTS_DATABASE_URL: services.databaseUrl('payments'),
      HOLDS_DATABASE_URL: services.databaseUrl('holds'),
      REPORTING_DATABASE_URL: services.databaseUrl('reporting'),
      INTENTS_DATABASE_URL: services.databaseUrl('intents'),
      WEBHOOKS_DATABASE_URL: services.databaseUrl('webhooks'),
    },
  });

async function differencesOf(day: string) {
  const { code, out, err } = await reconcile(day, '--json');
  if (err !== '') throw new Error(err);
  return { code, ...(JSON.parse(out) as [Reconciliation])[0] };
}

/** What came of comparing what merchants were shown. */
async function eventsOf(day: string) {
  const { out } = await reconcile(day, '--json');
  return (JSON.parse(out) as [Reconciliation, EventReconciliation])[1];
}

const charge = async (body?: object): Promise<Payment> => {
  const { body: payment } = await holds.merchant.charge(holds.cardId, body);
  return payment as Payment;
};

/** What the bank and the services have done so far, at rest, and older than the minutes that are reported separately. */
async function settled(): Promise<void> {
  await untilAgreed({
    bankUrl: services.bank.url,
    payments: services.db('payments'),
    holds: services.db('holds'),
    reporting: services.db('reporting'),
  });
  await until('merchants are shown all of it', async () => {
    const payments = services.db('payments');
    const ids = (await payments.many<{ id: string }>(sql`select id from payment`)).map(({ id }) => id);
    return (await shownWrongly(payments, services.db('webhooks'), ids)).length === 0;
  });
  await services.moveClock(10 * MINUTES);
}

const keyOf = async (of: 'payments' | 'holds', purpose: string, { id }: Payment) =>
  (
    await services.db(of).one<{ id: string }>(sql`
      select id from bank_operation where purpose = ${purpose} and subject_id = ${id}`)
  ).id;

test('a day that has not begun at the bank is not compared', async () => {
  const tomorrow = dayInMexicoCity(new Date(services.now().getTime() + 24 * 60 * MINUTES));
  const out = `default, ${tomorrow}: not compared, the day has not begun there\nevents, ${tomorrow}: not compared, the day has not begun\n`;
  expect(await reconcile(tomorrow)).toEqual({ code: 1, out, err: '' });
});

test('a day on which all books agree ends with 0, is written as JSON, and is kept', async () => {
  const captured = await holds.place();
  await holds.capture(captured, { amount: 40 });
  await holds.refund(captured);
  await holds.release(await holds.place());
  await holds.place();
  await charge();
  const { id } = await holds.merchant.saveCard(testCards.declined);
  await holds.merchant.charge(id);
  await settled();
  const file = join(folder, 'clean.json');
  const { code, out } = await reconcile(today, '--file', file);
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('\nno differences\n') as unknown });
  const [found, shown] = JSON.parse(readFileSync(file, 'utf8')) as [Reconciliation, EventReconciliation];
  const ledger = await services.bank.operations();
  expect(found).toMatchObject({
    acquirer: 'default',
    day: today,
    operations: ledger.filter(({ kind }) => kind !== 'tokenize').length,
    payments: 5,
    differences: 0,
    open: 0,
    recent: 0,
    listed: [],
  });
  const kept = await services
    .db('payments')
    .one(sql`select acquirer, day::text, differences from acquirer_reconciliation`);
  expect(kept).toEqual({ acquirer: 'default', day: today, differences: 0n });
  expect(shown).toMatchObject({ of: 'events', day: today, payments: expect.any(Number) as unknown, differences: 0 });
  expect(shown.payments).toBeGreaterThanOrEqual(5);
  const keptEvents = await services.db('webhooks').one(sql`select day::text, differences from event_reconciliation`);
  expect(keptEvents).toEqual({ day: today, differences: 0n });
});

describe('what merchants are shown and sent is compared with what happened:', () => {
  const made: Record<'missing' | 'twice' | 'wrong' | 'refunded' | 'unsent', string> = {
    missing: '',
    twice: '',
    wrong: '',
    refunded: '',
    unsent: '',
  };
  const stranger = newId();
  let intent = '';
  let listed: EventReconciliation['listed'];
  const event = (object: string, type: OutwardType) => outwardId(object, type);
  beforeAll(async () => {
    const webhooks = services.db('webhooks');
    const { call } = holds.merchant;
    const body = { url: 'http://127.0.0.1:9/webhooks', types: ['payment.*'] };
    expect(await call({ method: 'POST', path: '/webhook-endpoint', body })).toMatchObject({ status: 201 });
    // From now on, and not from a minute later.
    await webhooks.run(sql`update webhook_endpoint set asked_since = clock_timestamp() - interval '1 minute'`);
    for (const name of ['missing', 'twice', 'refunded', 'unsent'] as const) made[name] = (await charge()).id;
    const captured = await holds.place();
    await holds.capture(captured, { amount: 60 });
    made.wrong = captured.id;
    const asked = { amount: 10, currency: 'MXN', externalId: newId() };
    intent = ((await call({ method: 'POST', path: '/payment-intent', body: asked })).body as { id: string }).id;
    expect(await call({ method: 'PATCH', path: `/payment-intent/${intent}/cancel` })).toMatchObject({ status: 200 });
    await settled();
    await until('the intent is shown as cancelled', async () => {
      const { count } = await webhooks.one<{ count: bigint }>(sql`
        select count(*) from event where object_id = ${intent}`);
      return count === 1n;
    });
    expect(await eventsOf(today)).toMatchObject({ intents: 1, differences: 0 });

    await webhooks.run(sql`create table right_event as select * from event`);
    await webhooks.run(sql`create table right_delivery as select * from delivery`);
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
    // What was written down is compared by real time.
    const days = new Set([today, dayInMexicoCity(written)]);
    listed = [];
    for (const day of days) listed.push(...(await eventsOf(day)).listed);
  });
  afterAll(async () => {
    const webhooks = services.db('webhooks');
    await webhooks.run(sql`truncate event, delivery`);
    await webhooks.run(sql`insert into event select * from right_event`);
    await webhooks.run(sql`insert into delivery select * from right_delivery`);
    await webhooks.run(sql`drop table right_event, right_delivery`);
    expect(await eventsOf(today)).toMatchObject({ differences: 0 });
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
      () =>
        `state: payment ${made.twice} in webhooks, payment.confirmed ${made.twice}: the number of events is 2, not 1`,
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
    // The copies of one event are to be sent to its endpoint too, and the second event of a payment is not.
    const unsent = sentences().filter((one) => one.includes('is not to be sent'));
    expect(unsent).toHaveLength(4);
    expect(sentences()).toHaveLength(7 + unsent.length);
  });
});

describe('what differs is named:', () => {
  const made = new Map<string, Payment>();
  const of = (name: string): Payment => made.get(name) ?? fail(name);
  let found: Reconciliation & { code: number };
  let keys: Record<'deleted' | 'amount' | 'state' | 'forgotten' | 'unprocessed' | 'open', string>;
  beforeAll(async () => {
    const names = [
      'deleted',
      'amount',
      'state',
      'forgotten',
      'unprocessed',
      'open',
      'payment',
      'projection',
      'unshown',
    ];
    for (const name of names) made.set(name, await charge());
    for (const name of ['hold', 'captured']) made.set(name, await holds.place());
    await holds.capture(of('captured'), { amount: 60 });
    await settled();
    const [deleted, amount, state, forgotten, unprocessed, open] = (await Promise.all(
      names.slice(0, 6).map((name) => keyOf('payments', 'charge', of(name))),
    )) as [string, string, string, string, string, string];
    keys = { deleted, amount, state, forgotten, unprocessed, open };
    await services.bank.falsify(`
      delete from operation where idempotency_key = '${deleted}';
      update operation set amount = 10001 where idempotency_key = '${amount}';
      update operation set outcome = 'declined', answer = json_set(answer, '$.outcome', 'declined', '$.declineCode', 'lost')
        where idempotency_key = '${state}';
      update operation set reference = 'cap_other' where idempotency_key = '${await keyOf('holds', 'capture', of('captured'))}';
    `);
    const payments = services.db('payments');
    await payments.run(sql`delete from bank_operation where id = ${forgotten}`);
    await payments.run(sql`
      update bank_operation set status = 'not_processed', answer = '{"outcome":"not_processed"}' where id = ${unprocessed}`);
    await payments.run(sql`
      update bank_operation set status = 'open', answer = null, settled_at = null, inquire_at = 'infinity' where id = ${open}`);
    await payments.run(sql`update payment set amount = 9999 where id = ${of('payment').id}`);
    await services.db('holds').run(sql`
      update hold set status = 'RELEASED', released_at = now() where payment_id = ${of('hold').id}`);
    const reporting = services.db('reporting');
    await reporting.run(sql`update payment set refunded_at = now() where id = ${of('projection').id}`);
    await reporting.run(sql`delete from payment where id = ${of('unshown').id}`);
    found = await differencesOf(today);
  });
  const named = (what: string, sentence: RegExp) => ({
    what,
    id: expect.any(String) as unknown,
    sentence: expect.stringMatching(sentence) as unknown,
  });

  test('the command ends with 1, and what is not known yet stands apart', () => {
    expect(found).toMatchObject({ code: 1, open: 1, recent: 0, differences: found.listed.length });
    expect(JSON.stringify(found.listed)).not.toContain(keys.open);
  });

  test('an operation that we have and the bank has not', () => {
    expect(found.listed).toContainEqual(
      named(
        'missing_there',
        new RegExp(`^charge ${keys.deleted} of ${of('deleted').id}: approved, but not in the ledger$`),
      ),
    );
  });

  test('an operation that the bank has and nobody wrote down', () => {
    expect(found.listed).toContainEqual(
      named('missing_here', new RegExp(`^the bank has a charge ${keys.forgotten} that nobody wrote down$`)),
    );
  });

  test('another amount, another outcome and another reference of an operation', () => {
    expect(found.listed).toContainEqual(
      named('amount', new RegExp(`^charge ${keys.amount} of .*: amount is 10000, not 10001$`)),
    );
    expect(found.listed).toContainEqual(
      named('state', new RegExp(`^charge ${keys.state} of .*: outcome is approved, not declined$`)),
    );
    expect(found.listed).toContainEqual(named('reference', /^capture .*: reference is cap_.*, not cap_other$/));
  });

  test('an operation that was not processed, as we think, and that the bank has done', () => {
    expect(found.listed).toContainEqual(
      named('state', new RegExp(`^charge ${keys.unprocessed} of .*: not_processed, but the bank has it as approved$`)),
    );
  });

  test('a payment and a hold that are not what their operations make of them', () => {
    expect(found.listed).toContainEqual(
      named('amount', new RegExp(`^payment ${of('payment').id} in payments: amount is 9999, not 10000$`)),
    );
    expect(found.listed).toContainEqual(
      named('state', new RegExp(`^hold ${of('hold').id} in holds: status is RELEASED, not HELD$`)),
    );
  });

  test('a payment that reporting shows otherwise, or not at all', () => {
    expect(found.listed).toContainEqual(
      named('state', new RegExp(`^payment ${of('projection').id} in reporting: status is REFUNDED, not CONFIRMED$`)),
    );
    expect(found.listed).toContainEqual(
      named('missing_here', new RegExp(`^reporting has no payment ${of('unshown').id}$`)),
    );
  });

  test('people read each difference on a line', async () => {
    const { code, out } = await reconcile(today);
    expect(code).toBe(1);
    for (const { sentence } of found.listed) expect(out).toContain(`${sentence}\n`);
  });
});

function fail(name: string): never {
  throw new Error(`${name} was not made`);
}

describe('at midnight', () => {
  let late: Payment;
  beforeAll(async () => {
    // The day after the one that was falsified.
    await moveToNoon(services);
    today = dayInMexicoCity(services.now());
    await moveTo(services, timeOfDay(today, { days: 0, hour: 23, minute: 58 }));
    late = await charge();
    await services.moveClock(1 * MINUTES);
  });

  test('an operation of the last minutes that the bank’s report has not got yet is no difference', async () => {
    const key = await keyOf('payments', 'charge', late);
    await services.bank.falsify(`update operation set created_at = '2040-01-01' where idempotency_key = '${key}'`);
    expect(await differencesOf(today)).toMatchObject({ code: 0, recent: 1 });
  });

  test('an operation that the bank has booked on the next day is no difference on either', async () => {
    const booked = timeOfDay(today, { days: 1, hour: 0, minute: 1 });
    const key = await keyOf('payments', 'charge', late);
    await services.bank.falsify(
      `update operation set created_at = '${booked.toISOString()}' where idempotency_key = '${key}'`,
    );
    await moveTo(services, timeOfDay(today, { days: 1, hour: 12, minute: 0 }));
    expect(await differencesOf(today)).toMatchObject({ code: 0, recent: 1 });
    expect(await differencesOf(dayInMexicoCity(booked))).toMatchObject({ code: 0, operations: 1, recent: 0 });
  });

  test('an operation of the last minutes that the bank has nowhere is a difference once the day is over', async () => {
    const key = await keyOf('payments', 'charge', late);
    await services.bank.falsify(`delete from operation where idempotency_key = '${key}'`);
    expect(await differencesOf(today)).toMatchObject({ code: 1, byKind: { missing_there: 1 } });
  });
});

test('under load nothing that is on its way counts as a difference', async () => {
  await moveTo(services, timeOfDay(today, { days: 2, hour: 12, minute: 0 }));
  const day = dayInMexicoCity(services.now());
  const count = process.env['TEST_ALL'] === '1' ? 2_000 : 120;
  const old = await inTurns(count, async (n) => (n % 2 === 0 ? charge() : holds.place()));
  await services.moveClock(10 * MINUTES);
  // Old payments are refunded and captured, and new ones made, while the day is compared again and again.
  const { operations: before } = await differencesOf(day);
  const done = new AbortController();
  const load = inTurns(count, async (n) => {
    const payment = old[n];
    if (payment?.status === 'HELD') await holds.capture(payment, {});
    else if (payment !== undefined) await holds.refund(payment);
    await charge();
  }).finally(() => done.abort());
  const compare = async () => {
    const { code, operations, listed } = await differencesOf(day);
    expect({ code, listed }).toEqual({ code: 0, listed: [] });
    return operations;
  };
  while (!done.signal.aborted) await compare();
  await load;
  expect(await compare()).toBeGreaterThan(before);
  await services.moveClock(10 * MINUTES);
  await until('reporting and webhooks have everything', async () => {
    const { code, operations, payments, recent } = await differencesOf(day);
    return code === 0 && operations === 3 * count && payments === 2 * count && recent === 0;
  });
});

async function inTurns<T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const [done, left] = [[] as T[], Array.from({ length: count }, (_, n) => n)];
  const turn = async () => {
    for (let n = left.shift(); n !== undefined; n = left.shift()) done[n] = await work(n);
  };
  await Promise.all([1, 2, 3, 4].map(turn));
  return done;
}

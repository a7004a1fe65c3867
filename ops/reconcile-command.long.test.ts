import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reconciliation } from '@cobro/books/reconcile-day.ts';
import type { EventReconciliation } from '@cobro/books/reconcile-events.ts';
import type { Payment } from '@cobro/contracts/payments.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { dayInMexicoCity, timeOfDay } from '@cobro/domain/mexico-city.ts';
import { sql } from '@cobro/postgres/database.ts';
import { inFull } from '@cobro/testing/in-full.ts';
import { unansweredInquiries } from '@cobro/testing/start-bank.ts';
import type { RunningServices } from '@cobro/testing/start-services.ts';
import { moveTo, moveToNoon, type TestHolds } from '@cobro/testing/test-holds.ts';
import { until } from '@cobro/testing/until.ts';
import { type Reconciled, startReconciled } from '@cobro/testing/test-reconciled.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keepReconciliation } from '../services/payments/src/books/reconciliation.store.ts';
import { reconcileCommands } from './reconcile-command.ts';

const MINUTES = 60_000;
let books: Reconciled;
let services: RunningServices;
let holds: TestHolds;
let today: string;
const folder = mkdtempSync(join(tmpdir(), 'cobro-reconcile-'));

beforeAll(async () => {
  books = await startReconciled([reconcileCommands]);
  ({ services, holds } = books);
  today = dayInMexicoCity(services.now());
});
afterAll(() => services?.stop());
afterAll(() => rmSync(folder, { recursive: true }));

const reconcile: Reconciled['reconcile'] = (...given) => books.reconcile(...given);
const differencesOf: Reconciled['differencesOf'] = (day) => books.differencesOf(day);
const charge: Reconciled['charge'] = () => books.charge();
const settled = () => books.settled();

const keyOf = async (of: 'payments' | 'holds', purpose: string, { id }: Payment) =>
  (
    await services.db(of).one<{ id: string }>(sql`
      select id from bank_operation where purpose = ${purpose} and subject_id = ${id}`)
  ).id;

test('a day that has not begun at the bank is not compared', async () => {
  const tomorrow = dayInMexicoCity(new Date(services.now().getTime() + 24 * 60 * MINUTES));
  const out = `default, ${tomorrow}: not compared, the day has not begun there\nevents, ${tomorrow}: not compared, the day has not begun\ncounters, ${tomorrow}: not compared, the day has not begun\n`;
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
  expect(shown).toMatchObject({ of: 'events', day: today, operations: found.operations, differences: 0 });
  const keptEvents = await services.db('webhooks').one(sql`select day::text, differences from event_reconciliation`);
  expect(keptEvents).toEqual({ day: today, differences: 0n });
  // A second comparison of the day adds no rows.
  await reconcile(today);
  const lines = await services.db('payments').many(sql`
    select organization_id, kind, movements, gross from bank_settlement where day = ${today} order by kind`);
  const organization_id = holds.merchant.organizationId;
  expect(lines).toEqual([
    { organization_id, kind: 'charge', movements: 2, gross: 14_000n },
    { organization_id, kind: 'refund', movements: 1, gross: -4_000n },
  ]);
});

test('an operation about which the bank says nothing is asked about again, and then named for that', async () => {
  await services.bank.setFaults({ next: [{ kind: 'inquire', fault: 'error' }] });
  try {
    expect(await reconcile(today)).toMatchObject({ code: 0 });
    await services.bank.setFaults(unansweredInquiries);
    const { code, byKind } = await differencesOf(today);
    expect([code, Object.keys(byKind)]).toEqual([1, ['unanswered']]);
  } finally {
    await services.bank.setFaults({});
  }
});

test('a day that was compared stays so when its acquirer is left out later', async () => {
  const payments = services.db('payments');
  await keepReconciliation(payments, 'other', { day: today, differences: 0 });
  const [from, to] = [sql`acquirer = 'default'`, sql`acquirer = 'other'`];
  await payments.run(sql`update bank_operation set ${to} where ${from} and status <> 'open'`);
  expect((await reconcile(today)).out).toContain(`other, ${today}: not compared, ACQUIRERS does not name it`);
  const kept = sql`select differences::int from acquirer_reconciliation where ${to} and day = ${today}`;
  expect(await payments.one(kept)).toEqual({ differences: 0 });
  await payments.run(sql`update bank_operation set ${from} where ${to}`);
});

describe('what differs is named:', () => {
  const made = new Map<string, Payment>();
  const of = (name: string): Payment => made.get(name) ?? fail(name);
  let found: Reconciliation & { code: number };
  let keys: Record<'deleted' | 'amount' | 'state' | 'forgotten' | 'unprocessed' | 'open', string>;
  beforeAll(async () => {
    const names = 'deleted amount state forgotten unprocessed open payment projection unshown'.split(' ');
    for (const name of names) made.set(name, await charge());
    for (const name of ['hold', 'captured']) made.set(name, await holds.place());
    await holds.capture(of('captured'), { amount: 60 });
    await settled();
    const [deleted, amount, state, forgotten, unprocessed, open] = (await Promise.all(
      names.slice(0, 6).map((name) => keyOf('payments', 'charge', of(name))),
    )) as [string, string, string, string, string, string];
    keys = { deleted, amount, state, forgotten, unprocessed, open };
    await services.bank.falsify(`
      update operation set idempotency_key = 'po_1' where idempotency_key = '${deleted}';
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
    expect(found.listed).toContainEqual(named('missing_here', /^the bank has a charge po_1 that nobody wrote down$/));
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
    // The day after the falsified one.
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
  const count = inFull ? 2_000 : 40;
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

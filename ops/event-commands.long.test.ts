import { newId } from '@cobro/contracts/ids.ts';
import type { Payment } from '@cobro/contracts/payments.ts';
import { consumerQueue } from '@cobro/events/topology.ts';
import { openPatiently, sql } from '@cobro/postgres/database.ts';
import { untilAgreed } from '@cobro/testing/agreement.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestHolds, testHolds } from '@cobro/testing/test-holds.ts';
import { type TestIntents, testIntents } from '@cobro/testing/test-intents.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connect } from 'amqplib';
import { eventCommands } from './event-commands.ts';
import { runCommand } from '@cobro/testing/run-command.ts';

type Service = 'payments' | 'holds' | 'intents';

let services: RunningServices;
/** Of the gateway only its organizations are needed. */
let gateway: TestDatabase;
let holds: TestHolds;
let intents: TestIntents;
let env: Record<string, string>;
const begun = new Date().toISOString();

beforeAll(async () => {
  [services, gateway] = await Promise.all([
    startServices({ services: ['payments', 'holds', 'intents', 'reporting'] }),
    testDatabase('gateway'),
  ]);
  holds = await testHolds(services);
  intents = await testIntents(services);
  env = {
    GATEWAY_DATABASE_URL: gateway.url,
    PAYMENTS_DATABASE_URL: services.databaseUrl('payments'),
    HOLDS_DATABASE_URL: services.databaseUrl('holds'),
    INTENTS_DATABASE_URL: services.databaseUrl('intents'),
  };
});
afterAll(async () => {
  await services?.stop();
  await gateway?.drop();
});

interface Counts {
  organizations: number;
  terminals: number;
  payments: number;
  holds: number;
  subscriptions: number;
}

async function retell(since = begun): Promise<Counts> {
  const { code, out, err } = await runCommand({
    tables: [eventCommands],
    args: ['events', 'retell', '--since', since, '--json'],
    env,
  });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out) as Counts;
}

const agreed = () => {
  const { bank, db } = services;
  const [payments, reporting] = [db('payments'), db('reporting')];
  const books = { bankUrl: bank.url, payments, holds: db('holds'), intents: db('intents'), reporting };
  return untilAgreed(books);
};

const outboxOf = async (service: Service) =>
  (await services.db(service).one<{ n: number }>(sql`select count(*)::int as n from outbox`)).n;

const isKnown = async ({ id }: Payment) =>
  (await services.db('holds').many(sql`select from hold where payment_id = ${id}`)).length === 1;

/** Called while the follower is dead: drops the events that the producer has published meanwhile, as a broker that loses its data. */
async function loseEvents(producer: Service, follower: Service): Promise<void> {
  await until('the events are published', async () => (await outboxOf(producer)) === 0);
  const connection = await connect(services.broker.url);
  const channel = await connection.createChannel();
  const { messageCount } = await channel.purgeQueue(consumerQueue(services.broker.prefix, follower));
  expect(messageCount).toBeGreaterThan(0);
  await connection.close();
}

describe('events that were lost with the broker are published again', () => {
  test('a hold of which holds has not heard', async () => {
    await services.kill('holds');
    const hold = await holds.place();
    await loseEvents('payments', 'holds');
    await services.restart('holds');
    expect(await isKnown(hold)).toBe(false);
    expect((await retell()).payments).toBeGreaterThan(0);
    await until('holds knows it', () => isKnown(hold));
    await agreed();
  });

  test('a capture of which payments has not heard', async () => {
    const hold = await holds.place();
    await until('holds knows it', () => isKnown(hold));
    await services.kill('payments');
    expect(await holds.capture(hold, { amount: 70 })).toMatchObject({ status: 200 });
    await loseEvents('holds', 'payments');
    // Otherwise holds hands the capture over again as soon as payments is back.
    await services.kill('holds');
    await services.db('holds').run(sql`delete from missed_hand_over`);
    await Promise.all([services.restart('payments'), services.restart('holds')]);
    const status = async () =>
      (await services.db('payments').one<Payment>(sql`select status from payment where id = ${hold.id}`)).status;
    expect(await status()).toBe('HELD');
    expect((await retell()).holds).toBeGreaterThan(0);
    await until('payments knows it', async () => (await status()) === 'CONFIRMED');
    await agreed();
  });
});

test('what everybody knows already changes nothing and is parked nowhere', async () => {
  await holds.merchant.charge(holds.cardId);
  const refunded = (await holds.merchant.charge(holds.cardId)).body as Payment;
  await holds.refund(refunded);
  await holds.release(await holds.place());
  const { terminal, intent } = await intents.ready();
  await terminal.pay(intent);
  await intents.refund(intent);
  await agreed();
  const state = async () => [
    await services.db('payments').many(sql`select id, status, version from payment order by id`),
    await services.db('holds').many(sql`select payment_id, status, version from hold order by payment_id`),
    await services.db('intents').many(sql`select id, status, payment_status, version from payment_intent order by id`),
  ];
  const before = await state();
  expect((await retell()).payments).toBeGreaterThan(4);
  const waiting = async () => (await Promise.all((['payments', 'holds'] as const).map(outboxOf))).join();
  await until('all are sent', async () => (await waiting()) === '0,0');
  // New ones of each kind, which come after the retold ones.
  await holds.release(await holds.place());
  const later = await intents.ready();
  expect(await later.terminal.pay(later.intent)).toMatchObject({ status: 201 });
  await agreed();
  const asText = (rows: unknown[][]) => rows.flat().map((row) => JSON.stringify(row));
  const after = new Set(asText(await state()));
  expect(asText(before).filter((row) => !after.has(row))).toEqual([]);
  for (const service of ['payments', 'holds', 'intents', 'reporting'] as const) {
    expect(services.logs(service)).not.toMatch(/event_(retried|parked)/);
  }
});

test('what has happened to a subscription since that time is published as often as it is asked for', async () => {
  const db = services.db('payments');
  const asked = { paymentMethodId: holds.cardId, amount: 349, periodicity: 'WEEKLY' };
  const made = await holds.merchant.call({ method: 'POST', path: '/subscription', body: asked });
  const { id } = made.body as { id: string };
  await until('its beginning is published', async () => {
    const [row] = await db.many<{ change: string }>(sql`
      select change from announced_subscription_change where subscription_id = ${id}`);
    return row?.change === 'created';
  });
  const before = await retell();
  expect(before.subscriptions).toBeGreaterThan(0);
  expect((await retell()).subscriptions).toBe(before.subscriptions);
  expect((await retell(new Date(Date.now() + 60_000).toISOString())).subscriptions).toBe(0);
});

test('organizations and terminals are published as they are now', async () => {
  const [id, db] = [newId(), openPatiently({ url: gateway.adminUrl, schema: 'gateway', max: 1 })];
  await db.run(sql`insert into organizations (id, name) values (${id}, 'Café Tacuba')`);
  const known = await services.db('intents').one<{ terminals: number }>(sql`
    select count(*)::int as terminals from terminal`);
  expect(await retell()).toMatchObject({ organizations: 1, ...known });
  expect(await db.many(sql`select type, aggregate_id as id from outbox`)).toEqual([
    { type: 'OrganizationChanged', id },
  ]);
  await db.close();
});

test('a time that is none is refused', async () => {
  const args = ['events', 'retell', '--since', 'yesterday'];
  expect(await runCommand({ tables: [eventCommands], args, env })).toMatchObject({
    code: 64,
    err: expect.stringContaining('must be a time'),
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Envelope } from '@cobro/contracts/events.ts';
import { type Database, sql } from '@cobro/postgres/database.ts';
import { awake } from '@cobro/testing/awake.ts';
import { makeReadOnly } from '@cobro/testing/test-database.ts';
import { type TestConsumer, testConsumer } from '@cobro/testing/test-consumer.ts';
import { testEvent } from '@cobro/testing/test-event.ts';
import { testInFull } from '@cobro/testing/test-in-full.ts';
import { openTestMetrics } from '@cobro/testing/test-metrics.ts';
import { until } from '@cobro/testing/until.ts';
import { type Broker, openBroker } from './broker.ts';
import { type EventHandlers, receiveInto } from './inbox.ts';
import { listParked } from './parked.ts';
import { subscribe, type SubscribeOptions, type Subscription } from './subscribe.ts';

/** So short that an event would be parked long before the database is well again, if the database's failures were counted. */
const LADDER = [50, 50];

let holds: TestConsumer;
let broker: Broker;
let subscription: Subscription;
const lines: string[] = [];
const log = {
  info: ({ event }: { event?: string }) => void lines.push(event ?? ''),
  warn: ({ event }: { event?: string }) => void lines.push(event ?? ''),
  error: ({ event }: { event?: string }) => void lines.push(event ?? ''),
};
const metrics = openTestMetrics();
const read = async (name: string) => (await metrics.read(name)).at(-1)?.value ?? Number.NaN;
/** Whether events wait, as 0 or 1. */
const measured = () => read('cobro.events.waiting');
/** How far the subscription is behind, in seconds. */
const lag = () => read('cobro.events.lag.seconds');

beforeAll(async () => {
  holds = await testConsumer('holds', LADDER);
});
afterEach(async () => {
  await subscription.stop();
  await broker.close();
  await holds.purge();
});
afterAll(async () => {
  await metrics.stop();
  await holds.drop();
});

async function consume(
  handlers: EventHandlers,
  { db = holds.db, ...options }: Partial<SubscribeOptions> & { db?: Database } = {},
): Promise<void> {
  broker = openBroker({ url: holds.url, name: 'test', prefix: holds.prefix, log });
  const how = { receive: receiveInto(db, handlers), checkSignature: holds.checkSignature, log, retryDelaysMs: LADDER };
  subscription = subscribe({ broker, queue: 'holds', ...how, ...options });
  await until('consuming', () => broker.ready());
  lines.length = 0;
}

const placed = () => testEvent('HoldPlaced');
const noted = () => lines.filter((event) => event.startsWith('event'));
const applied = (event: Envelope) => until('applied', async () => (await holds.effectsOf(event).catch(() => 0)) === 1);
const paused = () => until('it waits', () => subscription.isWaiting());
const goesOn = () => until('it goes on', () => !subscription.isWaiting());

/** The database of holds, which counts its transactions: a database that takes only reads refuses before any handler runs. */
const counted = (count: () => void): Database => ({
  ...holds.db,
  inTransaction: (fn) => {
    count();
    return holds.db.inTransaction(fn);
  },
});

async function readOnly() {
  const { username, pathname } = new URL(holds.databaseUrl);
  return makeReadOnly(pathname.slice(1), decodeURIComponent(username));
}

describe('while the database cannot take events', () => {
  test('because it is read-only they wait, lose no delivery, and come back by themselves; one line says so, and a metric', async () => {
    let deliveries = 0;
    const db = counted(() => deliveries++);
    await consume({ HoldPlaced: holds.leaveEffect }, { db });
    const restore = await readOnly();
    const events = Array.from({ length: 30 }, placed);
    for (const event of events) holds.send(event);
    await paused();
    expect(await measured()).toBe(1);
    await until('it was tried some times', () => deliveries > 2);
    const tried = deliveries;
    await sleep(1_000);
    // Not each event asks the database for itself. A try may be two transactions, the second one on a new session.
    expect(deliveries - tried).toBeLessThan(10);
    expect(await listParked(holds)).toEqual([]);
    expect(await lag()).toBeGreaterThan(1);
    expect(await lag()).toBeGreaterThan(1);
    await restore();
    for (const event of events) await applied(event);
    await goesOn();
    expect(await measured()).toBe(0);
    await until('what was late is published once more, and then no more', async () => (await lag()) === 0);
    expect(noted()).toEqual(['events_wait', 'events_go_on']);
    expect(await listParked(holds)).toEqual([]);
  });

  test('because a row stays locked only that event waits; a poisonous one is parked meanwhile', async () => {
    const [stuck, bad] = [placed(), testEvent('HoldReleased')];
    await holds.db.run(sql`create table locked (id int primary key)`);
    await holds.db.run(sql`insert into locked values (1)`);
    const [locked, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const locking = holds.db.inTransaction(async (tx) => {
      await tx.run(sql`select from locked for update`);
      locked.resolve();
      await awake(tx, free.promise);
    });
    await locked.promise;
    await consume({
      HoldPlaced: async (tx, event) => {
        if (event.id === stuck.id) await tx.run(sql`select from locked for update`);
        await holds.leaveEffect(tx, event);
      },
      HoldReleased: () => Promise.reject(new Error('always')),
    });
    holds.send(stuck);
    await paused();
    const others = Array.from({ length: 40 }, placed);
    for (const event of others) holds.send(event);
    holds.send(bad);
    for (const event of others) await applied(event);
    await until('the bad one is parked', async () => (await listParked(holds)).length === 1);
    expect((await listParked(holds)).map(({ eventId }) => eventId)).toEqual([bad.id]);
    expect(await holds.effectsOf(stuck)).toBe(0);
    free.resolve();
    await locking;
    await applied(stuck);
    await goesOn();
    expect(noted().filter((event) => event !== 'event_retried')).toEqual([
      'events_wait',
      'event_parked',
      'events_go_on',
    ]);
  });

  testInFull(
    'because the disk is full, the server shuts down or a transaction was chosen in a deadlock, all the same',
    async () => {
      const codes = ['53100', '53300', '57P01', '58030', '40P01', '08006', '55006', '57014'];
      const left = new Map<string, string[]>();
      await consume({
        HoldPlaced: async (tx, event) => {
          const [code, ...rest] = left.get(event.id) ?? [];
          left.set(event.id, rest);
          const raised = `do $$ begin raise exception 'sick' using errcode = '${code}'; end $$`;
          if (code !== undefined) await tx.run({ text: raised, values: [] });
          await holds.leaveEffect(tx, event);
        },
      });
      const event = placed();
      left.set(event.id, codes);
      holds.send(event);
      await applied(event);
      expect(left.get(event.id)).toEqual([]);
      await goesOn();
      expect(noted()).toEqual(['events_wait', 'events_go_on']);
    },
  );

  testInFull(
    'for longer than the broker leaves a delivery alone, they go back into their queue and lose no delivery',
    async () => {
      let deliveries = 0;
      await consume({ HoldPlaced: holds.leaveEffect }, { putBackAfterMs: 200, db: counted(() => deliveries++) });
      const restore = await readOnly();
      const event = placed();
      holds.send(event);
      await until('it came again some times', () => deliveries > LADDER.length + 2);
      await restore();
      await applied(event);
      await goesOn();
      expect(await listParked(holds)).toEqual([]);
      expect(noted()).not.toContain('event_retried');
    },
  );

  testInFull('they are left to another process where this one stops', async () => {
    await consume({ HoldPlaced: holds.leaveEffect });
    const restore = await readOnly();
    const event = placed();
    holds.send(event);
    await paused();
    await subscription.stop();
    await broker.close();
    await restore();
    await consume({ HoldPlaced: holds.leaveEffect });
    await applied(event);
    expect(await listParked(holds)).toEqual([]);
  });
});

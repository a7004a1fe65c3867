import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Envelope } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { type Database, openPatiently, sql } from '@cobro/postgres/database.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { testEvent } from '@cobro/testing/test-event.ts';
import { until } from '@cobro/testing/until.ts';
import { type EventHandlers, receiveEvent, receiveEvents } from './inbox.ts';
import { eventsMigrations } from './migrations.ts';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await testDatabase({ name: 'holds', migrations: [eventsMigrations] });
  db = openPatiently({ url: database.url, schema: 'holds' });
  await db.run(sql`create table effect (event_id uuid not null)`);
});

afterAll(async () => {
  await db.close();
  await database.drop();
});

const handlers: EventHandlers = {
  HoldPlaced: async (tx, event) => void (await tx.run(sql`insert into effect (event_id) values (${event.id})`)),
};

describe('the inbox', () => {
  test('applies one of many copies that come at once', async () => {
    const event = testEvent('HoldPlaced');
    const results = await Promise.all(Array.from({ length: 8 }, () => receiveEvent(db, handlers, event)));
    expect(results.filter((result) => result === 'applied')).toHaveLength(1);
    expect(results.filter((result) => result === 'duplicate')).toHaveLength(7);
    expect(await db.many(sql`select from effect where event_id = ${event.id}`)).toHaveLength(1);
  });

  test('runs no handler for a copy whose event has had its effect', async () => {
    const event = testEvent('HoldPlaced');
    let runs = 0;
    const counting: EventHandlers = {
      HoldPlaced: async (tx, each) => {
        runs += 1;
        await handlers['HoldPlaced']?.(tx, each);
      },
    };
    // Each process remembers only what it has applied itself.
    const others = [0, 1, 2].map(() => openPatiently({ url: database.url, schema: 'holds' }));
    const results = await Promise.all(others.map((other) => receiveEvent(other, counting, event)));
    await Promise.all(others.map((other) => other.close()));
    expect(results.toSorted()).toEqual(['applied', 'duplicate', 'duplicate']);
    expect(runs).toBe(1);
  });

  test('applies an event again that comes back because a database that took over had lost it', async () => {
    const event = testEvent('HoldPlaced');
    const effects = () => db.many(sql`select from effect where event_id = ${event.id}`);
    await receiveEvent(db, handlers, event);
    await db.run(sql`delete from effect where event_id = ${event.id}`);
    await db.run(sql`delete from inbox where event_id = ${event.id}`);
    await until('it has its effect again', async () => {
      await receiveEvent(db, handlers, event);
      return (await effects()).length === 1;
    });
    expect(await receiveEvent(db, handlers, event)).toBe('duplicate');
    expect(await effects()).toHaveLength(1);
  });

  /** Begins to apply the event, and fails when the caller calls `fail`. */
  async function applyAndFail(event: Envelope) {
    const failure = Promise.withResolvers<never>();
    const begun = Promise.withResolvers<void>();
    const failing: EventHandlers = {
      HoldPlaced: async (tx, each) => {
        await handlers['HoldPlaced']?.(tx, each);
        begun.resolve();
        await failure.promise;
      },
    };
    const result = receiveEvent(db, failing, event);
    await begun.promise;
    return { result, fail: () => failure.reject(new Error('no')) };
  }
  const waitForLock = async () =>
    (
      await db.many(sql`select from pg_stat_activity where wait_event_type = 'Lock'
        and datname = current_database()`)
    ).length > 0;

  test('applies a copy that waited in another process for one whose handler then failed', async () => {
    const event = testEvent('HoldPlaced');
    const other = openPatiently({ url: database.url, schema: 'holds' });
    const first = await applyAndFail(event);
    const second = receiveEvent(other, handlers, event);
    await until('the second waits for the first', waitForLock);
    first.fail();
    await expect(first.result).rejects.toThrow('no');
    expect(await second).toBe('applied');
    expect(await db.many(sql`select from effect where event_id = ${event.id}`)).toHaveLength(1);
    await other.close();
  });

  test('waits in one process for a copy at work without a transaction, and applies the event where that one failed', async () => {
    const [event, beside] = [testEvent('HoldPlaced'), testEvent('HoldPlaced')];
    const first = await applyAndFail(event);
    const second = receiveEvent(db, handlers, event);
    const several = receiveEvents(db, handlers, [beside, event]);
    // Other events go on meanwhile.
    expect(await receiveEvent(db, handlers, testEvent('HoldPlaced'))).toBe('applied');
    expect(await waitForLock()).toBe(false);
    first.fail();
    await expect(first.result).rejects.toThrow('no');
    expect([await second, await several]).toEqual(['applied', new Set([beside.id])]);
    const ids = [event.id, beside.id];
    expect(await db.many(sql`select from effect where event_id = any(${ids}::uuid[])`)).toHaveLength(2);
  });

  test('keeps nothing of a handler that fails', async () => {
    const event = testEvent('HoldPlaced');
    const failing: EventHandlers = {
      HoldPlaced: async (tx, each) => {
        await handlers['HoldPlaced']?.(tx, each);
        throw new Error('no');
      },
    };
    await expect(receiveEvent(db, failing, event)).rejects.toThrow('no');
    expect(await db.many(sql`select from effect where event_id = ${event.id}`)).toEqual([]);
    expect(await receiveEvent(db, handlers, event)).toBe('applied');
  });

  test('applies each of several events once, whoever else has some of them and in whatever order', async () => {
    const subjects = Array.from({ length: 5 }, () => newId());
    const events = Array.from({ length: 40 }, (_, i) => testEvent('HoldPlaced', { subject: subjects[i % 5] ?? '' }));
    const known = events.slice(0, 3);
    for (const event of known) await receiveEvent(db, handlers, event);
    // Another process: ours remembers what it has applied.
    const other = openPatiently({ url: database.url, schema: 'holds' });
    const shuffled = () => events.toSorted(() => Math.random() - 0.5);
    await Promise.all([
      receiveEvents(db, handlers, shuffled()),
      receiveEvents(other, handlers, shuffled()),
      receiveEvents(other, handlers, [...shuffled(), ...known]),
      ...events.slice(10, 20).map((event) => receiveEvent(other, handlers, event)),
    ]);
    await other.close();
    const ids = events.map(({ id }) => id);
    const effects = await db.many<{ event_id: string }>(sql`select event_id from effect where event_id = any(${ids})`);
    expect(effects.map(({ event_id: id }) => id).toSorted()).toEqual(ids.toSorted());
  });

  test('keeps nothing of several events where one fails', async () => {
    const events = [testEvent('HoldPlaced'), testEvent('HoldReleased'), testEvent('HoldPlaced')];
    const failing = { ...handlers, HoldReleased: () => Promise.reject(new Error('no')) };
    await expect(receiveEvents(db, failing, events)).rejects.toThrow('no');
    expect(await db.many(sql`select from effect where event_id = any(${events.map(({ id }) => id)})`)).toEqual([]);
    for (const event of events)
      expect(await receiveEvent(db, { ...handlers, HoldReleased: async () => {} }, event)).toBe('applied');
  });
});

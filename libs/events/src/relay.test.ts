import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { sql } from '@cobro/postgres/database.ts';
import { proxyTo } from '@cobro/testing/tcp-proxy.ts';
import {
  commit,
  confirmed,
  firstSequences,
  idsOf,
  type TestOutbox,
  testOutbox,
  upTo,
} from '@cobro/testing/test-outbox.ts';
import { until } from '@cobro/testing/until.ts';
import { appendToOutbox } from './outbox.ts';
import { BATCH } from './relay-batch.ts';
import { MOST_IN_MEMORY } from './relay-from-memory.ts';

let own: TestOutbox;
beforeAll(async () => {
  own = await testOutbox();
});
afterEach(() => own.cleanUp());
afterAll(() => own.drop());

describe('the relay', () => {
  test('sends what another process left behind, without a notice', async () => {
    const { prefix, received } = await own.withBoundQueue();
    own.replica(prefix);
    const orphan = confirmed();
    await own.leave(orphan);
    await until('received', () => received.length === 1);
    expect(idsOf(received)).toEqual([orphan.id]);
  });

  test('sends what a command has written as soon as it is notified, though it polls only once an hour', async () => {
    const { prefix, received } = await own.withBoundQueue();
    own.replica(prefix, { pollMs: 3_600_000 });
    for (const written of [confirmed(), confirmed()]) {
      received.length = 0;
      await own.db.inTransaction(async (tx) => appendToOutbox(tx, written));
      await until('received', () => received.length === 1);
      expect(idsOf(received)).toEqual([written.id]);
    }
    await until('forgotten', async () => (await own.left()) === 0);
  });

  test('sends and forgets what it commits without reading it back', async () => {
    const { prefix, received } = await own.withBoundQueue();
    const payments = own.replica(prefix, {
      outboxDb: (pool) => ({ ...pool, inTransaction: () => Promise.reject(new Error('it reads back')) }),
    });
    await until('connected', () => payments.broker.canPublish());
    const subject = newId();
    const events = upTo(50).map((n) => confirmed(subject, n));
    for (const event of events) await commit(payments, event);
    await until('forgotten', async () => (await own.left()) === 0);
    await until('received', () => received.length >= events.length);
    expect(idsOf(received)).toEqual(events.map(({ id }) => id));
  });

  test('keeps the order where the event before was left by another process', async () => {
    const { prefix, received } = await own.withBoundQueue();
    const payments = own.replica(prefix);
    await until('connected', () => payments.broker.canPublish());
    const subject = newId();
    await own.leave(confirmed(subject, 1));
    for (const n of [2, 3]) await commit(payments, confirmed(subject, n));
    await until('sent', async () => (await own.left()) === 0);
    await until('received', () => firstSequences(received, subject).length === 3);
    expect(firstSequences(received, subject)).toEqual([1, 2, 3]);
  });

  test('keeps at most a thousand events in memory while the broker hangs, and sends all in order when it answers', async () => {
    const { prefix, received } = await own.withBoundQueue();
    const proxy = await proxyTo(own.brokerUrl);
    await proxy.restore();
    own.undo.push(() => proxy.cut());
    const payments = own.replica(prefix, { brokerUrl: proxy.url });
    await until('connected', () => payments.broker.canPublish());
    proxy.hang();
    const subjects = upTo(MOST_IN_MEMORY / 10).map(() => newId());
    for (const n of upTo(12)) await commit(payments, ...subjects.map((subject) => confirmed(subject, n)));
    proxy.resume();
    await until('sent', async () => (await own.left()) === 0);
    await until('received', () => subjects.every((subject) => firstSequences(received, subject).length === 12));
    for (const subject of subjects) expect(firstSequences(received, subject)).toEqual(upTo(12));
  });

  test('sends what committed before it was stopped', async () => {
    const { prefix, received } = await own.withBoundQueue();
    const payments = own.replica(prefix);
    await commit(payments, confirmed());
    await until('connected', () => received.length === 1);
    const events = upTo(BATCH + 100).map(() => confirmed());
    await commit(payments, ...events);
    await payments.outbox.stop();
    expect(await own.left()).toBe(0);
    await until('received', () => new Set(idsOf(received)).size === events.length + 1);
  });

  test('keeps the order of each aggregate while two relays compete, and sends each event once', async () => {
    const { prefix, received } = await own.withBoundQueue();
    const replicas = [own.replica(prefix), own.replica(prefix)] as const;
    const send = async () => {
      received.length = 0;
      const subjects = upTo(20).map(() => newId());
      await Promise.all(
        subjects.map(async (subject) => {
          for (const n of upTo(40)) await commit(replicas[n % 2 === 0 ? 0 : 1], confirmed(subject, n));
        }),
      );
      await until('sent', async () => (await own.left()) === 0);
      await until('received', () => subjects.every((subject) => firstSequences(received, subject).length === 40));
      for (const subject of subjects) expect(firstSequences(received, subject)).toEqual(upTo(40));
      return received.length;
    };
    // On a machine that stands still for two seconds an event counts as left by its process, and the other one sends it too.
    let sent = await send();
    for (let tries = 1; tries < 4 && sent > 800; tries++) sent = await send();
    expect(sent).toBe(800);
  });

  test('waits for a broker that was not there at the start', async () => {
    const { prefix, received } = await own.withBoundQueue();
    const proxy = await proxyTo(own.brokerUrl);
    own.undo.push(() => proxy.cut());
    const payments = own.replica(prefix, { brokerUrl: proxy.url });
    const sent = [confirmed(), confirmed(), confirmed()];
    for (const event of sent) await commit(payments, event);
    await sleep(500);
    expect(received).toHaveLength(0);
    await proxy.restore();
    await until('received', () => received.length >= 3);
    expect(new Set(idsOf(received))).toEqual(new Set(sent.map(({ id }) => id)));
  });

  test('loses nothing and keeps the order when the connection breaks again and again', async () => {
    const { prefix, received } = await own.withBoundQueue();
    const proxy = await proxyTo(own.brokerUrl);
    await proxy.restore();
    own.undo.push(() => proxy.cut());
    const payments = own.replica(prefix, { brokerUrl: proxy.url });
    const subjects = upTo(10).map(() => newId());
    const writing = Promise.all(
      subjects.map(async (subject) => {
        for (const n of upTo(100)) {
          await commit(payments, confirmed(subject, n));
          await sleep(5);
        }
      }),
    );
    for (let cuts = 0; cuts < 4; cuts++) {
      await sleep(200);
      await proxy.cut();
      await proxy.restore();
    }
    await writing;
    await until('sent', async () => (await own.left()) === 0);
    await until('received', () => subjects.every((subject) => firstSequences(received, subject).length === 100));
    for (const subject of subjects) expect(firstSequences(received, subject)).toEqual(upTo(100));
  });

  test('goes on after its database connection was ended in the middle of a batch', async () => {
    const { prefix, received } = await own.withBoundQueue();
    const payments = own.replica(prefix);
    const subject = newId();
    for (const n of upTo(200)) {
      await commit(payments, confirmed(subject, n)).catch(() => {});
      if (n % 50 !== 0) continue;
      await own.db.run(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and wait_event = 'ClientRead'`);
    }
    await until('sent', async () => (await own.left()) === 0);
    const sequences = firstSequences(received, subject);
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
    expect(sequences.length).toBeGreaterThan(150);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { type Database, openDatabase, sql } from '@cobro/postgres/database.ts';
import { silentLog } from '@cobro/testing/silent-log.ts';
import { proxyTo } from '@cobro/testing/tcp-proxy.ts';
import { consumers } from '@cobro/testing/test-broker.ts';
import { type TestConsumer, testConsumer } from '@cobro/testing/test-consumer.ts';
import { testEvent } from '@cobro/testing/test-event.ts';
import { until } from '@cobro/testing/until.ts';
import { type Broker, openBroker } from './broker.ts';
import { type EventHandlers, PermanentEventError, receiveEvent, receiveInto } from './inbox.ts';
import { listParked } from './parked.ts';
import { subscribe, type Subscription } from './subscribe.ts';
import { declareTopology, retryQueue } from './topology.ts';

const LADDER = [100, 200];

let holds: TestConsumer;
let broker: Broker;
const undo: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  holds = await testConsumer('holds', LADDER);
});

afterAll(() => holds.drop());

beforeEach(() => {
  broker = openBroker({ url: holds.url, name: 'test', prefix: holds.prefix, log: silentLog });
});

afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
  await broker.close();
  await holds.purge();
});

/** Subscribes as holds; resolves once the consumer is there. */
async function consume(handlers: EventHandlers, using: { db?: Database; broker?: Broker } = {}): Promise<Subscription> {
  const { checkSignature } = holds;
  const { db, ...options } = { db: holds.db, broker, checkSignature, ...using };
  const receive = receiveInto(db, handlers);
  const subscription = subscribe({ ...options, queue: 'holds', receive, log: silentLog, retryDelaysMs: LADDER });
  undo.push(() => subscription.stop());
  await until('consuming', () => options.broker.ready());
  return subscription;
}

const placed = (fields = {}) => testEvent('HoldPlaced', fields);
const parked = () => listParked(holds);
const declareAgain = () => declareTopology({ ...holds, consumers, retryDelaysMs: LADDER });

async function throughProxy(url: string) {
  const proxy = await proxyTo(url);
  await proxy.restore();
  undo.push(() => proxy.cut());
  return proxy;
}

describe('a subscription', () => {
  test('applies an event once, however often it comes and whoever brings it', async () => {
    const handlers = { HoldPlaced: holds.leaveEffect };
    await consume(handlers);
    const event = placed();
    const direct = [receiveEvent(holds.db, handlers, event), receiveEvent(holds.db, handlers, event)];
    for (let copy = 0; copy < 5; copy++) holds.send(event);
    await Promise.all(direct);
    const last = placed();
    holds.send(last);
    await until('the last one applied', async () => (await holds.effectsOf(last)) === 1);
    expect(await holds.effectsOf(event)).toBe(1);
    expect(await receiveEvent(holds.db, handlers, event)).toBe('duplicate');
  });

  test('forgets events of a type that it has no handler for', async () => {
    await consume({});
    // Every object has a property of the second name: it is no handler either.
    for (const type of ['HoldPlaced', 'constructor']) holds.send(testEvent(type));
    await until('taken', async () => (await holds.waiting()) === 0);
    expect(await parked()).toEqual([]);
  });

  test('handles the events of one aggregate one after the other, in the order in which they came', async () => {
    const begun: string[] = [];
    let running = 0;
    let most = 0;
    await consume({
      HoldPlaced: async (_tx, event) => {
        most = Math.max(most, ++running);
        begun.push(event.sequence);
        await sleep(Math.random() * 10);
        running -= 1;
      },
    });
    const subject = newId();
    const sequences = Array.from({ length: 15 }, (_, i) => String(i + 1));
    for (const sequence of sequences) holds.send(placed({ subject, sequence }));
    await until('all begun', () => begun.length === 15);
    expect(begun).toEqual(sequences);
    expect(most).toBe(1);
  });

  test('applies what came while it was busy in one transaction, and each alone where one of them cannot be applied', async () => {
    let go: () => void = () => {};
    const gate = new Promise<void>((resolve) => (go = resolve));
    const transactions = new Map<string, string>();
    const leaveEffect: EventHandlers[string] = async (tx, event) => {
      await gate;
      const { xid } = await tx.one<{ xid: string }>(sql`select pg_current_xact_id()::text as xid`);
      transactions.set(event.id, xid);
      await holds.leaveEffect(tx, event);
    };
    const refuse = () => Promise.reject(new PermanentEventError('no'));
    await consume({ HoldPlaced: leaveEffect, HoldReleased: refuse });
    const [first, ...together] = Array.from({ length: 6 }, () => placed());
    const bad = testEvent('HoldReleased', { subject: together[1]?.subject ?? '' });
    const later = placed({ subject: bad.subject });
    for (const event of [first, ...together]) if (event) holds.send(event);
    await until('all taken', async () => (await holds.waiting()) === 0);
    go();
    await until('all applied', () => transactions.size === 6);
    expect(new Set(together.map(({ id }) => transactions.get(id))).size).toBeLessThan(together.length);
    const all = [placed(), bad, later, placed(), 'not an event', placed()];
    for (const message of all) holds.send(message);
    await until('the bad ones parked', async () => (await parked()).length === 2);
    for (const event of [first, ...together, ...all]) {
      if (event === undefined || typeof event === 'string' || event === bad) continue;
      await until('applied', async () => (await holds.effectsOf(event)) === 1);
    }
    expect(await holds.effectsOf(bad)).toBe(0);
  });

  test('stops after it has finished what runs, and leaves the rest to others', async () => {
    let begun = false;
    const subscription = await consume({
      HoldPlaced: async (tx, event) => {
        begun = true;
        await sleep(300);
        await holds.leaveEffect(tx, event);
      },
    });
    const running = placed();
    holds.send(running);
    await until('begun', () => begun);
    await subscription.stop();
    expect(await holds.effectsOf(running)).toBe(1);
    holds.send(placed());
    await until('it is there', async () => (await holds.waiting()) > 0);
    // Only the new one: the other was acknowledged.
    expect(await holds.waiting()).toBe(1);
  });
});

describe('when something breaks', () => {
  test('events wait while the database is away, and lose no delivery', async () => {
    const proxy = await throughProxy(holds.databaseUrl);
    const db = openDatabase({ url: proxy.url, schema: 'holds' });
    undo.push(() => db.close());
    let begun = 0;
    await consume(
      {
        HoldPlaced: async (tx, event) => {
          begun += 1;
          await tx.run(sql`select pg_sleep(0.2)`);
          await holds.leaveEffect(tx, event);
        },
      },
      { db },
    );
    const inTheMiddle = placed();
    holds.send(inTheMiddle);
    await until('begun', () => begun === 1);
    await sleep(50);
    await proxy.cut();
    const during = [placed(), placed(), placed()];
    for (const event of during) holds.send(event);
    await sleep(2_000);
    await proxy.restore();
    for (const event of [inTheMiddle, ...during]) {
      await until('applied', async () => (await holds.effectsOf(event)) === 1);
    }
    expect(await parked()).toEqual([]);
  });

  test('a broken connection delivers again what was not acknowledged, and it is applied once', async () => {
    const proxy = await throughProxy(holds.url);
    const shaky = openBroker({ url: proxy.url, name: 'test', prefix: holds.prefix, log: silentLog });
    undo.push(() => shaky.close());
    let runs = 0;
    const handlers: EventHandlers = {
      HoldPlaced: async (tx, event) => {
        runs += 1;
        await holds.leaveEffect(tx, event);
        await sleep(200);
      },
    };
    const subscription = await consume(handlers, { broker: shaky });
    const cutOff = placed();
    holds.send(cutOff);
    await until('running', () => runs === 1);
    await proxy.cut();
    await sleep(300);
    await proxy.restore();
    await until('consuming again', () => shaky.ready());
    const after = placed();
    holds.send(after);
    await until('the later one applied', async () => (await holds.effectsOf(after)) === 1);
    expect(await holds.effectsOf(cutOff)).toBe(1);
    expect(runs).toBe(2);
    // The acknowledgement comes after the effect.
    await subscription.stop();
    await shaky.close();
    expect(await holds.waiting()).toBe(0);
  });

  test('an event that could not be put off before the channel closed comes again before later ones of its aggregate', async () => {
    const proxy = await throughProxy(holds.url);
    const shaky = openBroker({ url: proxy.url, name: 'test', prefix: holds.prefix, log: silentLog });
    undo.push(() => shaky.close());
    const applied: string[] = [];
    let failing = true;
    let moves = 0;
    const publish: Broker['publish'] = (message) => {
      moves += 1;
      return shaky.publish(message);
    };
    const handlers: EventHandlers = {
      HoldPlaced: async (_tx, event) => {
        if (failing && event.sequence === '1') throw new Error('not yet');
        applied.push(event.sequence);
      },
    };
    await consume(handlers, { broker: { ...shaky, publish } });
    await holds.channel.deleteQueue(retryQueue(holds.queue, 100));
    const subject = newId();
    for (const sequence of ['1', '2', '3']) holds.send(placed({ subject, sequence }));
    await until('all taken, and the first could not be moved', async () => moves > 1 && (await holds.waiting()) === 0);
    await proxy.cut();
    failing = false;
    await until('noticed', () => !shaky.ready());
    await sleep(1_000);
    await proxy.restore();
    await until('all applied', () => applied.length >= 3);
    expect(applied).toEqual(['1', '2', '3']);
    await declareAgain();
  });

  test('events are consumed from a broker that was not there at the start', async () => {
    const proxy = await proxyTo(holds.url);
    undo.push(() => proxy.cut());
    const late = openBroker({ url: proxy.url, name: 'test', prefix: holds.prefix, log: silentLog });
    undo.push(() => late.close());
    const event = placed();
    holds.send(event);
    const consuming = consume({ HoldPlaced: holds.leaveEffect }, { broker: late });
    await sleep(300);
    expect(late.ready()).toBe(false);
    await proxy.restore();
    await consuming;
    await until('applied', async () => (await holds.effectsOf(event)) === 1);
  });

  test('the consumer comes back when its queue was deleted and declared again', async () => {
    await consume({ HoldPlaced: holds.leaveEffect });
    await holds.channel.deleteQueue(holds.queue);
    await until('noticed', () => !broker.ready());
    await declareAgain();
    const event = placed();
    holds.send(event);
    await until('applied', async () => (await holds.effectsOf(event)) === 1);
    expect(broker.ready()).toBe(true);
  });

  test('a failed event that cannot be moved to its retry queue is kept until it can', async () => {
    let deliveries = 0;
    await consume({
      HoldPlaced: async (tx, event) => {
        deliveries += 1;
        if (deliveries === 1) throw new Error('once');
        await holds.leaveEffect(tx, event);
      },
    });
    await holds.channel.deleteQueue(retryQueue(holds.queue, 100));
    const event = placed();
    holds.send(event);
    const others = [placed(), placed()];
    await until('begun', () => deliveries === 1);
    for (const other of others) holds.send(other);
    for (const other of others) await until('not held up', async () => (await holds.effectsOf(other)) === 1);
    expect(deliveries).toBe(1 + others.length);
    expect(await holds.effectsOf(event)).toBe(0);
    await declareAgain();
    await until('applied', async () => (await holds.effectsOf(event)) === 1);
    expect(deliveries).toBe(2 + others.length);
  });
});

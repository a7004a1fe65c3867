import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { silentLog } from '@cobro/testing/silent-log.ts';
import { type TestConsumer, testConsumer } from '@cobro/testing/test-consumer.ts';
import { testEvent } from '@cobro/testing/test-event.ts';
import { until } from '@cobro/testing/until.ts';
import { z } from 'zod';
import { type Broker, openBroker } from './broker.ts';
import { type EventHandlers, PermanentEventError, receiveInto } from './inbox.ts';
import { dropParked, listParked, retryParked, showParked } from './parked.ts';
import { subscribe, type Subscription } from './subscribe.ts';
import { parkedQueue } from './topology.ts';

const LADDER = [100, 200];

let holds: TestConsumer;
let broker: Broker;
let subscription: Subscription | undefined;

beforeAll(async () => {
  holds = await testConsumer('holds', LADDER);
  broker = openBroker({ url: holds.url, name: 'test', prefix: holds.prefix, log: silentLog });
});

afterAll(async () => {
  await broker.close();
  await holds.drop();
});

afterEach(async () => {
  await subscription?.stop();
  await holds.purge();
});

function consume(handlers: EventHandlers): void {
  const { db, checkSignature } = holds;
  const options = { receive: receiveInto(db, handlers), checkSignature, log: silentLog, retryDelaysMs: LADDER };
  subscription = subscribe({ broker, queue: 'holds', ...options });
}

const parked = () => listParked(holds);
const untilParked = (count: number) => until(`${count} parked`, async () => (await parked()).length === count);

describe('an event whose effect fails', () => {
  test('comes again by the ladder, is parked when the deliveries are used up, and can be put back', async () => {
    const event = testEvent('HoldPlaced');
    const failedAt: number[] = [];
    let repaired = false;
    consume({
      HoldPlaced: async (tx, each) => {
        await holds.leaveEffect(tx, each);
        if (repaired) return;
        failedAt.push(Date.now());
        throw Object.assign(new TypeError('row 4242'), { code: 'E42' });
      },
    });
    holds.send(event);
    await untilParked(1);
    const [first, second, third, ...more] = failedAt as [number, number, number];
    expect(more).toEqual([]);
    expect(second - first).toBeGreaterThanOrEqual(90);
    expect(third - second).toBeGreaterThanOrEqual(190);
    expect(await holds.effectsOf(event)).toBe(0);
    const [shown] = await showParked(holds, event.id);
    const about = { queue: holds.queue, eventId: event.id, type: 'HoldPlaced', subject: event.subject };
    // Only the error's name and code, because its message may quote a row.
    expect(shown).toMatchObject({ ...about, failures: 3, reason: 'TypeError E42' });
    expect(JSON.parse(shown?.body ?? '')).toEqual(event);

    repaired = true;
    expect(await retryParked(holds, newId())).toEqual([]);
    expect(await retryParked(holds, event.id)).toHaveLength(1);
    await until('applied', async () => (await holds.effectsOf(event)) === 1);
    expect(await parked()).toEqual([]);
  });

  test('has all its deliveries again when it is put back', async () => {
    let deliveries = 0;
    consume({
      HoldPlaced: async () => {
        deliveries += 1;
        throw new Error('still broken');
      },
    });
    holds.send(testEvent('HoldPlaced'));
    await untilParked(1);
    expect(deliveries).toBe(3);
    await retryParked(holds);
    await until('tried again', () => deliveries === 6);
    await untilParked(1);
    expect(await parked()).toMatchObject([{ failures: 3, reason: 'Error' }]);
  });

  test('is parked at once when the error is permanent or its data has another shape', async () => {
    let deliveries = 0;
    consume({
      HoldPlaced: async () => {
        deliveries += 1;
        throw new PermanentEventError('no such payment');
      },
      HoldCaptured: async (_tx, event) => {
        deliveries += 1;
        z.object({ amount: z.int() }).parse(event.data);
      },
    });
    // One after the other, because two that come together are applied together first, and then again apart.
    for (const [i, type] of ['HoldPlaced', 'HoldCaptured'].entries()) {
      holds.send(testEvent(type));
      await untilParked(i + 1);
    }
    expect(new Set((await parked()).map(({ reason }) => reason))).toEqual(new Set(['ZodError', 'no such payment']));
    expect(deliveries).toBe(2);
  });

  test('is parked at once when it is no event at all', async () => {
    consume({});
    holds.send('{"specversion":', 'poison');
    holds.send({ ...testEvent('HoldPlaced'), sequence: 'x' });
    await untilParked(2);
    expect(await showParked(holds, 'poison')).toMatchObject([{ type: null, body: '{"specversion":' }]);
  });
});

describe('a parked event', () => {
  test('can be looked at as often as one likes', async () => {
    holds.channel.sendToQueue(parkedQueue(holds.prefix), Buffer.from('x'), { messageId: 'x' });
    for (let look = 0; look < 25; look++) await untilParked(1);
    expect(await parked()).toMatchObject([{ eventId: 'x', queue: parkedQueue(holds.prefix), reason: null }]);
  });

  test('is thrown away only where it is no event', async () => {
    const event = testEvent('HoldPlaced');
    const park = (body: string, messageId: string) =>
      holds.channel.sendToQueue(parkedQueue(holds.prefix), Buffer.from(body), { messageId });
    park('{"specversion":', 'poison');
    park(JSON.stringify(event), event.id);
    await untilParked(2);
    expect(await dropParked(holds, event.id)).toEqual([]);
    expect(await dropParked(holds, 'poison')).toMatchObject([{ eventId: 'poison', body: '{"specversion":' }]);
    expect(await parked()).toMatchObject([{ eventId: event.id }]);
  });

  test('stays parked when the queue that it came from is not there', async () => {
    holds.channel.publish(`${holds.prefix}events.dlx`, 'gone', Buffer.from('x'), { messageId: 'x' });
    await untilParked(1);
    await expect(retryParked(holds)).rejects.toThrow('the queue gone is not there');
    await untilParked(1);
    expect(await parked()).toMatchObject([{ eventId: 'x' }]);
  });
});

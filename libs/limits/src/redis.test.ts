import { setTimeout as sleep } from 'node:timers/promises';
import { trace } from '@opentelemetry/api';
import {
  openRedisReplicas,
  PATIENT_MS,
  SOON_MS,
  type RedisReplicas,
  timed,
  undisturbed,
} from '@cobro/testing/redis-replicas.ts';
import { recordSpans } from '@cobro/testing/record-spans.ts';
import { until } from '@cobro/testing/until.ts';
import { afterEach, describe, expect, test } from '@jest/globals';
import { luaScript, openRedis } from './redis.ts';

const ON = 'Redis does not answer: this process keeps the limits alone';
const OFF = 'Redis answers again: all processes keep the limits together';
const increment = luaScript(`return redis.call('incr', KEYS[1])`);
const fail = luaScript(`return redis.error_reply('READONLY You can not write')`);

let replicas: RedisReplicas;
afterEach(() => replicas.close());

const run = () => replicas.redis[0].run(increment, 'n', []);
const storedCount = async () => Number(await replicas.direct.get(`${replicas.prefix}n`));
/** Both connections notice a hang or cut, with a line each. */
const linesOfOne = () => replicas.lines.filter((_line, i, all) => all.indexOf(all[i] ?? '') === i);

describe('a Redis that answers', () => {
  test('runs a script that it has never seen, under keys with the prefix, and says nothing', async () => {
    replicas = await openRedisReplicas({ patienceMs: PATIENT_MS });
    await expect(run()).resolves.toBe(1);
    await replicas.direct.sendCommand(['SCRIPT', 'FLUSH']);
    await expect(run()).resolves.toBe(2);
    await expect(storedCount()).resolves.toBe(2);
    expect(replicas.lines).toEqual([]);
  });

  test('has a span for each command of a request that is traced, without its key', async () => {
    const spans = recordSpans();
    replicas = await openRedisReplicas({ patienceMs: PATIENT_MS });
    await run();
    expect(spans.ended).toEqual([]);
    await trace.getTracer('test').startActiveSpan('request', async (request) => {
      await run();
      request.end();
    });
    await spans.stop();
    const [command, request] = spans.ended;
    expect(spans.ended).toHaveLength(2);
    expect(command).toMatchObject({ name: 'redis-EVALSHA', attributes: { 'db.system.name': 'redis' } });
    expect(command?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
    expect(Object.keys(command?.attributes ?? {})).toEqual(['db.system.name']);
  });

  test('is still connected after a while without a request', async () => {
    replicas = await openRedisReplicas({ patienceMs: PATIENT_MS });
    await undisturbed(async () => {
      replicas.lines.length = 0;
      await sleep(3_000);
      await expect(run()).resolves.toEqual(expect.any(Number));
      expect(replicas.lines).toEqual([]);
    });
  });

  test('but refuses to write is none: one line, and one when it writes again', async () => {
    replicas = await openRedisReplicas({ patienceMs: PATIENT_MS });
    for (let i = 0; i < 5; i++) await expect(replicas.redis[0].run(fail, 'n', [])).resolves.toBeUndefined();
    const says = 'Redis answers READONLY: this process keeps the limits alone';
    expect(replicas.lines).toEqual([says]);
    expect(replicas.redis[0].refuses()).toBe(true);
    await until('it is said', () => replicas.lines.length > 1);
    expect(replicas.lines).toEqual([says, OFF]);
    expect(replicas.redis[0].refuses()).toBe(false);
  });
});

describe('a Redis that is not there', () => {
  test('keeps nobody waiting, says so once, and once when it is there', async () => {
    replicas = await openRedisReplicas({ isUp: false, patienceMs: PATIENT_MS });
    await until('it is said', () => replicas.lines.length === 2);
    for (let i = 0; i < 100; i++) {
      const { ms, result } = await timed(run);
      expect(result).toBeUndefined();
      expect(ms).toBeLessThan(SOON_MS);
    }
    expect(replicas.lines).toEqual([ON, ON]);
    await replicas.proxy.restore();
    await replicas.connected();
    await until('it is said', () => replicas.lines.length === 4);
    expect(replicas.lines).toEqual([ON, ON, OFF, OFF]);
    await expect(run()).resolves.toBe(1);
  });

  test('because it went away with requests under way answers none of them', async () => {
    replicas = await openRedisReplicas();
    replicas.proxy.hang();
    const answers = Promise.all(Array.from({ length: 20 }, () => timed(run)));
    await replicas.proxy.cut();
    for (const { ms, result } of await answers) {
      expect(result).toBeUndefined();
      expect(ms).toBeLessThan(SOON_MS);
    }
    expect(linesOfOne()).toEqual([ON]);
  });

  test('or whose password is another is none', async () => {
    replicas = await openRedisReplicas();
    const lines: string[] = [];
    const say = (_fields: object, line: string) => void lines.push(line);
    const url = new URL(replicas.proxy.url);
    url.password = 'wrong';
    const stranger = openRedis({ url: url.href, prefix: '', log: { info: say, warn: say, error: say } });
    await until('it is said', () => lines.length > 0);
    await expect(stranger.run(increment, 'n', [])).resolves.toBeUndefined();
    expect(stranger.refuses()).toBe(true);
    stranger.close();
    expect(lines).toEqual(['Redis answers WRONGPASS: this process keeps the limits alone']);
  });
});

describe('a Redis that hangs', () => {
  test('keeps nobody waiting, counts what it was sent when it goes on, and is said to be away and back once', async () => {
    replicas = await openRedisReplicas();
    await undisturbed(async () => {
      await replicas.close();
      replicas = await openRedisReplicas();
      replicas.proxy.hang();
      const first = await Promise.all(Array.from({ length: 8 }, () => timed(run)));
      // Half a second later Redis is not asked any more, and no caller waits.
      await sleep(600);
      const later = [];
      for (let i = 0; i < 100; i++) later.push(await timed(run));
      for (const { ms, result } of [...first, ...later]) {
        expect(result).toBeUndefined();
        expect(ms).toBeLessThan(SOON_MS);
      }
      expect(later.reduce((sum, { ms }) => sum + ms, 0)).toBeLessThan(SOON_MS);
      expect(replicas.lines).toEqual([ON]);
      replicas.proxy.resume();
      await until('what was sent was counted', async () => (await storedCount()) === 8, 20_000);
      await until('it is said', () => replicas.lines.length > 1);
      expect(replicas.lines).toEqual([ON, OFF]);
      await until('requests are answered', async () => (await run()) !== undefined);
    });
  });

  test('for a moment only has counted every request', async () => {
    replicas = await openRedisReplicas();
    const answers = [];
    for (let i = 0; i < 5; i++) {
      replicas.proxy.hang();
      const all = Promise.all(Array.from({ length: 10 }, () => timed(run)));
      await sleep(20 * i);
      replicas.proxy.resume();
      answers.push(...(await all));
      await replicas.connected();
    }
    for (const { ms } of answers) expect(ms).toBeLessThan(SOON_MS);
    await until('all were counted', async () => (await storedCount()) === 50);
  });

  test('for long is connected to anew', async () => {
    replicas = await openRedisReplicas();
    replicas.proxy.hang();
    await run();
    // Connections that are made meanwhile are not held up: the old ones were given up.
    await until('another connection works', async () => (await run()) !== undefined);
    expect(linesOfOne()).toEqual([ON]);
  });
});

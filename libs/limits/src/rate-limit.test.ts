import { setTimeout as sleep } from 'node:timers/promises';
import { openRedisReplicas, PATIENT_MS, SOON_MS, type RedisReplicas, timed } from '@cobro/testing/redis-replicas.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Budget, createRateLimit, type RateLimit } from './rate-limit.ts';
import { listenToMetrics } from './test-metrics.ts';

const LIMIT = 120;
const CONNECTIONS = 8;
const FALL_BACK = 'cobro.limits.fallback_decisions rate';

const counted = listenToMetrics();
let replicas: RedisReplicas;
let limits: readonly [RateLimit, RateLimit];
let key: string;

const limitsOf = (windowMs: number): readonly [RateLimit, RateLimit] => {
  const [first, second] = replicas.redis;
  return [
    createRateLimit({ redis: first, requests: LIMIT, windowMs }),
    createRateLimit({ redis: second, requests: LIMIT, windowMs }),
  ];
};

const open = async (patience: { patienceMs?: number }) => {
  replicas = await openRedisReplicas(patience);
  limits = limitsOf(60_000);
};
beforeAll(() => open({ patienceMs: PATIENT_MS }));
afterAll(() => replicas.close());
beforeEach(async () => {
  key = crypto.randomUUID();
  await replicas.connected();
  counted.length = 0;
});

const redisKey = () => `${replicas.prefix}rate:${key}`;
/** Makes requests with one key, from eight connections, to both replicas in turn. */
async function spend(requests: number, of = limits): Promise<{ budgets: Budget[]; slowestMs: number }> {
  const budgets: Budget[] = [];
  let slowestMs = 0;
  let sent = 0;
  const connection = async () => {
    while (sent < requests) {
      const limit = of[sent++ % 2] ?? of[0];
      const { ms, result } = await timed(() => limit.spend(key));
      budgets.push(result);
      slowestMs = Math.max(slowestMs, ms);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return { budgets, slowestMs };
}
const passed = (...parts: { budgets: Budget[] }[]) =>
  parts.flatMap(({ budgets }) => budgets).filter(({ passes }) => passes).length;

describe('the requests of one key in one window', () => {
  test('pass 120 times, exactly, over both replicas, each with its own number left', async () => {
    const { budgets } = await spend(2_000);
    expect(passed({ budgets })).toBe(LIMIT);
    const left = budgets.filter(({ passes }) => passes).map(({ remaining }) => remaining);
    expect(left.toSorted((a, b) => a - b)).toEqual(Array.from({ length: LIMIT }, (_, i) => i));
    expect(new Set(budgets.filter(({ passes }) => !passes).map(({ remaining }) => remaining))).toEqual(new Set([0]));
  });

  test('are counted also where they are refused', async () => {
    await spend(200);
    await expect(replicas.direct.get(redisKey())).resolves.toBe('200');
  });

  test('are told the whole minute at its beginning', async () => {
    await expect(limits[0].spend(key)).resolves.toEqual({ passes: true, limit: 120, remaining: 119, resetS: 60 });
  });

  test('do not count for another key', async () => {
    await spend(130);
    key = crypto.randomUUID();
    expect(passed(await spend(130))).toBe(LIMIT);
  });

  test('are not counted for ever where the key has lost its end', async () => {
    await spend(5);
    await replicas.direct.persist(redisKey());
    await spend(1);
    expect(await replicas.direct.pTTL(redisKey())).toBeGreaterThan(55_000);
  });

  test('pass 240 times at most where Redis has lost what it knew', async () => {
    const before = await spend(100);
    await replicas.direct.del(redisKey());
    expect(passed(before, await spend(1_000))).toBeLessThanOrEqual(2 * LIMIT);
    await until('it counts again', async () => Number(await replicas.direct.get(redisKey())) === 1_000);
  });
});

describe('the next window', () => {
  test('begins with the first request after the one before, at the second that was told', async () => {
    const short = limitsOf(8_000);
    for (let round = 0; round < 2; round++) {
      const { budgets } = await spend(LIMIT + 16, short);
      expect(passed({ budgets })).toBe(LIMIT);
      const { resetS } = await short[0].spend(key);
      expect([1, 2, 3, 4, 5, 6, 7, 8]).toContain(resetS);
      await sleep(resetS * 1_000);
    }
  });
});

describe('a Redis that goes away in a window', () => {
  beforeAll(async () => {
    await replicas.close();
    await open({});
  });

  test('leaves each replica what it knew to be left', async () => {
    const [first] = limits;
    for (let i = 0; i < 100; i++) await first.spend(key);
    await replicas.proxy.cut();
    const rest = await spend(200, [first, first]);
    expect(passed(rest)).toBe(20);
    expect(rest.slowestMs).toBeLessThan(SOON_MS);
    expect(counted.filter((what) => what !== FALL_BACK)).toEqual([]);
    expect(counted.length).toBeGreaterThanOrEqual(200);
    await replicas.proxy.restore();
  });

  test('lets 240 pass at most over both, and counts on when it is back', async () => {
    const before = await spend(60);
    await replicas.proxy.cut();
    const without = await spend(1_000);
    await replicas.proxy.restore();
    await replicas.connected();
    const after = await spend(1_000);
    expect(passed(before)).toBe(60);
    expect(passed(without)).toBeGreaterThanOrEqual(60);
    expect(passed(before, without, after)).toBeLessThanOrEqual(2 * LIMIT);
    expect(Math.max(without.slowestMs, after.slowestMs)).toBeLessThan(SOON_MS);
  });

  test('before any request: each replica allows 120, in a window of its own', async () => {
    await replicas.proxy.cut();
    expect(passed(await spend(1_000))).toBe(2 * LIMIT);
    await replicas.proxy.restore();
    await replicas.connected();
    expect(passed(await spend(100))).toBe(0);
  });

  test('and hangs keeps nobody waiting', async () => {
    const before = await spend(60);
    replicas.proxy.hang();
    const without = await spend(1_000);
    replicas.proxy.resume();
    await replicas.connected();
    const after = await spend(200);
    expect(passed(before, without, after)).toBeLessThanOrEqual(2 * LIMIT);
    expect(without.slowestMs).toBeLessThan(SOON_MS);
  });
});

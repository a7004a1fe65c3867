import { luaScript, openRedis } from '@cobro/limits/redis.ts';
import { createClient } from 'redis';
import { proxyTo } from './tcp-proxy.ts';
import { testRedis } from './test-redis.ts';
import { until } from './until.ts';

const ping = luaScript(`return 'pong'`);

export type RedisReplicas = Awaited<ReturnType<typeof openRedisReplicas>>;

/** For tests of counters: both replicas wait until Redis has replied, however busy the machine is. */
export const PATIENT_MS = 10_000;

/**
 * Connections of two replicas to one Redis, which a proxy can hang, cut and restore.
 * @param options.isUp false: nobody answers until `proxy.restore()`
 * @param options.patienceMs how long a request waits for Redis; by default as in production
 */
export async function openRedisReplicas(options: { isUp?: boolean; patienceMs?: number } = {}) {
  const { isUp = true, ...patience } = options;
  const { url, prefix } = testRedis();
  const proxy = await proxyTo(url);
  if (isUp) await proxy.restore();
  /** A connection that nothing disturbs. */
  const direct = createClient({ url });
  await direct.connect();
  /** The log lines of both. */
  const lines: string[] = [];
  const say = (_fields: object, line: string) => void lines.push(line);
  const open = () => openRedis({ url: proxy.url, prefix, log: { info: say, warn: say, error: say }, ...patience });
  const redis = [open(), open()] as const;
  /** Waits until both connections work. */
  const connected = async () => {
    for (const one of redis) {
      await until('Redis answers', async () => (await one.run(ping, 'ping', [])) === 'pong');
    }
  };
  if (isUp) {
    await connected();
    // On a slow machine Redis may have replied to one of them too late.
    await until(
      'both are said to be back',
      () => lines.filter((line) => line.includes('again')).length * 2 === lines.length,
    );
    lines.length = 0;
  }
  return {
    proxy,
    redis,
    lines,
    direct,
    prefix,
    connected,
    close: async () => {
      for (const one of redis) one.close();
      direct.destroy();
      await proxy.cut();
    },
  };
}

/** Returns how long the work took, in milliseconds, and its result. Time in which this process stood still does not count. */
export async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const begun = performance.now() - stalledMs();
  const result = await work();
  return { ms: performance.now() - stalledMs() - begun, result };
}

/** Runs failed work again if this process stood still meanwhile, because a Redis that replies then seems silent. */
export async function undisturbed(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    const before = stalledMs();
    try {
      return await work();
    } catch (error) {
      if (tries === 5 || stalledMs() - before < 500) throw error;
    }
  }
}

/** 100 ms are promised; the rest is for a busy machine. A request that waited for Redis would take seconds. */
export const SOON_MS = 300;

const TICK_MS = 10;
let lastTick = performance.now();
let stalledBefore = 0;
const lateMs = () => Math.max(0, performance.now() - lastTick - TICK_MS);
setInterval(() => {
  stalledBefore += lateMs();
  lastTick = performance.now();
}, TICK_MS).unref();

/** For how long, in all, a busy machine or process has held up this process. */
const stalledMs = (): number => stalledBefore + lateMs();

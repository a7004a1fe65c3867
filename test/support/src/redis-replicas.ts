import { luaScript, openRedis } from '@cobro/limits/redis.ts';
import { createClient } from 'redis';
import { proxyTo } from './tcp-proxy.ts';
import { testRedis } from './test-redis.ts';
import { until } from './until.ts';

const ping = luaScript(`return 'pong'`);

export type RedisReplicas = Awaited<ReturnType<typeof openRedisReplicas>>;

/** A patience for tests of what is counted: however busy the machine is, both replicas wait until Redis has answered. */
export const PATIENT_MS = 10_000;

/**
 * Connections of two replicas to one Redis, which a proxy can hang, cut and restore.
 * @param options.isUp false: nobody answers until `proxy.restore()`
 * @param options.patienceMs how long a request waits for Redis; as in production where it is not given
 */
export async function openRedisReplicas(options: { isUp?: boolean; patienceMs?: number } = {}) {
  const { isUp = true, ...patience } = options;
  const { url, prefix } = testRedis();
  const proxy = await proxyTo(url);
  if (isUp) await proxy.restore();
  /** A connection that nothing disturbs. */
  const direct = createClient({ url });
  await direct.connect();
  /** What was said, of both. */
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
    // A slow machine may have answered one of them late.
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

/** How long it took, in milliseconds, and what came of it. Time in which this process stood still does not count. */
export async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const begun = performance.now() - stalledMs();
  const result = await work();
  return { ms: performance.now() - stalledMs() - begun, result };
}

/**
 * Runs the work again where this process stood still meanwhile, because then a Redis that answers counts as one that does not.
 */
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

/** 100 ms are promised; the rest is for a machine that does other things. Whatever waits for Redis waits for seconds. */
export const SOON_MS = 300;

const TICK_MS = 10;
let lastTick = performance.now();
let stalledBefore = 0;
const lateMs = () => Math.max(0, performance.now() - lastTick - TICK_MS);
setInterval(() => {
  stalledBefore += lateMs();
  lastTick = performance.now();
}, TICK_MS).unref();

/** How long, in all, a busy machine or a busy process has kept this one from its work. */
const stalledMs = (): number => stalledBefore + lateMs();

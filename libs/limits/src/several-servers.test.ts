import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENT_MS, undisturbed } from '@cobro/testing/redis-replicas.ts';
import { openRedisCluster, openRedisSentinel, redisProgram, type RedisServers } from '@cobro/testing/redis-servers.ts';
import { testInFull } from '@cobro/testing/test-in-full.ts';
import { until } from '@cobro/testing/until.ts';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createDeclineLimits, type Slot } from './decline-limits.ts';
import { createRateLimit } from './rate-limit.ts';
import { luaScript, openRedis, type Redis } from './redis.ts';

const REPLICAS = 3;
const ping = luaScript(`return 'pong'`);

/** Skipped if Redis is a container and this machine has no Redis program. */
const here = redisProgram === undefined && process.env['CI'] !== 'true' ? describe.skip : describe;

let servers: RedisServers;
let replicas: Redis[] = [];
let lines: string[];
afterEach(() => {
  for (const redis of replicas) redis.close();
  servers?.close();
});

const closing = <T extends Redis>(redis: T): T => {
  replicas.push(redis);
  return redis;
};
function open(url = servers.url): Redis {
  const say = (level: string) => (_fields: object, line: string) => void lines.push(`${level}: ${line}`);
  const log = { info: say('info'), warn: say('warn'), error: say('error') };
  return closing(openRedis({ url, prefix: 'shop:', log, patienceMs: PATIENT_MS }));
}
async function openReplicas(): Promise<Redis[]> {
  [replicas, lines] = [[], []];
  const opened = Array.from({ length: REPLICAS }, () => open());
  // On a slow machine a replica may give Redis up before its first reply, and log later that it is back.
  await until('all replicas count together', async () => {
    for (const redis of opened) await isAnswering(redis, 'any');
    return said('does not answer') === said('answers again');
  });
  lines = [];
  return opened;
}
const said = (words: string) => lines.filter((line) => line.includes(words)).length;
const isAnswering = (redis: Redis, key: string) =>
  until('Redis answers', async () => (await redis.run(ping, key, [])) === 'pong');

const some = () => randomBytes(16).toString('base64url');
const attempt = (card: string) => ({ card, link: some(), address: [...randomBytes(4)].join('.') });
/** How many of 15 attempts with one card pass if they come at once at all replicas. */
async function passed(of: Redis[], card = some()): Promise<number> {
  const limits = of.map((redis) => createDeclineLimits({ redis, at: 'link' }));
  const takes = limits.flatMap((limit) => Array.from({ length: 5 }, () => limit.reserve(attempt(card))));
  return (await Promise.all(takes)).filter(({ refused }) => !refused).length;
}

here('Redis on several servers', () => {
  testInFull.each([1, 3])('a cluster of %i counts for all replicas together', async (nodes) => {
    servers = await openRedisCluster(nodes);
    const opened = await openReplicas();
    for (let card = 0; card < 10; card++) expect(await passed(opened)).toBe(5);
    const rates = opened.map((redis) => createRateLimit({ redis, requests: 120, windowMs: 60_000 }));
    for (const key of [some(), some(), some(), some()]) {
      const budgets = await Promise.all(rates.flatMap((rate) => Array.from({ length: 60 }, () => rate.spend(key))));
      expect(budgets.filter(({ passes }) => passes)).toHaveLength(120);
    }
    // Longer than the time limit of a silent socket.
    await undisturbed(async () => {
      lines.length = 0;
      await sleep(3_000);
      expect(await passed(opened)).toBe(5);
      expect(lines).toEqual([]);
    });
  });

  test('in a cluster an attempt that one limit refuses leaves no slot under the others', async () => {
    servers = await openRedisCluster(3);
    const [first, second] = (await openReplicas()).map((redis) => createDeclineLimits({ redis, at: 'terminal' }));
    const [card, terminal] = [some(), some()];
    for (let i = 0; i < 5; i++) await first?.reserve({ card, terminal: some() });
    for (let i = 0; i < 30; i++) expect(await second?.reserve({ card, terminal })).toMatchObject({ refused: true });
    const slots: (Slot | undefined)[] = [];
    for (let i = 0; i < 21; i++) slots.push(await first?.reserve({ card: some(), terminal }));
    expect(slots.filter((slot) => slot?.refused === false)).toHaveLength(20);
  });

  testInFull(
    'a cluster that is asked like a single server is said once, by its error, and each process counts alone',
    async () => {
      servers = await openRedisCluster(3);
      [replicas, lines] = [[], []];
      const single = servers.url.replace(/,.*/, '');
      const [first, second] = [open(single), open(single)];
      await until('each has learnt it', async () => {
        for (const redis of [first, second]) await redis.run(ping, some(), []);
        return first.refuses() && second.refuses();
      });
      const says =
        'error: Redis answers MOVED, because it is a cluster and its address does not end in ?mode=cluster: this process keeps the limits alone';
      for (let card = 0; card < 10; card++) expect(await passed([first, second])).toBe(10);
      expect(lines).toEqual([says, says]);
    },
  );

  test('a single server that is asked like a cluster is said once, by its error', async () => {
    servers = await openRedisSentinel();
    [replicas, lines] = [[], []];
    const redis = open(servers.url.replace(/@.*/, `@127.0.0.1:${servers.ports[0]}?mode=cluster`));
    await until('it is said', () => redis.refuses());
    expect(await redis.run(ping, 'any', [])).toBeUndefined();
    expect(lines).toEqual(['error: Redis answers ERR: this process keeps the limits alone']);
  });

  testInFull(
    'a server of a cluster that is gone leaves its keys to each process, and the others are counted together',
    async () => {
      servers = await openRedisCluster(3);
      const opened = await openReplicas();
      const [, , port] = servers.ports;
      servers.kill(port ?? 0);
      // After a server is lost, the cluster refuses every key until it notices the loss; then its own setting decides.
      for (const redis of opened) {
        await until('no process waits for it', async () => {
          const answers = await Promise.all(Array.from({ length: 20 }, () => redis.run(ping, some(), [])));
          return answers.includes(undefined);
        });
      }
      expect(await passed(opened)).toBeGreaterThanOrEqual(5);
      expect(lines.every((line) => /Redis (does not answer|answers)/.test(line))).toBe(true);
    },
  );

  test('sentinels tell where Redis is, and where it is after that one is gone', async () => {
    servers = await openRedisSentinel();
    const opened = await openReplicas();
    await undisturbed(async () => {
      lines.length = 0;
      await sleep(3_000);
      expect(await passed(opened)).toBe(5);
      expect(lines).toEqual([]);
    });
    servers.kill(servers.ports[0] ?? 0);
    await until('it is noticed', async () => (await opened[0]?.run(ping, 'any', [])) === undefined);
    for (const redis of opened) await isAnswering(redis, 'any');
    expect(await passed(opened)).toBe(5);
  });
});

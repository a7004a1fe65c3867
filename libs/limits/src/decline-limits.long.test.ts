import { randomBytes } from 'node:crypto';
import { openRedisReplicas, PATIENT_MS, SOON_MS, type RedisReplicas, timed } from '@cobro/testing/redis-replicas.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Attempt, createDeclineLimits, type DeclineLimits, type Slot } from './decline-limits.ts';
import type { Redis } from './redis.ts';
import { listenToMetrics } from './test-metrics.ts';

const counted = listenToMetrics();
let replicas: RedisReplicas;
type Links = DeclineLimits<'link'>;
let limits: readonly [Links, Links];

const open = async (patience: { patienceMs?: number }) => {
  replicas = await openRedisReplicas(patience);
  const of = (redis: Redis) => createDeclineLimits({ redis, at: 'link' });
  limits = [of(replicas.redis[0]), of(replicas.redis[1])];
};
beforeAll(() => open({ patienceMs: PATIENT_MS }));
afterAll(() => replicas.close());
beforeEach(async () => {
  await replicas.connected();
  counted.length = 0;
});

const someCard = () => randomBytes(32).toString('base64url');
const someLink = () => crypto.randomUUID();
const someAddress = () => [...randomBytes(4)].join('.');
type LinkAttempt = Attempt<'link'>;
const attempt = (given: Partial<LinkAttempt> = {}): LinkAttempt => ({
  card: someCard(),
  link: someLink(),
  address: someAddress(),
  ...given,
});
/** Attempts one after the other, at the two replicas in turn. None gives its slot back. */
async function takeAll(times: number, next: () => LinkAttempt): Promise<Slot[]> {
  const slots: Slot[] = [];
  for (let i = 0; i < times; i++) slots.push(await (limits[i % 2] ?? limits[0]).reserve(next()));
  return slots;
}
const taken = (slots: Slot[]) => slots.filter(({ refused }) => !refused).length;
const free = async (slot: Slot) => {
  if (!slot.refused) await slot.free();
};
const attemptsRefused = (limit: string) => `cobro.limits.attempts_refused link ${limit}`;

describe('attempts that are declined', () => {
  test('are 5 of a card at most, over all links and addresses and both replicas', async () => {
    const card = someCard();
    const slots = await takeAll(7, () => attempt({ card }));
    expect(slots.map(({ refused }) => refused)).toEqual([false, false, false, false, false, true, true]);
    expect(slots[5]).toEqual({ refused: true, retryAfterS: expect.any(Number) });
    expect((slots[5] as { retryAfterS: number }).retryAfterS).toBeGreaterThan(590);
    expect((slots[5] as { retryAfterS: number }).retryAfterS).toBeLessThanOrEqual(600);
    expect(counted).toEqual([attemptsRefused('card'), attemptsRefused('card')]);
  });

  test('are 20 on a link at most', async () => {
    const link = someLink();
    expect(taken(await takeAll(22, () => attempt({ link })))).toBe(20);
    expect(counted).toEqual([attemptsRefused('link'), attemptsRefused('link')]);
  });

  test('are 50 from an address at most', async () => {
    const address = someAddress();
    expect(taken(await takeAll(25, () => attempt({ address })))).toBe(25);
    expect(taken(await takeAll(27, () => attempt({ address: `::ffff:${address}` })))).toBe(25);
    expect(counted).toEqual([attemptsRefused('address'), attemptsRefused('address')]);
  });

  test('are 50 on a payment link, where as many as come may be under way at once', async () => {
    const ofLinks = replicas.redis.map((redis) => createDeclineLimits({ redis, at: 'paymentLink' }));
    const paymentLink = someLink();
    const reserve = (n: number) => (ofLinks[n % 2] as (typeof ofLinks)[0]).reserve({ card: someCard(), paymentLink });
    const many = await Promise.all(Array.from({ length: 60 }, (_, n) => reserve(n)));
    expect(taken(many)).toBe(60);
    for (const slot of many.slice(0, 49)) await ('keep' in slot && slot.keep());
    await Promise.all(many.slice(49).map(free));
    const last = await reserve(0);
    expect(last.refused).toBe(false);
    await ('keep' in last && last.keep());
    expect(taken([await reserve(0), await reserve(1)])).toBe(0);
  });

  test('are 50 from a network of IPv6 at most', async () => {
    const network = `2001:db8:${randomBytes(2).toString('hex')}:7`;
    const slots = await takeAll(52, () => attempt({ address: `${network}:${randomBytes(2).toString('hex')}::1` }));
    expect(taken(slots)).toBe(50);
    expect((await limits[0].reserve(attempt({ address: `${network.slice(0, -1)}8::1` }))).refused).toBe(false);
  });

  test('that are refused reserve no slot anywhere', async () => {
    const [card, link] = [someCard(), someLink()];
    await takeAll(5, () => attempt({ card }));
    expect(taken(await takeAll(30, () => attempt({ card, link })))).toBe(0);
    expect(taken(await takeAll(22, () => attempt({ link })))).toBe(20);
  });

  test('leave nothing in Redis that runs on, and no number of a card', async () => {
    const link = someLink();
    await limits[0].reserve(attempt({ link }));
    const key = `${replicas.prefix}declines:link:link:${link}`;
    const left = await replicas.direct.pTTL(key);
    expect(left).toBeGreaterThan(590_000);
    expect(left).toBeLessThanOrEqual(600_000);
    const keys = await replicas.direct.keys(`${replicas.prefix}declines:link:card:*`);
    expect(keys.filter((name) => !/:card:[\w-]{43}$/.test(name))).toEqual([]);
  });
});

describe('attempts at once', () => {
  test('never pass the limit, over both replicas', async () => {
    const card = someCard();
    const all = Array.from({ length: 60 }, (_, i) => (limits[i % 2] ?? limits[0]).reserve(attempt({ card })));
    expect(taken(await Promise.all(all))).toBe(5);
  });
});

describe('a slot', () => {
  test('is free again once it was given back, however often', async () => {
    const card = someCard();
    const slots = await takeAll(5, () => attempt({ card }));
    for (const slot of slots.slice(0, 2)) await free(slot);
    for (const slot of slots.slice(0, 2)) await free(slot);
    expect(taken(await takeAll(4, () => attempt({ card })))).toBe(2);
  });

  test('that nobody frees runs out', async () => {
    const short = createDeclineLimits({ redis: replicas.redis[0], at: 'link', windowMs: 8_000 });
    const card = someCard();
    const reserve = () => short.reserve(attempt({ card }));
    for (let i = 0; i < 5; i++) expect((await reserve()).refused).toBe(false);
    await expect(reserve()).resolves.toEqual({ refused: true, retryAfterS: expect.any(Number) });
    await until('one has run out', async () => !(await reserve()).refused);
  });

  test('that has run out gives no later one back', async () => {
    const short = createDeclineLimits({ redis: replicas.redis[0], at: 'link', windowMs: 8_000 });
    const card = someCard();
    const reserve = () => short.reserve(attempt({ card }));
    const first = await reserve();
    await until('it has run out', async () => {
      const found = await replicas.direct.keys(`${replicas.prefix}declines:link:card:${card}`);
      return found.length === 0;
    });
    for (let i = 0; i < 5; i++) expect((await reserve()).refused).toBe(false);
    await free(first);
    expect((await reserve()).refused).toBe(true);
  });
});

describe('without Redis', () => {
  beforeAll(async () => {
    await replicas.close();
    await open({});
  });

  test('each replica keeps the limits for itself, keeps nobody waiting, and counts that it did', async () => {
    const card = someCard();
    await replicas.proxy.cut();
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, i) => timed(() => (limits[i % 2] ?? limits[0]).reserve(attempt({ card })))),
    );
    expect(taken(all.map(({ result }) => result))).toBe(10);
    for (const { ms } of all) expect(ms).toBeLessThan(SOON_MS);
    expect(counted.filter((what) => what === 'cobro.limits.fallback_decisions declines')).toHaveLength(10);
    expect(counted.filter((what) => what === attemptsRefused('card'))).toHaveLength(10);
    for (const { result } of all) expect((await timed(() => free(result))).ms).toBeLessThan(SOON_MS);
    expect(taken(await takeAll(12, () => attempt({ card })))).toBe(10);
    await replicas.proxy.restore();
  });

  test('what a replica knew is still known', async () => {
    const card = someCard();
    for (let i = 0; i < 5; i++) await limits[0].reserve(attempt({ card }));
    await replicas.proxy.cut();
    expect((await limits[0].reserve(attempt({ card }))).refused).toBe(true);
    await replicas.proxy.restore();
  });

  test('one that has forgotten everything gives no replica a second chance', async () => {
    const card = someCard();
    for (let i = 0; i < 5; i++) await limits[0].reserve(attempt({ card }));
    await replicas.direct.del(`${replicas.prefix}declines:link:card:${card}`);
    expect((await limits[0].reserve(attempt({ card }))).refused).toBe(true);
  });
});

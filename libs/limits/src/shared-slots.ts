import { countFallBacks } from './metrics.ts';
import { createOwnSlots, type Full, type SlotLimit } from './own-slots.ts';
import { luaScript, type Redis } from './redis.ts';

/** Slots under keys, which expire: in Redis for all processes together, and also in each process. Both must have room. */
export interface SharedSlots {
  /**
   * Reserves a slot under every key, or none if one is full; resolves with undefined if all have one. Takes 70 ms at most, whatever
   * Redis does, and never rejects.
   */
  reserve(id: string, limits: readonly SlotLimit[]): Promise<Full | undefined>;
  free(id: string, limits: readonly SlotLimit[]): Promise<void>;
}

export interface SharedSlotsOptions {
  redis: Redis;
  /** How long a slot is reserved; 10 real minutes unless a test has less time. */
  windowMs?: number;
}

/** The most keys whose slots this process keeps. */
const MOST_OWN_KEYS = 50_000;

// A sorted set of slots by the time at which they were reserved. Replies 0, or the milliseconds until a full set has room: until
// the slot ends after which one slot fewer than the limit was reserved.
const reserveSlot = luaScript(`
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local window, id, most = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])
redis.call('zremrangebyscore', KEYS[1], '-inf', now - window)
if redis.call('zscore', KEYS[1], id) then return 0 end
local binding = redis.call('zrange', KEYS[1], -most, -most, 'withscores')
if binding[2] then return binding[2] + window - now end
if ARGV[4] == 'look' then return 0 end
redis.call('zadd', KEYS[1], now, id)
redis.call('pexpire', KEYS[1], window)
return 0`);

const freeSlot = luaScript(`return redis.call('zrem', KEYS[1], ARGV[1])`);

export function createSharedSlots(options: SharedSlotsOptions): SharedSlots {
  const { redis, windowMs = 10 * 60_000 } = options;
  const own = createOwnSlots({ windowMs, most: MOST_OWN_KEYS, now: () => performance.now() });
  const countFallBack = countFallBacks('declines');
  const freeInRedis = async (id: string, limits: readonly SlotLimit[]) => {
    await Promise.all(limits.map(({ key }) => redis.run(freeSlot, key, [id])));
  };
  /** The keys of a cluster lie on several servers, so each key has its own script. All are sent at once. */
  const reserveInRedis = async (id: string, limits: readonly SlotLimit[]): Promise<Full | undefined> => {
    const reserve = ({ key, most, isLookedAt }: SlotLimit) =>
      redis.run(reserveSlot, key, [windowMs, id, most, isLookedAt ? 'look' : 'reserve']);
    const waits = await Promise.all(limits.map(reserve));
    if (waits.includes(undefined)) countFallBack();
    const [longest] = waits
      .map((waitMs, index): Full => ({ index, waitMs: Number(waitMs ?? 0) }))
      .toSorted((a, b) => b.waitMs - a.waitMs);
    return longest !== undefined && longest.waitMs > 0 ? longest : undefined;
  };
  return {
    reserve: async (id, limits) => {
      const fullHere = own.reserve(id, limits);
      if (fullHere !== undefined) return fullHere;
      const full = await reserveInRedis(id, limits);
      if (full === undefined) return undefined;
      own.free(id, limits);
      // One key was full, so the slots under the others are freed. The refusal does not wait for that.
      void freeInRedis(id, limits);
      return full;
    },
    free: async (id, limits) => {
      own.free(id, limits);
      await freeInRedis(id, limits);
    },
  };
}

import { countFallBacks } from './metrics.ts';
import { createOwnPlaces, type Full, type PlaceLimit } from './own-places.ts';
import { luaScript, type Redis } from './redis.ts';

/** Places under keys, each for a time: in Redis for all processes together, and in each process besides. Both must have room. */
export interface SharedPlaces {
  /**
   * Takes a place under every key, or under none; undefined where it did. Takes 70 ms at most, whatever Redis does, and never
   * rejects.
   */
  take(id: string, limits: readonly PlaceLimit[]): Promise<Full | undefined>;
  giveBack(id: string, limits: readonly PlaceLimit[]): Promise<void>;
}

export interface SharedPlacesOptions {
  redis: Redis;
  /** How long a place is taken; 10 real minutes unless a test has less time. */
  windowMs?: number;
  /** Keys whose places this process keeps. */
  mostOwnKeys?: number;
}

// A sorted set of places by the time at which they were taken. Answers 0, or how long it takes until a full one has room: the
// place whose end makes room is the one after which one place fewer than the limit was taken.
const takePlace = luaScript(`
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local window, id, most = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])
redis.call('zremrangebyscore', KEYS[1], '-inf', now - window)
if redis.call('zscore', KEYS[1], id) then return 0 end
local binding = redis.call('zrange', KEYS[1], -most, -most, 'withscores')
if binding[2] then return binding[2] + window - now end
redis.call('zadd', KEYS[1], now, id)
redis.call('pexpire', KEYS[1], window)
return 0`);

const giveBackPlace = luaScript(`return redis.call('zrem', KEYS[1], ARGV[1])`);

export function createSharedPlaces(options: SharedPlacesOptions): SharedPlaces {
  const { redis, windowMs = 10 * 60_000, mostOwnKeys = 50_000 } = options;
  const own = createOwnPlaces({ windowMs, most: mostOwnKeys, now: () => performance.now() });
  const countFallBack = countFallBacks('declines');
  const giveBackInRedis = async (id: string, limits: readonly PlaceLimit[]) => {
    await Promise.all(limits.map(({ key }) => redis.run(giveBackPlace, key, [id])));
  };
  /** The keys of a cluster lie on several servers, so each has a script of its own. All are sent at once. */
  const takeInRedis = async (id: string, limits: readonly PlaceLimit[]): Promise<Full | undefined> => {
    const take = ({ key, most }: PlaceLimit) => redis.run(takePlace, key, [windowMs, id, most]);
    const waits = await Promise.all(limits.map(take));
    if (waits.includes(undefined)) countFallBack();
    const [longest] = waits
      .map((waitMs, index): Full => ({ index, waitMs: Number(waitMs ?? 0) }))
      .toSorted((a, b) => b.waitMs - a.waitMs);
    return longest !== undefined && longest.waitMs > 0 ? longest : undefined;
  };
  return {
    take: async (id, limits) => {
      const fullHere = own.take(id, limits);
      if (fullHere !== undefined) return fullHere;
      const full = await takeInRedis(id, limits);
      if (full === undefined) return undefined;
      own.giveBack(id, limits);
      // Where one key was full, the places under the others are not needed. The refusal does not wait for that.
      void giveBackInRedis(id, limits);
      return full;
    },
    giveBack: async (id, limits) => {
      own.giveBack(id, limits);
      await giveBackInRedis(id, limits);
    },
  };
}

import { countFallBacks } from './metrics.ts';
import { createOwnWindows, type Reported } from './own-windows.ts';
import { luaScript, type Redis } from './redis.ts';

/** What a request is shown of its budget (interface.md, Limits). */
export interface Budget {
  /** False: the request is one too many. It has been counted all the same. */
  passes: boolean;
  /** Requests that are allowed in a window. */
  limit: number;
  /** Those of them that are left. */
  remaining: number;
  /** Whole seconds until the window rolls over, at least 1. */
  resetS: number;
}

export interface RateLimit {
  /**
   * Counts a request of this key, or what it weighs. The last one that passes may weigh more than is left. Takes 70 ms at most, whatever
   * Redis does, and never rejects.
   */
  spend(key: string, weight?: number): Promise<Budget>;
  /**
   * Takes back what came to nothing. Another process that learned of it meanwhile may go on counting it until the window ends. Never rejects.
   */
  giveBack(key: string, weight?: number): Promise<void>;
}

export interface RateLimitOptions {
  redis: Redis;
  /** Requests of one key that pass in one window, or what they weigh together. */
  requests: number;
  /** A window begins with a key's first request. */
  windowMs: number;
  /** Windows that this process keeps; more of them only while Redis does not answer may let more pass. */
  mostOwnWindows?: number;
}

// A key that lost its end, which no command of ours can do, would count for ever: it gets a new one.
const count = luaScript(`
local count = redis.call('incrby', KEYS[1], ARGV[2])
local left = redis.call('pttl', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[1])
  redis.call('pexpire', KEYS[1], left)
end
return { count, left }`);

// A window that has ended, or has begun anew with less, gets nothing back: no count becomes negative.
const uncount = luaScript(`
local count = tonumber(redis.call('get', KEYS[1]) or '0')
if count >= tonumber(ARGV[1]) then redis.call('decrby', KEYS[1], ARGV[1]) end
return count`);

/**
 * A fixed window for each key, in Redis for all processes together and in each process besides. A request passes where both
 * counts allow it: what Redis forgets, or does not answer, the process still knows.
 */
export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { redis, requests: limit, windowMs, mostOwnWindows = 50_000 } = options;
  const now = () => performance.now();
  const own = createOwnWindows({ windowMs, most: mostOwnWindows, now });
  const countFallBack = countFallBacks('rate');
  return {
    spend: async (key, weight = 1) => {
      const askedAt = now();
      const reply = (await redis.run(count, `rate:${key}`, [windowMs, weight])) as [number, number] | undefined;
      if (reply === undefined) countFallBack();
      const reported: Reported | undefined = reply && { count: reply[0], leftMs: reply[1], askedAt };
      const counted = own.count(key, reported, weight);
      // Our window may end sooner than the window of a Redis that has forgotten. The caller gets the window that binds.
      const redisBinds = reported !== undefined && (reported.count >= counted.count || reported.count > limit);
      const leftMs = redisBinds ? reported.leftMs : counted.leftMs;
      return {
        passes: counted.count - weight < limit,
        limit,
        remaining: Math.max(0, limit - counted.count),
        resetS: Math.max(1, Math.ceil(leftMs / 1_000)),
      };
    },
    giveBack: async (key, weight = 1) => {
      await redis.run(uncount, `rate:${key}`, [weight]);
      // Once what Redis replied to earlier requests has been learned, or it would be learned again.
      own.takeBack(key, weight);
    },
  };
}

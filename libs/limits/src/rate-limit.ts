import { countFallBacks } from './metrics.ts';
import { createOwnWindows, type Reported } from './own-windows.ts';
import { luaScript, type Redis } from './redis.ts';

/** The budget that an answer shows (interface.md, Limits). */
export interface Budget {
  /** False if the request is one too many. It is counted anyway. */
  passes: boolean;
  /** Requests that are allowed in a window. */
  limit: number;
  /** Requests that are left. */
  remaining: number;
  /** Whole seconds until the window rolls over, at least 1. */
  resetS: number;
}

export interface RateLimit {
  /**
   * Counts a request of this key by its weight. The last one that passes may weigh more than is left. Takes 70 ms at most,
   * whatever Redis does, and never rejects.
   */
  spend(key: string, weight?: number): Promise<Budget>;
  /**
   * Takes back a request that came to nothing. Another process that saw it may count it until the window ends. Never rejects.
   */
  giveBack(key: string, weight?: number): Promise<void>;
}

export interface RateLimitOptions {
  redis: Redis;
  /** Requests of one key that pass in one window, or their total weight. */
  requests: number;
  /** A window begins with a key's first request. */
  windowMs: number;
}

/** The most windows that this process keeps. While Redis does not reply, more keys may let more pass. */
const MOST_OWN_WINDOWS = 50_000;

// A key without an expiry, which no command of ours leaves behind, would count for ever: it gets one.
const count = luaScript(`
local count = redis.call('incrby', KEYS[1], ARGV[2])
local left = redis.call('pttl', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[1])
  redis.call('pexpire', KEYS[1], left)
end
return { count, left }`);

// A window that has ended, or restarted with less, gets nothing back, so that no count becomes negative.
const uncount = luaScript(`
local count = tonumber(redis.call('get', KEYS[1]) or '0')
if count >= tonumber(ARGV[1]) then redis.call('decrby', KEYS[1], ARGV[1]) end
return count`);

/**
 * A fixed window for each key, in Redis for all processes together and also in each process. A request passes if both
 * counts allow it: the process still knows what Redis forgets or does not reply.
 */
export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { redis, requests: limit, windowMs } = options;
  const now = () => performance.now();
  const own = createOwnWindows({ windowMs, most: MOST_OWN_WINDOWS, now });
  const countFallBack = countFallBacks('rate');
  return {
    spend: async (key, weight = 1) => {
      const askedAt = now();
      const reply = (await redis.run(count, `rate:${key}`, [windowMs, weight])) as [number, number] | undefined;
      if (reply === undefined) countFallBack();
      const reported: Reported | undefined = reply && { count: reply[0], leftMs: reply[1], askedAt };
      const counted = own.count(key, reported, weight);
      // Our window may end sooner than the one of a Redis that lost its data. The caller gets the window that binds.
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
      // Last, because a reply to an earlier request would bring the weight back.
      own.takeBack(key, weight);
    },
  };
}

import { randomUUID } from 'node:crypto';
import { countFallBacks, countRefusedAttempts } from './metrics.ts';
import { networkOf } from './network.ts';
import { createOwnPlaces, type Full, type PlaceLimit } from './own-places.ts';
import { luaScript, type Redis } from './redis.ts';

/** Who wants to pay what, with which card. */
export interface Attempt {
  /** Keyed HMAC of the card's number alone: with its expiry in it, who tries cards would try expiries. */
  cardFingerprint: Buffer;
  linkId: string;
  /** As the gateway passed it on. */
  address: string;
}

export type Place =
  | {
      refused: false;
      /** Frees the place: to be called unless the attempt was declined. A second call changes nothing. Never rejects. */
      giveBack(): Promise<void>;
    }
  | {
      refused: true;
      /** Whole seconds until the limit has room again, at least 1. */
      retryAfterS: number;
    };

/** How many attempts to pay may be declined (interface-decisions.md, "abuse"). */
export interface DeclineLimits {
  /**
   * Takes a place for one attempt under its card, its link and its address, in all three or in none. Call it before the vault is
   * asked. Takes 70 ms at most, whatever Redis does, and never rejects. A place that nobody gives back runs out.
   */
  take(attempt: Attempt): Promise<Place>;
}

export interface DeclineLimitsOptions {
  redis: Redis;
  /** How long a place is taken; 10 real minutes unless a test has less time. */
  windowMs?: number;
  /** Keys whose places this process keeps. */
  mostOwnKeys?: number;
}

const LIMITS = [
  { name: 'card', most: 5 },
  { name: 'link', most: 20 },
  { name: 'address', most: 50 },
] as const;

// Each key is a sorted set of places by the time at which they were taken. Of a full one, the place whose end makes room is the
// one after which one place fewer than the limit was taken.
const takePlaces = luaScript(`
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local window = tonumber(ARGV[1])
local full, wait = 0, 0
for i, key in ipairs(KEYS) do
  redis.call('zremrangebyscore', key, '-inf', now - window)
  local most = tonumber(ARGV[i + 2])
  local binding = redis.call('zrange', key, -most, -most, 'withscores')
  if binding[2] and binding[2] + window - now > wait then
    full, wait = i, binding[2] + window - now
  end
end
if full > 0 then return { full, wait } end
for _, key in ipairs(KEYS) do
  redis.call('zadd', key, now, ARGV[2])
  redis.call('pexpire', key, window)
end
return { 0, 0 }`);

const giveBackPlaces = luaScript(`
for _, key in ipairs(KEYS) do redis.call('zrem', key, ARGV[1]) end
return 1`);

/** In Redis for all processes together, and in each process besides: an attempt has to find a place in both. */
export function createDeclineLimits(options: DeclineLimitsOptions): DeclineLimits {
  const { redis, windowMs = 10 * 60_000, mostOwnKeys = 50_000 } = options;
  const own = createOwnPlaces({ windowMs, most: mostOwnKeys, now: () => performance.now() });
  const countFallBack = countFallBacks('declines');
  const countRefused = countRefusedAttempts();
  const refuse = ({ index, waitMs }: Full): Place => {
    const limit = LIMITS[index];
    if (limit !== undefined) countRefused(limit.name);
    return { refused: true, retryAfterS: Math.max(1, Math.ceil(waitMs / 1_000)) };
  };
  const takeInRedis = async (id: string, limits: readonly PlaceLimit[]): Promise<Full | undefined> => {
    const keys = limits.map(({ key }) => key);
    const reply = await redis.run(takePlaces, keys, [windowMs, id, ...limits.map(({ most }) => most)]);
    if (reply === undefined) countFallBack();
    const [full, waitMs] = (reply ?? [0, 0]) as [number, number];
    return full === 0 ? undefined : { index: full - 1, waitMs };
  };
  return {
    take: async (attempt) => {
      const id = randomUUID();
      const limits = limitsOf(attempt);
      const fullHere = own.take(id, limits);
      if (fullHere !== undefined) return refuse(fullHere);
      const full = await takeInRedis(id, limits);
      if (full !== undefined) {
        own.giveBack(id, limits);
        return refuse(full);
      }
      return {
        refused: false,
        giveBack: async () => {
          own.giveBack(id, limits);
          const keys = limits.map(({ key }) => key);
          await redis.run(giveBackPlaces, keys, [id]);
        },
      };
    },
  };
}

function limitsOf({ cardFingerprint, linkId, address }: Attempt): PlaceLimit[] {
  const values = { card: cardFingerprint.toString('base64url'), link: linkId, address: networkOf(address) };
  return LIMITS.map(({ name, most }) => ({ key: `declines:${name}:${values[name]}`, most }));
}

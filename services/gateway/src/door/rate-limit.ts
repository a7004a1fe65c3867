import { Refusal } from '@cobro/contracts/refusals.ts';
import { chargesSavedCard, isRefund } from '@cobro/contracts/route.ts';
import { createRateLimit, type RateLimit } from '@cobro/limits/rate-limit.ts';
import type { Redis } from '@cobro/limits/redis.ts';
import type { ServerResponse } from 'node:http';
import type { CallerOf } from '@cobro/contracts/caller.ts';
import type { OutsideCaller } from '../deps.ts';
import type { OutsideRoute } from './outside-routes.ts';

/** The limit of one key, or of one person, on all metered routes together (interface.md, Limits). */
const createKeyRateLimit = (redis: Redis): RateLimit => createRateLimit({ redis, requests: 120, windowMs: 60_000 });

const MONEY_AN_HOUR = 60;

/**
 * Limits the refunds, and the charges of saved cards, that all people of one organization ask for together. Refused ones count too,
 * but not those that a 503 says were not sent. It holds even if the dashboard was taken over and makes up persons, roles and factors.
 */
const createMoneyLimit = (redis: Redis): RateLimit =>
  createRateLimit({ redis, requests: MONEY_AN_HOUR, windowMs: 3_600_000 });

/** The key that the route's requests are counted by, and their name in the refusal; undefined if the route has no limit. */
function boundedMoney(route: OutsideRoute): { key: string; name: string } | undefined {
  if (isRefund(route)) return { key: 'refunds', name: 'refunds' };
  return chargesSavedCard(route) ? { key: 'charges', name: 'charges or changes of subscriptions' } : undefined;
}

/**
 * Counts the request if its route has a limit. Returns how to take the count back if provably nothing was sent. 429 if the
 * limit is exceeded.
 */
export async function spendMoney(
  moneyLimit: RateLimit,
  route: OutsideRoute,
  organizationId: string,
): Promise<(() => Promise<void>) | undefined> {
  const bounded = boundedMoney(route);
  if (bounded === undefined) return undefined;
  const key = `${bounded.key}:${organizationId}`;
  const { passes, resetS } = await moneyLimit.spend(key);
  if (passes) return () => moneyLimit.giveBack(key);
  const message = `The people of this organization have asked for ${MONEY_AN_HOUR} ${bounded.name} in this hour.`;
  throw new Refusal('RATE_LIMIT_EXCEEDED', { message, headers: { 'Retry-After': String(resetS) } });
}

const KEYS_AN_HOUR = 20;

/** Limits the keys that all people of one organization or sales partner ask for together. */
const createKeyLimit = (redis: Redis): RateLimit =>
  createRateLimit({ redis, requests: KEYS_AN_HOUR, windowMs: 3_600_000 });

/** 429 if the limit is exceeded. */
export async function spendKey(keyLimit: RateLimit, { scope }: CallerOf<'person'>): Promise<void> {
  const owner = scope.kind === 'organization' ? scope.organizationId : scope.partnerId;
  const { passes, resetS } = await keyLimit.spend(`keys:${owner}`);
  if (passes) return;
  const message = `The people here have asked for ${KEYS_AN_HOUR} keys in this hour.`;
  throw new Refusal('RATE_LIMIT_EXCEEDED', { message, headers: { 'Retry-After': String(resetS) } });
}

const CHANGES_AN_HOUR = 200;

/** Limits the changes that all platform callers ask for together. */
const createPlatformLimit = (redis: Redis): RateLimit =>
  createRateLimit({ redis, requests: CHANGES_AN_HOUR, windowMs: 3_600_000 });

/** All four limits. The last three hold even if the dashboard was taken over. */
export const openLimits = (redis: Redis) => ({
  rateLimit: createKeyRateLimit(redis),
  moneyLimit: createMoneyLimit(redis),
  keyLimit: createKeyLimit(redis),
  platformLimit: createPlatformLimit(redis),
});

/** 429 if the limit is exceeded. */
export async function spendChange(platformLimit: RateLimit): Promise<void> {
  const { passes, resetS } = await platformLimit.spend('platform');
  if (passes) return;
  const message = `The platform has asked for ${CHANGES_AN_HOUR} changes in this hour.`;
  throw new Refusal('RATE_LIMIT_EXCEEDED', { message, headers: { 'Retry-After': String(resetS) } });
}

/**
 * Counts the request and sets the limit's headers on its answer, whatever the answer will be. 429 if the limit is exceeded.
 */
export async function spendRequest(rateLimit: RateLimit, caller: OutsideCaller, res: ServerResponse): Promise<void> {
  if (caller.kind === 'public') return;
  const { passes, limit, remaining, resetS } = await rateLimit.spend('by' in caller ? caller.by.id : caller.keyId);
  res.setHeader('X-RateLimit-Limit', limit);
  res.setHeader('X-RateLimit-Remaining', remaining);
  res.setHeader('X-RateLimit-Reset', resetS);
  if (!passes) throw new Refusal('RATE_LIMIT_EXCEEDED', { headers: { 'Retry-After': String(resetS) } });
}

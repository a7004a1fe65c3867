import { Refusal } from '@cobro/contracts/refusals.ts';
import { createRateLimit, type RateLimit } from '@cobro/limits/rate-limit.ts';
import type { Redis } from '@cobro/limits/redis.ts';
import type { ServerResponse } from 'node:http';
import type { CallerOf } from '@cobro/contracts/caller.ts';
import type { OutsideCaller } from '../deps.ts';

/** The limit of one key, or of one person, on all metered routes together (interface.md, Limits). */
const createKeyRateLimit = (redis: Redis): RateLimit => createRateLimit({ redis, requests: 120, windowMs: 60_000 });

/**
 * The limit of refunds that all people of one organization ask for, and of charges by hand, refused ones too, but not what a 503 says was not sent. It holds where the
 * dashboard was taken over: what a person is and has proved, such a dashboard makes up.
 */
const createPeopleLimit = (redis: Redis): RateLimit => createRateLimit({ redis, requests: 60, windowMs: 3_600_000 });

interface ByPerson {
  bound: 'refunds' | 'charges';
  organizationId: string;
}

const keyOf = ({ bound, organizationId }: ByPerson) => `${bound}:${organizationId}`;

/** 429 where the limit is exceeded. */
export async function spendByPerson(peopleLimit: RateLimit, asked: ByPerson): Promise<void> {
  const { passes, resetS } = await peopleLimit.spend(keyOf(asked));
  if (passes) return;
  const message = `The people of this organization have asked for 60 ${asked.bound} in this hour.`;
  throw new Refusal('RATE_LIMIT_EXCEEDED', { message, headers: { 'Retry-After': String(resetS) } });
}

/** Of what provably was not sent. */
export const giveBack = (peopleLimit: RateLimit, asked: ByPerson): Promise<void> => peopleLimit.giveBack(keyOf(asked));

const KEYS_AN_HOUR = 20;

/** The limit of keys that all people of one organization, or of one sales partner, ask for. It holds in the same way. */
const createKeyLimit = (redis: Redis): RateLimit =>
  createRateLimit({ redis, requests: KEYS_AN_HOUR, windowMs: 3_600_000 });

/** 429 where the limit is exceeded. */
export async function spendKey(keyLimit: RateLimit, { scope }: CallerOf<'person'>): Promise<void> {
  const owner = scope.kind === 'organization' ? scope.organizationId : scope.partnerId;
  const { passes, resetS } = await keyLimit.spend(`keys:${owner}`);
  if (passes) return;
  const message = `The people here have asked for ${KEYS_AN_HOUR} keys in this hour.`;
  throw new Refusal('RATE_LIMIT_EXCEEDED', { message, headers: { 'Retry-After': String(resetS) } });
}

const CHANGES_AN_HOUR = 200;

/** The limit of changes that whoever runs the platform asks for, all of them together. It holds in the same way. */
const createPlatformLimit = (redis: Redis): RateLimit =>
  createRateLimit({ redis, requests: CHANGES_AN_HOUR, windowMs: 3_600_000 });

/** All of them. */
export const openLimits = (redis: Redis) => ({
  rateLimit: createKeyRateLimit(redis),
  peopleLimit: createPeopleLimit(redis),
  keyLimit: createKeyLimit(redis),
  platformLimit: createPlatformLimit(redis),
});

/** 429 where the limit is exceeded. */
export async function spendChange(platformLimit: RateLimit): Promise<void> {
  const { passes, resetS } = await platformLimit.spend('platform');
  if (passes) return;
  const message = `The platform has asked for ${CHANGES_AN_HOUR} changes in this hour.`;
  throw new Refusal('RATE_LIMIT_EXCEEDED', { message, headers: { 'Retry-After': String(resetS) } });
}

/**
 * Counts the request and sets the limit's headers on its answer, whatever the answer will be. 429 where the limit is exceeded.
 */
export async function spendRequest(rateLimit: RateLimit, caller: OutsideCaller, res: ServerResponse): Promise<void> {
  if (caller.kind === 'public') return;
  const { passes, limit, remaining, resetS } = await rateLimit.spend('by' in caller ? caller.by.id : caller.keyId);
  res.setHeader('X-RateLimit-Limit', limit);
  res.setHeader('X-RateLimit-Remaining', remaining);
  res.setHeader('X-RateLimit-Reset', resetS);
  if (!passes) throw new Refusal('RATE_LIMIT_EXCEEDED', { headers: { 'Retry-After': String(resetS) } });
}

import type { AskedBy } from '@cobro/contracts/asked-by.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { createRateLimit, type RateLimit } from '@cobro/limits/rate-limit.ts';
import type { Redis } from '@cobro/limits/redis.ts';

/** Centavos. */
const AN_HOUR = 10_000_000;

/**
 * Limits what the people of one organization may refund in an hour, and likewise charge, in case the dashboard was taken over; keys
 * may do more. The gateway says that a person asks; the amount is known only here. The one that goes over the bound is the last.
 */
export const createPeopleLimit = (redis: Redis): RateLimit =>
  createRateLimit({ redis, requests: AN_HOUR, windowMs: 3_600_000 });

interface Moved {
  what: 'refunded' | 'charged';
  organizationId: string;
  /** Centavos. */
  amount: bigint;
}

/**
 * Runs `work`, which moves money now or lets the clock move it later. If a person asks, counts the amount, even if the bank
 * declines, but not if the request was provably not sent or not claimed (undefined, or refused). After any other failure the bank
 * may have got it.
 * @throws Refusal 429
 */
export async function boundedForPeople<End extends object | undefined>(
  limit: RateLimit,
  { kind }: AskedBy,
  { what, organizationId, amount }: Moved,
  work: () => Promise<End>,
  wasSent: (end: NonNullable<End>) => boolean,
): Promise<End> {
  if (kind !== 'person') return work();
  const [key, weight] = [`${what}:${organizationId}`, Number(amount)];
  const giveBack = () => limit.giveBack(key, weight);
  const { passes, resetS } = await limit.spend(key, weight);
  if (!passes) {
    await giveBack();
    const message = `The people of this organization have ${what} 100,000.00 in this hour.`;
    throw new Refusal('RATE_LIMIT_EXCEEDED', { message, headers: { 'Retry-After': String(resetS) } });
  }
  try {
    const end = await work();
    if (end === undefined || !wasSent(end)) await giveBack();
    return end;
  } catch (error) {
    if (error instanceof Refusal) await giveBack();
    throw error;
  }
}

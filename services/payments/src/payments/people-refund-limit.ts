import type { AskedBy } from '@cobro/contracts/asked-by.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { createRateLimit, type RateLimit } from '@cobro/limits/rate-limit.ts';
import type { Redis } from '@cobro/limits/redis.ts';

/** Centavos. */
const AN_HOUR = 10_000_000;

/**
 * What all people of one organization may give back in an hour; keys may give back more. It holds where the dashboard was taken over:
 * that a person asks, the gateway says, and the amount is known here. The refund that passes the bound is the last one.
 */
export const createPeopleRefundLimit = (redis: Redis): RateLimit =>
  createRateLimit({ redis, requests: AN_HOUR, windowMs: 3_600_000 });

/** Counts also what the bank declines. @throws Refusal 429 */
export async function spendPeopleRefund(
  limit: RateLimit,
  { kind }: AskedBy,
  { organizationId, amount }: { organizationId: string; amount: bigint },
): Promise<void> {
  if (kind !== 'person') return;
  const { passes, resetS } = await limit.spend(`refunded:${organizationId}`, Number(amount));
  if (passes) return;
  const message = 'The people of this organization have refunded 100,000.00 in this hour.';
  throw new Refusal('RATE_LIMIT_EXCEEDED', { message, headers: { 'Retry-After': String(resetS) } });
}

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

interface Refunded {
  organizationId: string;
  /** Centavos. */
  amount: bigint;
}

const keyOf = ({ organizationId }: Refunded) => `refunded:${organizationId}`;

/** Counts also what the bank declines, and nothing that is refused here. @throws Refusal 429 */
export async function spendPeopleRefund(limit: RateLimit, { kind }: AskedBy, refunded: Refunded): Promise<void> {
  if (kind !== 'person') return;
  const { passes, resetS } = await limit.spend(keyOf(refunded), Number(refunded.amount));
  if (passes) return;
  await limit.giveBack(keyOf(refunded), Number(refunded.amount));
  const message = 'The people of this organization have refunded 100,000.00 in this hour.';
  throw new Refusal('RATE_LIMIT_EXCEEDED', { message, headers: { 'Retry-After': String(resetS) } });
}

/** Of a refund that provably was not sent. */
export async function givePeopleRefundBack(limit: RateLimit, { kind }: AskedBy, refunded: Refunded): Promise<void> {
  if (kind === 'person') await limit.giveBack(keyOf(refunded), Number(refunded.amount));
}

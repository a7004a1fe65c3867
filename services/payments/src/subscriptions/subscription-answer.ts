import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf } from '@cobro/contracts/route.ts';
import type { createSubscription as contract } from '@cobro/contracts/routes/subscriptions.ts';
import { accepted } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { endOfFirstAttempt, waitUntil } from '../first-attempt.ts';
import type { PaymentRow } from '../payments/payment.row.ts';
import { findFirstPayment } from '../payments/payment.store.ts';
import type { SubscriptionRow } from './subscription.row.ts';
import { showSubscription } from './subscription.rules.ts';
import { findAnySubscription } from './subscription.store.ts';

const REPLAYED = { 'Idempotent-Replayed': 'true' };

/**
 * Answers a creation: 202 while its first charge has no outcome, 402 if that was declined, even if the merchant cancelled
 * meanwhile. `first`: the payment of that charge.
 */
export function answerSubscription(
  row: SubscriptionRow,
  now: Date,
  first?: PaymentRow,
  headers: Record<string, string> = {},
): AnswerOf<typeof contract> {
  if (first === undefined ? row.endReason === 'FIRST_CHARGE_FAILED' : first.status === 'CANCELLED') {
    const fields = {
      declineCode: first?.declineCode ?? 'unknown',
      subscriptionId: row.id,
      paymentId: first?.id ?? null,
    };
    throw new Refusal('CHARGE_DECLINED', { fields, headers });
  }
  const body = showSubscription(row, now);
  if ((first ?? row).status !== 'PENDING') return { status: 201, body, headers };
  const answer = accepted(body, `/api/subscription/${row.id}`);
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

/** The answer that the first request with this externalId got or will get. Charges nothing. */
export async function replaySubscription(
  deps: Deps,
  original: SubscriptionRow,
  requestDigest: Buffer,
): Promise<AnswerOf<typeof contract>> {
  if (!original.requestDigest.equals(requestDigest)) throw new Refusal('EXTERNAL_ID_MISMATCH');
  const { id } = original;
  const now = deps.clock.now();
  if (original.isStarted) return answerSubscription(original, now, undefined, REPLAYED);
  const first = await endOfFirstAttempt(deps, () => findFirstPayment(deps.db, id), waitUntil());
  if (first === 'running') throw new Refusal('CHARGE_IN_PROGRESS', { fields: { subscriptionId: id } });
  const row = (await findAnySubscription(deps.db, id, now)) ?? original;
  if (!row.isListed) throw new Refusal('BANK_UNAVAILABLE');
  return answerSubscription(row, now, first, REPLAYED);
}

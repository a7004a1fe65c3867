import type { PaymentStatus } from '@cobro/contracts/payments.ts';
import { type Queries, sql } from '@cobro/postgres/database.ts';

/** The payment of a timeline: its owner, what it was made for, and when it moved, by business time. */
export interface TracedPayment {
  id: string;
  organizationId: string;
  paymentMethodId: string | null;
  oneTimePaymentId: string | null;
  paymentLinkId: string | null;
  subscriptionId: string | null;
  paymentIntentId: string | null;
  promotionId: string | null;
  status: PaymentStatus;
  /** Centavos. */
  amount: bigint;
  heldAmount: bigint | null;
  declineCode: string | null;
  createdAt: Date;
  heldAt: Date | null;
  holdExpiresAt: Date | null;
  captureBefore: Date | null;
  capturedAt: Date | null;
  holdReleasedAt: Date | null;
  refundedAt: Date | null;
}

/**
 * Payments with one of these ids, or made for a one-time payment, payment link, subscription or intent with one; 50 at most, newest
 * first.
 */
export const tracedPayments = (queries: Queries, ids: readonly string[]) =>
  queries.many<TracedPayment>(sql`
    select id, organization_id as "organizationId", payment_method_id as "paymentMethodId",
      one_time_payment_id as "oneTimePaymentId", payment_link_id as "paymentLinkId", subscription_id as "subscriptionId",
      payment_intent_id as "paymentIntentId",
      rates -> 'promotion' ->> 'id' as "promotionId", status, amount,
      held_amount as "heldAmount", decline_code as "declineCode", created_at as "createdAt", held_at as "heldAt",
      hold_expires_at as "holdExpiresAt", capture_before as "captureBefore", captured_at as "capturedAt",
      hold_released_at as "holdReleasedAt", refunded_at as "refundedAt"
    from payment
    where id = any(${ids}::uuid[]) or one_time_payment_id = any(${ids}::uuid[]) or payment_intent_id = any(${ids}::uuid[])
      or payment_link_id = any(${ids}::uuid[]) or subscription_id = any(${ids}::uuid[])
    order by created_at desc, id desc limit 50`);

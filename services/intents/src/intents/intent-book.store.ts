import { type Queries, sql } from '@cobro/postgres/database.ts';

/** An intent as it is compared with payments. */
export interface IntentRecord {
  id: string;
  status: 'PENDING' | 'CONFIRMED' | 'CANCELLED';
  amount: bigint;
  /** The payment whose outcome intents does not know yet. */
  charging: string | null;
  paymentId: string | null;
  paymentStatus: string | null;
}

/** Intents as they are compared with payments: those with these ids, or all. */
export const bookedIntents = (queries: Queries, ids?: readonly string[]) =>
  queries.many<IntentRecord>(sql`
    select id, status, amount, charging_payment_id as charging, payment_id as "paymentId",
      payment_status as "paymentStatus"
    from payment_intent ${ids === undefined ? sql`` : sql`where id = any(${ids}::uuid[])`}`);

import type { CancelledIntent } from '@cobro/books/records.ts';
import { type Queries, sql, type Sql } from '@cobro/postgres/database.ts';

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

/** Intents as they are compared with payments: all, or those with the given ids. */
export const bookedIntents = (queries: Queries, ids?: readonly string[]) =>
  queries.many<IntentRecord>(sql`
    select id, status, amount, charging_payment_id as charging, payment_id as "paymentId",
      payment_status as "paymentStatus"
    from payment_intent ${ids === undefined ? sql`` : sql`where id = any(${ids}::uuid[])`}`);

const cancelled = (queries: Queries, which: Sql) =>
  queries.many<CancelledIntent>(sql`
    select id, organization_id as "organizationId", amount, updated_at as "updatedAt"
    from payment_intent where status = 'CANCELLED' and ${which}`);

/** One page of the intents that ended without money within this time, in the order of ids, starting after `after`. */
export const cancelledIntents = (
  queries: Queries,
  { from, to }: { from: Date; to: Date },
  after: string | undefined,
  page = 500,
) =>
  cancelled(
    queries,
    sql`updated_at >= ${from} and updated_at < ${to} and (${after ?? null}::uuid is null or id > ${after ?? null})
      order by id limit ${page}`,
  );

export const cancelledIntentsOf = (queries: Queries, ids: readonly string[]) =>
  cancelled(queries, sql`id = any(${ids}::uuid[])`);

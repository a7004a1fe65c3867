import { type Queries, sql } from '@cobro/postgres/database.ts';

/** A terminal as its merchant's list shows it. Amounts in centavos. */
export interface ListedTerminal {
  id: string;
  code: string;
  branchId: string | null;
  branchName: string | null;
  salespersonId: string | null;
  salespersonName: string | null;
  createdAt: Date;
  seenAt: Date | null;
  intentId: string | null;
  intentAmount: bigint | null;
  intentExternalId: string | null;
  intentCreatedAt: Date | null;
  intentExpiresAt: Date | null;
  isCharging: boolean | null;
  lastIntentId: string | null;
  lastPaymentId: string | null;
  lastStatus: 'CONFIRMED' | 'DECLINED' | null;
  lastAmount: bigint | null;
  lastOperationCode: bigint | null;
  lastDeclineCode: string | null;
  lastTappedAt: Date | null;
}

/** One page of a merchant's terminals, the newest first: each with its pending intent and the latest outcome of a tap. */
export const findListedTerminals = (
  queries: Queries,
  { organizationId, now, offset, limit }: { organizationId: string; now: Date; offset: number; limit: number },
) =>
  queries.many<ListedTerminal>(sql`
    select t.id, t.serial_number as code, t.created_at as "createdAt", t.seen_at as "seenAt",
      t.branch_id as "branchId", b.name as "branchName", t.salesperson_id as "salespersonId", s.name as "salespersonName",
      i.id as "intentId", i.amount as "intentAmount", i.external_id as "intentExternalId", i.created_at as "intentCreatedAt",
      i.expires_at as "intentExpiresAt", i.charging_payment_id is not null as "isCharging",
      last.intent_id as "lastIntentId", last.payment_id as "lastPaymentId", last.status as "lastStatus",
      last.amount as "lastAmount", last.operation_code as "lastOperationCode", last.decline_code as "lastDeclineCode",
      last.requested_at as "lastTappedAt"
    from (
      select * from terminal where organization_id = ${organizationId}
      order by created_at desc, id desc offset ${offset} limit ${limit}
    ) as t
    left join branch b on b.id = t.branch_id
    left join salesperson s on s.id = t.salesperson_id
    left join lateral (
      select * from payment_intent
      where terminal_id = t.id and status = 'PENDING' and (charging_payment_id is not null or expires_at > ${now})
      order by charging_payment_id is null limit 1
    ) as i on true
    left join lateral (
      select a.*, paid.amount from intent_attempt a join payment_intent paid on paid.id = a.intent_id
      where a.terminal_id = t.id and a.status <> 'REQUESTED' order by a.requested_at desc limit 1
    ) as last on true
    order by t.created_at desc, t.id desc`);

export async function countTerminals(queries: Queries, organizationId: string): Promise<number> {
  const { count } = await queries.one<{ count: number }>(sql`
    select count(*)::int as count from terminal where organization_id = ${organizationId}`);
  return count;
}

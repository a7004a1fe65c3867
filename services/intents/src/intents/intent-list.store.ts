import { paymentIntentStatuses } from '@cobro/contracts/payment-intents.ts';
import { type Queries, type Sql, sql } from '@cobro/postgres/database.ts';
import { type PaymentIntentRow, paymentIntentTable } from './payment-intent.row.ts';

/** The intents of an organization, or of one of its terminals. */
export interface IntentList {
  organizationId: string;
  terminalId: string | undefined;
  status: PaymentIntentRow['status'] | undefined;
}

export type ListedIntent = PaymentIntentRow & { serialNumber: string | null };

const ownedBy = ({ organizationId, terminalId }: IntentList): Sql =>
  terminalId === undefined ? sql`organization_id = ${organizationId}` : sql`terminal_id = ${terminalId}`;
const statusesOf = ({ status }: IntentList): readonly string[] =>
  status === undefined ? paymentIntentStatuses : [status];

/** Newest first. Reads the newest of each status by its index and merges them. */
export const findListedIntents = (queries: Queries, list: IntentList, offset: number, limit: number) =>
  queries.many<ListedIntent>(sql`
    select ${paymentIntentTable.list},
      (select serial_number from terminal where terminal.id = payment_intent.terminal_id) as "serialNumber"
    from payment_intent
    where id = any(array(
      select page_id from unnest(${statusesOf(list)}::text[]) as one (of_status) cross join lateral (
        select id as page_id, created_at as page_time from payment_intent
        where ${ownedBy(list)} and status = of_status
        order by created_at desc, id desc limit ${offset + limit}
      ) as newest
      order by page_time desc, page_id desc offset ${offset} limit ${limit}))
    order by created_at desc, id desc`);

/** Counts them up to `most`. */
export async function countIntents(queries: Queries, list: IntentList, most: number): Promise<number> {
  const { count } = await queries.one<{ count: number }>(sql`
    select count(*)::int as count from (
      select from unnest(${statusesOf(list)}::text[]) as one (of_status) cross join lateral (
        select from payment_intent where ${ownedBy(list)} and status = of_status limit ${most}
      ) as counted limit ${most}
    ) as up_to`);
  return count;
}

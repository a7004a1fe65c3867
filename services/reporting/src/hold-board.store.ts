import { allOf, ifAsked, type Queries, sql } from '@cobro/postgres/database.ts';
import { type PaymentRow, paymentTable } from './payment.row.ts';

/** When a hold ends by itself, written as in the index `payment_held`. */
const endsAt = sql`least(hold_expires_at, capture_before)`;

interface Open {
  organizationId: string;
  now: Date;
  from: Date | undefined;
  to: Date | undefined;
}
/** A hold that has ended is not open, even if the sweep has not released it yet. */
const open = ({ organizationId, now, from, to }: Open) =>
  allOf([
    sql`organization_id = ${organizationId} and status = 'HELD' and ${endsAt} > ${now}`,
    ifAsked(from, sql`${endsAt} >= ${from}`),
    ifAsked(to, sql`${endsAt} <= ${to}`),
  ]);

/** The holds that end on a day of Mexico City. In centavos. */
export interface EndingOnDay {
  endsOn: string;
  firstEndsAt: Date;
  lastEndsAt: Date;
  holds: number;
  amount: bigint;
}

export const readEndings = (queries: Queries, asked: Open) =>
  queries.many<EndingOnDay>(sql`
    select (${endsAt} at time zone 'America/Mexico_City')::date::text as "endsOn", min(${endsAt}) as "firstEndsAt",
      max(${endsAt}) as "lastEndsAt", count(*)::int as holds, sum(placed_amount)::bigint as amount
    from payment where ${open(asked)}
    group by 1 order by 1`);

export interface OpenHolds extends Open {
  limit: number;
  offset: number;
}

/** The hold that ends next comes first. */
export const findOpenHolds = (queries: Queries, { limit, offset, ...asked }: OpenHolds) =>
  queries.many<PaymentRow>(sql`
    select ${paymentTable.list} from payment where ${open(asked)}
    order by ${endsAt}, id limit ${limit} offset ${offset}`);

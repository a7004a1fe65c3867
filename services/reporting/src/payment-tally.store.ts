import { allOf, ifAsked, type Queries, type Sql, sql, type Tx } from '@cobro/postgres/database.ts';
import { foldDayChanges } from './day-sum.store.ts';
import type { PaymentRow } from './payment.row.ts';
import type { DayRange } from './payment-tally.rules.ts';

/** The partner list's filters, by which payments are counted. An undefined filter excludes nothing. */
export interface KindFilters {
  status: PaymentRow['status'][] | undefined;
  type: PaymentRow['type'][] | undefined;
  /** Whether the payment must have more than one term. */
  installments: boolean | undefined;
  terms: number[] | undefined;
  issuingBank: string[] | undefined;
}

/** The condition on a row of `payment` or `payment_count`, whose columns for a kind have the same names. */
export const ofKind = ({ status, type, installments, terms, issuingBank }: KindFilters): Sql =>
  allOf([
    ifAsked(status, sql`status = any(${status})`),
    ifAsked(type, sql`type = any(${type})`),
    ifAsked(installments, sql`(terms > 1) = ${installments}`),
    ifAsked(terms, sql`terms = any(${terms})`),
    ifAsked(issuingBank, sql`issuing_bank = any(${issuingBank})`),
  ]);

const counted = (organizations: string[], kinds: KindFilters, { span, from, to }: DayRange): Sql => sql`
  from payment_count
  where organization_id = any(${organizations}) and span = ${span} and starts >= ${from}::date and starts < ${to}::date
    and ${ofKind(kinds)}`;

export interface Tally {
  /** `YYYY-MM-DD` */
  starts: string;
  payments: bigint;
}

/** Counts payments of these kinds in each of these months or days, leaving out those without any. */
export const readTallies = (queries: Queries, organizations: string[], kinds: KindFilters, range: DayRange) =>
  queries.many<Tally>(sql`
    select starts::text as starts, sum(payments)::bigint as payments ${counted(organizations, kinds, range)}
    group by starts
    having sum(payments) <> 0`);

/** The kinds of payments that the organizations have in these months or on these days, perhaps with some that are gone since. */
export const kindsIn = (organizations: string[], kinds: KindFilters, range: DayRange): Sql => sql`
  select distinct organization_id, status, type, terms, issuing_bank ${counted(organizations, kinds, range)}`;

/** The lock of folding: one transaction at a time, because two would wait for each other's rows. */
const folding = sql`hashtextextended(current_schema() || '.payment_change', 0)`;

/** The first day of the span in which `day` lies. */
const firstDay = sql`case span when 'month' then date_trunc('month', day::timestamp)::date else day end`;

/**
 * Adds the oldest changes to the tallies and to the sums of days, `limit` of each at most. Counts and sums stay the same before, during
 * and after. Returns how many changes there were; 0 also if another process is folding.
 */
export async function foldOldestChanges(tx: Tx, limit: number): Promise<number> {
  const { alone } = await tx.one<{ alone: boolean }>(sql`select pg_try_advisory_xact_lock(${folding}) as alone`);
  if (!alone) return 0;
  // The ids as an array: if the table was empty when last analyzed, a join would compare each change with every other one.
  const { taken } = await tx.one<{ taken: number }>(sql`
    with taken as (
      delete from payment_change where id = any(array(select id from payment_change order by id limit ${limit})) returning *
    ), folded as (
      insert into payment_tally as tally (organization_id, span, starts, status, type, terms, issuing_bank, payments)
      select organization_id, span, ${firstDay} as starts, status, type, terms, issuing_bank, sum(change)
      from taken cross join unnest(array['month', 'day']) as span
      group by 1, 2, 3, 4, 5, 6, 7
      having sum(change) <> 0
      on conflict (organization_id, span, starts, status, type, terms, issuing_bank)
        do update set payments = tally.payments + excluded.payments
    )
    select count(*)::int as taken from taken`);
  tx.send(sql`delete from payment_tally where payments = 0`);
  return Math.max(taken, await foldDayChanges(tx, limit));
}

/** A count that is not the number of rows. */
export interface Miscounted {
  /** `organization span starts status type terms bank` */
  cell: string;
  counted: bigint;
  rows: bigint;
}

/** Counts every row, so it may take seconds for millions. One statement, so it is right while the projection goes on. */
export const findMiscounted = (queries: Queries, limit: number) =>
  queries.many<Miscounted>(sql`
    select concat_ws(' ', organization_id, span, starts, status, type, terms, issuing_bank) as cell,
      sum(counted)::bigint as counted, sum(rows)::bigint as rows
    from (
      select organization_id, span, starts, status, type, terms, issuing_bank, payments as counted, 0 as rows from payment_count
      union all
      select organization_id, span, ${firstDay}, status, type, terms, issuing_bank, 0, payments
      from (
        select organization_id, (created_at at time zone interval '-06:00')::date as day, status, type, terms, issuing_bank,
          count(*) as payments
        from payment where status is not null
        group by 1, 2, 3, 4, 5, 6
      ) as of_rows cross join unnest(array['month', 'day']) as span
    ) as known
    group by organization_id, span, starts, status, type, terms, issuing_bank
    having sum(counted) <> sum(rows)
    limit ${limit}`);

import { allOf, type Queries, type Sql, sql, type Tx } from '@cobro/postgres/database.ts';
import { ifAsked } from './asked.ts';
import type { PaymentRow } from './payment.rules.ts';
import type { DayRange } from './payment-tally.rules.ts';

/** What tallies are kept by, as the partner list filters it. An undefined filter excludes nothing. */
export interface KindFilters {
  status: PaymentRow['status'][] | undefined;
  type: PaymentRow['type'][] | undefined;
  /** Whether the payment must have more than one term. */
  installments: boolean | undefined;
  terms: number[] | undefined;
  issuingBank: string[] | undefined;
}

/** The condition on a row of `payment`, `payment_tally` or `payment_change`: they have the same names for a kind. */
export const ofKind = ({ status, type, installments, terms, issuingBank }: KindFilters): Sql =>
  allOf([
    ifAsked(status, sql`status = any(${status})`),
    ifAsked(type, sql`type = any(${type})`),
    ifAsked(installments, sql`(terms > 1) = ${installments}`),
    ifAsked(terms, sql`terms = any(${terms})`),
    ifAsked(issuingBank, sql`issuing_bank = any(${issuingBank})`),
  ]);

/**
 * The tallies that answer with the fewest rows: of kinds only where the filters ask for two of type, terms and bank, otherwise totals.
 * A total has '' or 0 for what it is not kept by.
 */
function talliesFor({ status, type, installments, terms, issuingBank }: KindFilters): Sql {
  const parts = [
    ...(type ? ['type'] : []),
    ...((terms ?? installments) === undefined ? [] : ['terms']),
    ...(issuingBank ? ['bank'] : []),
  ];
  if (parts.length > 1) return sql`payment_tally`;
  const keptBy = parts[0] ?? (status ? 'type' : 'organization');
  return sql`(select * from payment_total where kept_by = ${keptBy}) as total`;
}

/** How many payments of these kinds the organizations have. */
export async function countEver(queries: Queries, organizations: string[], kinds: KindFilters): Promise<number> {
  const { count } = await queries.one<{ count: bigint }>(sql`
    select (
      select coalesce(sum(payments), 0) from ${talliesFor(kinds)}
      where organization_id = any(${organizations}) and span = 'all' and ${ofKind(kinds)}
    )::bigint + (
      select coalesce(sum(change), 0) from payment_change where organization_id = any(${organizations}) and ${ofKind(kinds)}
    ) as count`);
  return Number(count);
}

export interface Tally {
  span: DayRange['span'];
  /** `YYYY-MM-DD` */
  starts: string;
  payments: bigint;
}

/** What the tallies of these months and days say, without those that have no such payment. */
export function readTallies(
  queries: Queries,
  organizations: string[],
  kinds: KindFilters,
  ranges: readonly DayRange[],
): Promise<Tally[]> {
  const asked = sql`unnest(
    ${ranges.map(({ span }) => span)}::text[], ${ranges.map(({ from }) => from)}::date[], ${ranges.map(({ to }) => to)}::date[]
  ) as asked (of_span, first, beyond)`;
  return queries.many<Tally>(sql`
    select span, starts::text as starts, sum(payments)::bigint as payments
    from (
      select span, starts, payments from ${asked} join ${talliesFor(kinds)}
        on span = of_span and starts >= first and starts < beyond
      where organization_id = any(${organizations}) and ${ofKind(kinds)}
      union all
      select of_span, ${firstDay(sql`of_span`)}, change from ${asked} join payment_change on day >= first and day < beyond
      where organization_id = any(${organizations}) and ${ofKind(kinds)}
    ) as told
    group by span, starts
    having sum(payments) <> 0`);
}

/** How many payments of some kinds, and of all, an organization has. */
export interface Share {
  ofKinds: bigint;
  ofAll: bigint;
}

/** What each organization has on these days, but for changes that wait, so about. */
export function readShares(
  queries: Queries,
  organizations: string[],
  kinds: KindFilters,
  { from, to }: { from: string; to: string },
): Promise<Share[]> {
  const asked = sql`organization_id = any(${organizations}) and span = 'day' and starts >= ${from}::date and starts < ${to}::date`;
  return queries.many<Share>(sql`
    select sum(of_kinds)::bigint as "ofKinds", sum(of_all)::bigint as "ofAll" from (
      select organization_id, payments as of_kinds, 0 as of_all from ${talliesFor(kinds)} where ${asked} and ${ofKind(kinds)}
      union all
      select organization_id, 0, payments from payment_total where kept_by = 'organization' and ${asked}
    ) as told
    group by organization_id`);
}

/** The first day of the span in which `day` lies. */
const firstDay = (span: Sql) => sql`
  case ${span} when 'all' then date '1970-01-01' when 'month' then date_trunc('month', day::timestamp)::date else day end`;

/** The kinds that the organizations have payments of, on these days or ever. Also one that is gone since may be among them. */
export function kindsIn(organizations: string[], kinds: KindFilters, days?: { from: string; to: string }): Sql {
  const within = (first: Sql) =>
    days ? sql`${first} >= ${days.from}::date and ${first} < ${days.to}::date` : sql`true`;
  return sql`
    select organization_id, status, type, terms, issuing_bank, starts from payment_tally
    where organization_id = any(${organizations}) and span = ${days ? 'day' : 'all'} and ${within(sql`starts`)}
      and ${ofKind(kinds)}
    union
    select organization_id, status, type, terms, issuing_bank, ${days ? sql`day` : sql`date '1970-01-01'`} from payment_change
    where organization_id = any(${organizations}) and ${within(sql`day`)} and ${ofKind(kinds)}`;
}

/** One transaction at a time folds, because two would wait for each other's rows. */
const folding = sql`hashtextextended(current_schema() || '.payment_change', 0)`;

/**
 * Adds the oldest changes to the tallies, so many at most. Counts are the same before and after, and during it. Returns how many
 * changes there were; 0 also where another process is at it.
 */
export async function foldOldestChanges(tx: Tx, limit: number): Promise<number> {
  const { alone } = await tx.one<{ alone: boolean }>(sql`select pg_try_advisory_xact_lock(${folding}) as alone`);
  if (!alone) return 0;
  // The ids as an array: of a table that was empty when it was last analyzed, a join would look at each change for each other one.
  const { taken, emptied } = await tx.one<{ taken: number; emptied: object[] | null }>(sql`
    with taken as (
      delete from payment_change where id = any(array(select id from payment_change order by id limit ${limit})) returning *
    ), cell as (
      select organization_id, of_span as span, ${firstDay(sql`of_span`)} as starts, status, type, terms, issuing_bank,
        sum(change) as change
      from taken cross join unnest(array['all', 'month', 'day']) as of_span
      group by 1, 2, 3, 4, 5, 6, 7
      having sum(change) <> 0
    ), folded as (
      insert into payment_tally as tally (organization_id, span, starts, status, type, terms, issuing_bank, payments)
      select organization_id, span, starts, status, type, terms, issuing_bank, change from cell
      on conflict (organization_id, span, starts, status, type, terms, issuing_bank)
        do update set payments = tally.payments + excluded.payments
      returning tally.*
    )
    select (select count(*)::int from taken) as taken,
      (select json_agg(folded) from folded where payments = 0) as emptied`);
  if (emptied !== null) {
    tx.send(sql`
      delete from payment_tally as tally
      using json_populate_recordset(null::payment_tally, ${JSON.stringify(emptied)}) as emptied
      where (tally.organization_id, tally.span, tally.starts, tally.status, tally.type, tally.terms, tally.issuing_bank)
        = (emptied.organization_id, emptied.span, emptied.starts, emptied.status, emptied.type, emptied.terms,
          emptied.issuing_bank)`);
  }
  return taken;
}

/** A tally that, with the changes that wait, is not what there are rows, or a total that is not what its tallies are. */
export interface Miscounted {
  table: 'payment_tally' | 'payment_total';
  /** `organization span starts status type terms bank`; of a total, what it is not kept by is 0 or missing. */
  cell: string;
  counted: bigint;
  rows: bigint;
}

/** Counts every row, so it may take seconds for millions. One statement, so it is right while the projection goes on. */
export const findMiscounted = (queries: Queries, limit: number) =>
  queries.many<Miscounted>(sql`
    with of_rows as materialized (
      select organization_id, (created_at at time zone interval '-06:00')::date as day, status, type, terms, issuing_bank,
        count(*) as payments
      from payment where status is not null
      group by 1, 2, 3, 4, 5, 6
    ), told as (
      select organization_id, span, starts, status, type, terms, issuing_bank, payments as counted, 0 as rows from payment_tally
      union all
      select organization_id, of_span, ${firstDay(sql`of_span`)}, status, type, terms, issuing_bank, change, 0
      from payment_change cross join unnest(array['all', 'month', 'day']) as of_span
      union all
      select organization_id, of_span, ${firstDay(sql`of_span`)}, status, type, terms, issuing_bank, 0, payments
      from of_rows cross join unnest(array['all', 'month', 'day']) as of_span
    )
    select 'payment_tally' as table, concat_ws(' ', organization_id, span, starts, status, type, terms, issuing_bank) as cell,
      sum(counted)::bigint as counted, sum(rows)::bigint as rows
    from told
    group by organization_id, span, starts, status, type, terms, issuing_bank
    having sum(counted) <> sum(rows)
    union all
    select 'payment_total', concat_ws(' ', organization_id, kept_by, span, starts, status, type, terms, issuing_bank),
      sum(counted)::bigint, sum(tallied)::bigint
    from (
      select organization_id, kept_by, span, starts, status, type, terms, issuing_bank, payments as counted, 0 as tallied
      from payment_total
      union all
      select organization_id, by, span, starts,
        case when by = 'organization' then '' else status end, case when by = 'type' then type else '' end,
        case when by = 'terms' then terms else 0 end, case when by = 'bank' then issuing_bank else '' end, 0, payments
      from payment_tally cross join unnest(array['organization', 'type', 'terms', 'bank']) as by
    ) as total
    group by organization_id, kept_by, span, starts, status, type, terms, issuing_bank
    having sum(counted) <> sum(tallied)
    limit ${limit}`);

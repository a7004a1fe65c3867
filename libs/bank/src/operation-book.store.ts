import { uuid } from '@cobro/contracts/ids.ts';
import { type Queries, type Sql, sql } from '@cobro/postgres/database.ts';
import type { OperationStatus, Purpose } from './journal.store.ts';

/** An operation, as it is compared with the bank's books. */
export interface OperationRecord {
  id: string;
  /** The acquirer that was asked. */
  acquirer: string;
  purpose: Purpose;
  subjectId: string;
  amount: bigint | null;
  status: OperationStatus;
  reference: string | null;
  declineCode: string | null;
  /** The bank's time of its answer, as ISO text. */
  time: string | null;
}

const records = sql`
  select id, acquirer, purpose, subject_id as "subjectId", amount, status, answer->>'reference' as reference,
    answer->>'declineCode' as "declineCode", answer->>'time' as time
  from bank_operation`;

/**
 * The operations in one schema, of one acquirer if it is given. No hour has those that save cards, because they move no
 * money. `ofPayments` reads every acquirer's, so that a wrong acquirer shows.
 */
export function operationBook(queries: Queries, acquirer?: string) {
  const asked = acquirer === undefined ? sql`true` : sql`acquirer = ${acquirer}`;
  const many = (rest: Sql) => queries.many<OperationRecord>(sql`${records} ${rest}`);
  return {
    /** Everything, in the order of the claims. */
    all: () => many(sql`order by claimed_at, id`),
    /** A page of the operations that the bank answered within one UTC hour (`2026-11-20T06`), by id after this one. */
    answeredIn: (hour: string, after: string | undefined, page = 200) =>
      many(sql`
        where status in ('approved', 'declined') and purpose <> 'save' and left(answer ->> 'time', 13) = ${hour}
          and ${after === undefined ? sql`true` : sql`id > ${after}`} and ${asked}
        order by id limit ${page}`),
    /** How many operations each acquirer answered in these hours, for acquirers that are not among the `known`. */
    answeredElsewhere: (hours: readonly string[], known: readonly string[]) =>
      queries.many<{ acquirer: string; operations: number }>(sql`
        select acquirer, count(*)::int as operations from bank_operation
        where status in ('approved', 'declined') and purpose <> 'save' and left(answer ->> 'time', 13) = any(${hours})
          and acquirer <> all(${known})
        group by acquirer`),
    /**
     * Reads a page of all operations by id after this one, and gives the payments whose operations were settled at or after this time.
     * `last` is null if no page follows. It reads every operation, because only disasters need this, and an index of that time would
     * make every settlement dearer.
     */
    settledSince: (since: Date, after: string, page = 10_000) =>
      queries.one<{ paymentIds: string[]; last: string | null }>(sql`
        select coalesce(array_agg(distinct subject_id) filter (where settled_at >= ${since} and purpose <> 'save'), '{}')
            as "paymentIds",
          (array_agg(id order by id))[${page}::int] as last
        from (
          select id, subject_id, settled_at, purpose from bank_operation where id > ${after} order by id limit ${page}
        ) as looked_at`),
    /** An acquirer may report ids of its own, which Postgres refuses to compare if they are no UUIDs. */
    withIds: (ids: string[]) =>
      many(sql`where id = any(${ids.filter((id) => uuid.safeParse(id).success)}) and ${asked}`),
    /** Everything that was asked about these payments, in the order of the claims. */
    ofPayments: (ids: string[]) => many(sql`where subject_id = any(${ids}) order by claimed_at, id`),
  };
}

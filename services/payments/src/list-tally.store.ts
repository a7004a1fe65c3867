/**
 * The tallies of the offset lists (ADR 16): how many rows of each kind a block of a long list has. At any moment, tallies plus the
 * changes in list_change equal the view `listed`.
 */
import { sql, type Tx } from '@cobro/postgres/database.ts';

/** The lists, named after the tables of their rows. */
export type ListName = 'payment_method' | 'one_time_payment' | 'payment' | 'product' | 'payment_link' | 'subscription';

/** Rows of a block when it is made. */
const BLOCK_ROWS = 2_000;
/** A list without tallies, or a block, that has more rows than this is cut into blocks. */
const LONG_ROWS = 4_000;
/** One change in this many of a list without tallies makes the job check how long the list is. */
const LOOK_EACH = 50;

/** The id beside an infinite time, where it decides nothing. */
export const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Finds the block of a row of list_change: the oldest block that ends after it; none if the list has no tallies. */
export const blockOfChange = sql`
  select until_at, until_id from list_tally as block
  where block.list = list_change.list and block.owner = list_change.owner
    and (block.until_at, block.until_id) > (list_change.created_at, list_change.row_id)
  order by until_at, until_id limit 1`;

/**
 * Returns whether this transaction may work on the tallies: one at a time, because two would wait for each other's rows. It plans
 * by indexes only: a plan made while the tables were empty would read them from end to end.
 */
export async function workAlone(tx: Tx): Promise<boolean> {
  tx.send(sql`set local enable_seqscan = off`);
  // Without seqscan, a table that lacks an index for a condition costs so much that Postgres would compile each round for 0.7 s.
  tx.send(sql`set local jit = off`);
  const { alone } = await tx.one<{ alone: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtextextended(current_schema() || '.list_tally', 0)) as alone`);
  return alone;
}

/** A block that has grown long, or a list without tallies as one block that ends at infinity. */
export interface LongBlock {
  list: ListName;
  owner: string;
  /** As text, because a Date has no infinity. */
  untilAt: string;
  untilId: string;
}

/**
 * Folds at most `limit` changes into the tallies; counts stay the same. Changes of lists without tallies are deleted, because the
 * rows of these lists are counted. `long`: the blocks to be cut.
 */
export async function foldListChanges(tx: Tx, limit: number): Promise<{ folded: number; long: LongBlock[] }> {
  const { folded, grown } = await tx.one<{ folded: number; grown: object[] | null }>(sql`
    with taken as (
      delete from list_change where ctid = any(array(select ctid from list_change where change <> 0 limit ${limit})) returning *
    ), cell as (
      select list, owner, until_at, until_id, status, expiry_month, sum(change) as change
      from taken as list_change cross join lateral (${blockOfChange}) as its_block
      group by list, owner, until_at, until_id, status, expiry_month
      having sum(change) <> 0
    ), tallied as (
      insert into list_tally as tally (list, owner, until_at, until_id, status, expiry_month, listed)
      select list, owner, until_at, until_id, status, expiry_month, change from cell
      on conflict (list, owner, until_at, until_id, status, expiry_month)
        do update set listed = tally.listed + excluded.listed
    ), grown as (
      select list, owner, until_at, until_id from cell
      union
      select list, owner, 'infinity', ${NO_ID}::uuid from list_change where change = 0
      union
      select list, owner, 'infinity', ${NO_ID}::uuid from taken
      where random() < 1.0 / ${LOOK_EACH}::int
        and not exists (select from list_tally as tally where tally.list = taken.list and tally.owner = taken.owner)
    )
    select (select count(*)::int from taken) as folded, (select json_agg(grown) from grown) as grown`);
  return { folded, long: grown === null ? [] : await findLong(tx, grown) };
}

/** Selects the long ones: blocks by tallies, lists without tallies by rows; and each list with a note (change 0). */
const findLong = (tx: Tx, grown: object[]) =>
  tx.many<LongBlock>(sql`
    select list, owner, until_at::text as "untilAt", until_id as "untilId"
    from json_populate_recordset(null::list_tally, ${JSON.stringify(grown)}) as grown
    where ${LONG_ROWS}::int < coalesce(
      (select sum(listed) from list_tally as tally
       where (tally.list, tally.owner, tally.until_at, tally.until_id)
         = (grown.list, grown.owner, grown.until_at, grown.until_id)),
      (select count(*) from (
        select from listed where listed.list = grown.list and listed.owner = grown.owner limit ${LONG_ROWS + 1}
      ) as some_rows)
    ) or exists (
      select from list_change where change = 0 and list_change.list = grown.list and list_change.owner = grown.owner
    )`);

/**
 * Counts the rows of a block anew and cuts it into blocks of BLOCK_ROWS; the newest gets the rest. Deletes the list's note in the
 * same statement, so the note stays if the counting fails.
 */
export async function cutBlock(tx: Tx, { list, owner, untilAt, untilId }: LongBlock): Promise<void> {
  const ofList = sql`list = ${list} and owner = ${owner}`;
  const end = sql`(${untilAt}::timestamptz, ${untilId}::uuid)`;
  tx.send(sql`delete from list_tally where ${ofList} and (until_at, until_id) = ${end}`);
  // One statement, so that it deletes exactly the changes whose rows it has counted.
  await tx.run(sql`
    with older as (
      select until_at, until_id from list_tally where ${ofList} and (until_at, until_id) < ${end}
      union all
      select '-infinity', ${NO_ID}
      order by until_at desc, until_id desc limit 1
    ), counted as (
      delete from list_change using older
      where ${ofList} and (
        change = 0 or (created_at, row_id) >= (older.until_at, older.until_id) and (created_at, row_id) < ${end}
      )
    ), member as (
      select created_at, id, status, expiry_month, row_number() over (order by created_at, id) - 1 as position
      from listed, older
      where ${ofList} and (created_at, id) >= (older.until_at, older.until_id) and (created_at, id) < ${end}
    ), block as (
      select position / ${BLOCK_ROWS}::int - 1 as n, created_at as until_at, id as until_id from member
      where position > 0 and position % ${BLOCK_ROWS}::int = 0
      union all
      select coalesce(max(position), 0) / ${BLOCK_ROWS}::int, ${untilAt}::timestamptz, ${untilId}::uuid from member
    ), cell as (
      select position / ${BLOCK_ROWS}::int as n, status, expiry_month, count(*) as listed from member
      group by 1, status, expiry_month
    )
    insert into list_tally (list, owner, until_at, until_id, status, expiry_month, listed)
    select ${list}, ${owner}, until_at, until_id, coalesce(status, ''), coalesce(expiry_month, 0), coalesce(listed, 0)
    from block left join cell using (n)`);
}

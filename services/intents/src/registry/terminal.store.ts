import { type Queries, sql, type Tx } from '@cobro/postgres/database.ts';
import { column, type RowOf, tableOf } from '@cobro/postgres/table.ts';

const terminalColumns = {
  id: column<string>(),
  organizationId: column<string>(),
  serialNumber: column<string>(),
  branchId: column<string | null>(),
  salespersonId: column<string | null>(),
  version: column<number>(),
  createdAt: column<Date>(),
};
export type TerminalRow = RowOf<typeof terminalColumns>;
const terminalTable = tableOf(terminalColumns);
const columns = terminalTable.list;
const inserting = terminalTable.inserting(
  'id',
  'organizationId',
  'serialNumber',
  'branchId',
  'salespersonId',
  'createdAt',
);

export const findTerminal = (queries: Queries, id: string) =>
  queries.maybe<TerminalRow>(sql`select ${columns} from terminal where id = ${id}`);

export const findTerminalBySerial = (queries: Queries, organizationId: string, serialNumber: string) =>
  queries.maybe<TerminalRow>(sql`
    select ${columns} from terminal where serial_number = ${serialNumber} and organization_id = ${organizationId}`);

/** Locks until the transaction ends, so that only one transaction at a time changes what is open for the terminal. */
export const lockTerminal = (tx: Tx, id: string) =>
  tx.one<TerminalRow>(sql`select ${columns} from terminal where id = ${id} for no key update`);

/** Writes real time, once a minute at most. Skips a locked row, because the next request writes it. */
export const writeSeen = (queries: Queries, id: string) =>
  queries.run(sql`
    update terminal set seen_at = clock_timestamp()
    where id = any(array(
      select id from terminal
      where id = ${id} and (seen_at is null or seen_at < clock_timestamp() - interval '1 minute')
      for no key update skip locked))`);

/** Returns undefined if any organization has the serial number. */
export const insertTerminal = (tx: Tx, terminal: Parameters<typeof inserting>[0]) =>
  tx.maybe<TerminalRow>(sql`
    insert into terminal ${inserting(terminal)} on conflict (serial_number) do nothing returning ${columns}`);

/** An undefined field stays as it is; null removes the assignment. */
export const updateTerminal = (
  tx: Tx,
  change: { id: string; branchId: string | null | undefined; salespersonId: string | null | undefined },
) =>
  tx.maybe<TerminalRow>(sql`
    update terminal
    set branch_id = case when ${change.branchId === undefined} then branch_id else ${change.branchId ?? null}::uuid end,
      salesperson_id =
        case when ${change.salespersonId === undefined} then salesperson_id else ${change.salespersonId ?? null}::uuid end,
      version = version + 1
    where id = ${change.id} returning ${columns}`);

export const listTerminals = (queries: Queries) =>
  queries.many<TerminalRow>(sql`select ${columns} from terminal order by created_at, id`);

/** In the order of their ids. */
export const findTerminalsAfter = (queries: Queries, id: string, limit: number) =>
  queries.many<TerminalRow>(sql`select ${columns} from terminal where id > ${id} order by id limit ${limit}`);

export const findTerminalsOfIds = (queries: Queries, ids: readonly string[]) =>
  queries.many<TerminalRow>(sql`select ${columns} from terminal where id = any(${ids}::uuid[])`);

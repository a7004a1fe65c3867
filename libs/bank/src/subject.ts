import { type Queries, sql, type Sql } from '@cobro/postgres/database.ts';
import { statement } from '@cobro/postgres/sql.ts';
import { type Columns, inSql, type RowOf, type Table } from '@cobro/postgres/table.ts';

/** A row that operations are about. Every change of its status raises its version. */
export interface SubjectRow {
  version: number;
}

/** The table of the rows that operations are about. */
export interface Subject<Row> {
  idOf(row: Row): string;
  find(queries: Queries, id: string): Promise<Row | undefined>;
  /** Locks the row and gives its id, if nobody has raised its version since it was read. */
  lockAsRead(row: Row): Sql;
  /** Ends with its `where`. */
  update(row: Row, changes: Partial<Row>): Sql;
}

export function subjectOf<C extends Columns>(
  name: string,
  key: keyof C & string,
  { list, setting }: Table<C>,
): Subject<RowOf<C> & SubjectRow> {
  const table = statement(name);
  const id = statement(inSql(key));
  const idOf = (row: RowOf<C>) => row[key] as string;
  return {
    idOf,
    find: (queries, of) => queries.maybe(sql`select ${list} from ${table} where ${id} = ${of}`),
    // The lock of an update that leaves the key alone, so that inserting a row that refers to this one need not wait.
    lockAsRead: (row) => sql`
      select ${id} as id from ${table} where ${id} = ${idOf(row)} and version = ${row.version} for no key update`,
    update: (row, changes) => sql`update ${table} set ${setting(changes)} where ${id} = ${idOf(row)}`,
  };
}

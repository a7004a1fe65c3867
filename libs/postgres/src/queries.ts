import type pg from 'pg';
import { type Sql, statementName } from './sql.ts';
import { rethrow } from './unavailable.ts';

export interface Queries {
  many<Row>(statement: Sql): Promise<Row[]>;
  /** The only row, or undefined. */
  maybe<Row>(statement: Sql): Promise<Row | undefined>;
  /** The only row. Rejects if there is none, because that is a bug. */
  one<Row>(statement: Sql): Promise<Row>;
  /** The number of rows that the statement touched. */
  run(statement: Sql): Promise<number>;
}

type Run = (query: pg.QueryConfig) => Promise<pg.QueryResult>;

export function queriesBy(run: Run): Queries {
  const query = ({ text, values }: Sql) =>
    run({ name: statementName(text), text, values } as pg.QueryConfig).catch(rethrow);
  const maybe = async <Row>(statement: Sql) => (await query(statement)).rows[0] as Row | undefined;
  return {
    many: async <Row>(statement: Sql) => (await query(statement)).rows as Row[],
    maybe,
    one: async <Row>(statement: Sql) => {
      const row = await maybe<Row>(statement);
      if (row === undefined) throw new Error(`no row: ${statement.text}`);
      return row;
    },
    run: async (statement: Sql) => (await query(statement)).rowCount ?? 0,
  };
}

import { type Sql, statement } from './sql.ts';

/** One column, typed by what its value is in code. */
export interface Column<T> {
  isJson: boolean;
  /** Never set: it only carries the type for the compiler. */
  value?: T;
}

export const column = <T>(): Column<T> => ({ isJson: false });
/** A jsonb column. Values are written as JSON and read parsed; null is SQL's null. */
export const jsonColumn = <T>(): Column<T> => ({ isJson: true });

/** Columns for the fields of `T`. `fields` says which of them are JSON. */
export const columnsOf = <T>(fields: { readonly [K in keyof T]: { isJson: boolean } }): {
  readonly [K in keyof T]: Column<T[K]>;
} => fields;

export type Columns = Readonly<Record<string, Column<unknown>>>;

/** A row, typed by its columns. */
export type RowOf<C extends Columns> = { [K in keyof C]: C[K] extends Column<infer T> ? T : never };

export interface Table<C extends Columns> {
  /** The column list of a select: every column under the name that code uses. */
  list: Sql;
  /** `(a, b) values ($1, $2)` for these columns. The text is made once and used for every insert. */
  inserting<K extends keyof C & string>(...names: K[]): (row: Pick<RowOf<C>, K>) => Sql;
  /** `(a, b) select $1, $2`, for an insert that has a condition. */
  insertingSelected<K extends keyof C & string>(...names: K[]): (row: Pick<RowOf<C>, K>) => Sql;
  /** Like `inserting`, with columns that Postgres computes: `(a, c) values ($1, clock_timestamp())`. */
  insertingWith<K extends keyof C & string>(
    computed: { readonly [N in keyof C]?: string },
    ...names: K[]
  ): (row: Pick<RowOf<C>, K>) => Sql;
  /** `a = $1, b = $2` for the columns of this part of a row. */
  setting(changes: Partial<RowOf<C>>): Sql;
  /** `a = excluded.a, b = excluded.b`: overwrites these columns of the row that an insert conflicts with. */
  excluded(...names: (keyof C & string)[]): Sql;
  /** `a = coalesce(t.a, excluded.a)` for the table t: fills these columns of that row if they are null. */
  filled(table: string, ...names: (keyof C & string)[]): Sql;
}

/** A table's columns, each declared once. SQL has their names in snake case: `createdAt` is `created_at`. */
export function tableOf<C extends Columns>(columns: C): Table<C> {
  const isJson = (name: string) => columns[name]?.isJson === true;
  const valueOf = (name: string, value: unknown) => (isJson(name) && value !== null ? JSON.stringify(value) : value);
  const insertingBy = <K extends keyof C & string>(
    clause: (values: string) => string,
    computed: { readonly [N in keyof C]?: string },
    names: K[],
  ): ((row: Pick<RowOf<C>, K>) => Sql) => {
    const parameter = (name: string, i: number) => `$${i + 1}${isJson(name) ? '::jsonb' : ''}`;
    const into = [...names, ...Object.keys(computed)].map(inSql).join(', ');
    const values = [...names.map(parameter), ...(Object.values(computed) as string[])].join(', ');
    const text = `(${into}) ${clause(values)}`;
    return (row) =>
      statement(
        text,
        names.map((name) => valueOf(name, row[name])),
      );
  };
  const insertingWith: Table<C>['insertingWith'] = (computed, ...names) =>
    insertingBy((values) => `values (${values})`, computed, names);
  return {
    list: statement(
      Object.keys(columns)
        .map((name) => (inSql(name) === name ? name : `${inSql(name)} as "${name}"`))
        .join(', '),
    ),
    inserting: (...names) => insertingWith({}, ...names),
    insertingSelected: (...names) => insertingBy((values) => `select ${values}`, {}, names),
    insertingWith,
    setting: (changes) => {
      const names = Object.keys(changes);
      const text = names.map((name, i) => `${inSql(name)} = $${i + 1}${isJson(name) ? '::jsonb' : ''}`).join(', ');
      return statement(
        text,
        names.map((name) => valueOf(name, changes[name])),
      );
    },
    excluded: (...names) => statement(names.map((name) => `${inSql(name)} = excluded.${inSql(name)}`).join(', ')),
    filled: (table, ...names) =>
      statement(
        names
          .map(inSql)
          .map((name) => `${name} = coalesce(${table}.${name}, excluded.${name})`)
          .join(', '),
      ),
  };
}

/** A column's name in SQL. */
export const inSql = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

import { createHash } from 'node:crypto';

/** One statement: text with $n parameters, and their values. A value never becomes part of the text. */
export interface Sql {
  readonly text: string;
  readonly values: readonly unknown[];
}

class Statement implements Sql {
  readonly text: string;
  readonly values: readonly unknown[];
  constructor(text: string, values: readonly unknown[]) {
    this.text = text;
    this.values = values;
  }
}

/** A statement, or a part of one. */
export const statement = (text: string, values: readonly unknown[] = []): Sql => new Statement(text, values);

interface Written {
  text: string;
  /** One entry for each gap in the template: the text of the fragment in it, or undefined for a value. */
  fragments: (string | undefined)[];
}

/**
 * Remembers the text of each template in the source, because most are used with the same fragments (lists of columns, a row to be
 * inserted) each time.
 */
const written = new WeakMap<TemplateStringsArray, Written>();

const fragmentOf = (insert: unknown) => (insert instanceof Statement ? insert.text : undefined);

/** Tagged template: sql`select … where id = ${id}`. Another `sql` value may be nested as a fragment. */
export function sql(strings: TemplateStringsArray, ...inserts: unknown[]): Sql {
  const known = written.get(strings);
  if (known?.fragments.every((fragment, i) => fragment === fragmentOf(inserts[i])) === true) {
    return new Statement(known.text, valuesOf(inserts));
  }
  const text = write(strings, inserts);
  written.set(strings, { text, fragments: inserts.map(fragmentOf) });
  return new Statement(text, valuesOf(inserts));
}

function valuesOf(inserts: unknown[]): unknown[] {
  const values: unknown[] = [];
  for (const insert of inserts) {
    if (insert instanceof Statement) values.push(...insert.values);
    else values.push(insert);
  }
  return values;
}

function write(strings: TemplateStringsArray, inserts: unknown[]): string {
  let count = 0;
  let text = strings[0] ?? '';
  inserts.forEach((insert, i) => {
    if (insert instanceof Statement) {
      const offset = count;
      text += insert.text.replaceAll(/\$(\d+)/g, (_, n: string) => `$${Number(n) + offset}`);
      count += insert.values.length;
    } else {
      count++;
      text += `$${count}`;
    }
    text += strings[i + 1] ?? '';
  });
  return text;
}

/** Joins fragments by `and`, for lists with optional filters. Gives `true` if there are no fragments. */
export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.reduce((all, next) => sql`${all} and ${next}`, sql`true`);
}

/**
 * A filter's condition. Its text is the same if `value` is undefined, so filters in any combination are one prepared statement.
 * Connections for reads plan for the values, and the planner drops a condition that is true.
 */
export const ifAsked = (value: unknown, condition: Sql): Sql => sql`(${value === undefined}::boolean or ${condition})`;

interface Named {
  summary: string;
  name: string;
}

/**
 * How many statements a process may name. Each takes some ten kilobytes of the server's memory per connection, so statements whose
 * text depends on a caller's input could use it up.
 */
export const MOST_NAMED = 350;

/** By their texts. There are as many texts as statements in the source. */
const named = new Map<string, Named>();

type Refuse = (text: string) => void;
let refuse: Refuse | undefined;

/** Installs a check that gets each statement beyond MOST_NAMED, which has no name; only tests do so. */
export const installStatementCheck = (check: Refuse): void => {
  refuse = check;
};

/** How many statements the process has named. */
export const countNamed = (): number => named.size;

/**
 * The name of the prepared statement, by which each connection parses and plans a statement only once. The name begins with the
 * verb and the table, which spans show, and ends with a hash of the text. It has at most 63 characters. Undefined for a statement
 * beyond MOST_NAMED, which is parsed each time.
 */
export function statementName(text: string): string | undefined {
  if (!named.has(text) && named.size >= MOST_NAMED) {
    refuse?.(text);
    return undefined;
  }
  return nameOnce(text).name;
}

/** The verb and the table. */
export const summaryOf = (text: string): string => named.get(text)?.summary ?? summarize(text);

function nameOnce(text: string): Named {
  let known = named.get(text);
  if (known === undefined) {
    const summary = summarize(text);
    known = { summary, name: `${summary} ${createHash('sha1').update(text).digest('base64url')}` };
    named.set(text, known);
  }
  return known;
}

function summarize(text: string): string {
  const [verb = 'sql'] = /[a-z]+/i.exec(text) ?? [];
  const [, table] = /\b(?:from|into|update)\s+([a-z_]+)/i.exec(text) ?? [];
  return (table === undefined ? verb : `${verb} ${table}`).toLowerCase().slice(0, 35);
}

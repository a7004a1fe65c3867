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
  /** One entry for each gap in the template: the fragment that stands there, or undefined where a value goes. */
  fragments: (Statement | undefined)[];
}

/**
 * Remembers the text of each template in the source, because most are used with the same fragments (lists of columns) each time.
 */
const written = new WeakMap<TemplateStringsArray, Written>();

/** Tagged template: sql`select … where id = ${id}`. Another `sql` value may be nested as a fragment. */
export function sql(strings: TemplateStringsArray, ...inserts: unknown[]): Sql {
  const fragments = inserts.map((insert) => (insert instanceof Statement ? insert : undefined));
  const known = written.get(strings);
  if (known?.fragments.every((fragment, i) => fragment === fragments[i]) === true) {
    return new Statement(
      known.text,
      inserts.filter((_, i) => fragments[i] === undefined),
    );
  }
  const all = write(strings, inserts);
  if (fragments.every((fragment) => !fragment?.values.length)) written.set(strings, { text: all.text, fragments });
  return all;
}

function write(strings: TemplateStringsArray, inserts: unknown[]): Statement {
  const values: unknown[] = [];
  let text = strings[0] ?? '';
  inserts.forEach((insert, i) => {
    if (insert instanceof Statement) {
      const offset = values.length;
      text += insert.text.replaceAll(/\$(\d+)/g, (_, n: string) => `$${Number(n) + offset}`);
      values.push(...insert.values);
    } else {
      values.push(insert);
      text += `$${values.length}`;
    }
    text += strings[i + 1] ?? '';
  });
  return new Statement(text, values);
}

/** Joins fragments by `and`, for lists with optional filters. Gives `true` where there are no fragments. */
export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.reduce((all, next) => sql`${all} and ${next}`, sql`true`);
}

const names = new Map<string, string>();

/**
 * The name of the prepared statement, by which each connection parses and plans a statement only once. The name begins with the
 * verb and the table, which spans show, and ends with a hash of the text. It has at most 63 characters.
 */
export function statementName(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `${summaryOf(text)} ${createHash('sha1').update(text).digest('base64url')}`;
    names.set(text, name);
  }
  return name;
}

function summaryOf(text: string): string {
  const [verb = 'sql'] = /[a-z]+/i.exec(text) ?? [];
  const [, table] = /\b(?:from|into|update)\s+([a-z_]+)/i.exec(text) ?? [];
  return (table === undefined ? verb : `${verb} ${table}`).toLowerCase().slice(0, 35);
}

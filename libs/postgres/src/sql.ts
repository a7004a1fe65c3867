import { createHash } from 'node:crypto';

/** One statement: text with $n places and the values that go there. Values never become text. */
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

/** A statement, or a part of one, from its text and the values of its places. */
export const statement = (text: string, values: readonly unknown[] = []): Sql => new Statement(text, values);

interface Written {
  text: string;
  /** By place; undefined where a value goes. */
  fragments: (Statement | undefined)[];
}

/** The text of each template in the source, as it was last written with fragments that have no values (lists of columns). */
const written = new WeakMap<TemplateStringsArray, Written>();

/** Tagged template: sql`select … where id = ${id}`; another `sql` value may be nested as a fragment. */
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

/** Fragments joined by `and`, or `true` where there are none: for lists with optional filters. */
export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.reduce((all, next) => sql`${all} and ${next}`, sql`true`);
}

const names = new Map<string, string>();

/**
 * Prepared-statement name, so that each connection parses and plans a statement once: what spans show of it (verb and table)
 * and a hash of the text. At most 63 characters.
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

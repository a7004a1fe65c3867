import { Sentence } from '../../dev/stack/servers/server.ts';
import type { LoggedStatement } from './statement-log.ts';

/** What pgbench runs again and again as one role, and the variables that it is given (`-D`). */
export interface PgbenchScript {
  user: string;
  text: string;
  variables: Record<string, string>;
  statements: number;
}

/** A transaction, or a statement by itself. */
type Unit = LoggedStatement[];

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?=Z|\+00)/g;
/** A time in a value that is younger than this belongs to the pair, and is made anew. */
const OF_THE_PAIR_MS = 5 * 60_000;

/** Makes time-ordered ids like ours (version 7), because they decide where in an index a row goes. */
const NEW_ID = `(select substr(ms, 1, 8) || '-' || substr(ms, 9) || '-7' || substr(drawn, 16) from (select
  lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') as ms, gen_random_uuid()::text as drawn) as parts)`;
/** pgbench takes a colon in a script for a variable, so this text is given as one. */
const TIME_FORMAT = 'YYYY-MM-DD"T"HH24:MI:SS.MS';

/**
 * One script for each role that takes part in a pair, with the statements of one recorded pair unchanged, in their transactions. Ids and
 * times that only that pair had are made anew each time, by one select at the beginning; all other values stay.
 * @param pipelined whether a transaction leaves in one write, as far as no result is needed in between
 */
export function pgbenchScripts(pairs: LoggedStatement[][], pipelined: boolean): PgbenchScript[] {
  const users = [...new Set(pairs.flat().map(({ user }) => user))];
  return users.flatMap((user) => {
    const ofUser = pairs.map((pair) => unitsOf(pair.filter((statement) => statement.user === user)));
    const typical = typicalOf(ofUser);
    if (typical.length === 0) return [];
    const others = new Set(ofUser.filter((units) => units !== typical).flatMap((units) => uuidsIn(units)));
    const fresh = [...new Set(uuidsIn(typical))].filter((id) => !others.has(id));
    return [{ user, ...write(typical, fresh, pipelined) }];
  });
}

/**
 * Transactions, and single statements with an id or about an event. Timed work has none, but for the sweep's claim, which brings ids for
 * what it may find.
 */
export function unitsOf(statements: LoggedStatement[]): Unit[] {
  const units: Unit[] = [];
  const open = new Map<string, Unit>();
  for (const statement of statements) {
    const { session, text } = statement;
    const transaction = open.get(session);
    if (text === 'begin') {
      const unit = [statement];
      open.set(session, unit);
      units.push(unit);
    } else if (transaction === undefined) units.push([statement]);
    else transaction.push(statement);
    if (text === 'commit') open.delete(session);
  }
  const isOfThePair = (unit: Unit) =>
    (uuidsIn([unit]).length > 0 && !unit.some(({ text }) => text.includes('skip locked'))) ||
    unit.some(({ text }) => DELETES_OF_OUTBOX.test(text));
  return units.filter((unit) => unit.length > 1 || isOfThePair(unit));
}

/** The last of the pairs that did the same as most. */
function typicalOf(pairs: Unit[][]): Unit[] {
  const did = (units: Unit[]) =>
    units
      .map((unit) => unit.map(({ text }) => text).join(';'))
      .toSorted()
      .join('\n');
  const [most = []] = [...Map.groupBy(pairs, did).values()].toSorted((a, b) => b.length - a.length);
  return most.at(-1) ?? [];
}

const uuidsIn = (units: Unit[]): string[] =>
  units.flat().flatMap(({ values }) => values.flatMap((value) => value?.match(UUID) ?? []));

function write(units: Unit[], fresh: string[], pipelined: boolean): Omit<PgbenchScript, 'user'> {
  const variables: Record<string, string> = {};
  /** SQL of each value that is composed anew each time, by its variable. */
  const composed = new Map<string, string>();
  const given = (value: string) => {
    const known = Object.entries(variables).find(([, text]) => text === value)?.[0];
    const name = known ?? `given_${Object.keys(variables).length}`;
    variables[name] = value;
    return name;
  };
  const variableFor = (value: string) => {
    const sql = compose(value, fresh, given);
    if (sql === undefined) return given(value);
    const known = [...composed].find(([, same]) => same === sql)?.[0];
    const name = known ?? `made_${composed.size}`;
    composed.set(name, sql);
    return name;
  };
  const lines = units.flatMap((unit) => linesOf(unit, variableFor, pipelined));
  const ids = fresh.map((_, n) => `${NEW_ID} as id_${n}`);
  const made = [...composed].map(([name, sql]) => `${sql} as ${name}`);
  const now = `to_char(clock_timestamp() at time zone 'utc', :${given(TIME_FORMAT)}) as now`;
  const first = `select ${made.join(', ')} from (select ${[...ids, now].join(', ')}) as fresh \\gset`;
  return { variables, text: `${[first, ...lines].join('\n')}\n`, statements: units.flat().length };
}

/** SQL that makes the value with fresh ids and the present time in it; undefined if nothing in it is made anew. */
function compose(value: string, fresh: string[], given: (value: string) => string): string | undefined {
  const parts: string[] = [];
  let rest = 0;
  const places = [...value.matchAll(UUID), ...value.matchAll(TIME)].toSorted((a, b) => a.index - b.index);
  for (const { 0: found, index } of places) {
    const at = fresh.indexOf(found);
    const isOfPair = found.includes(':') ? Math.abs(Date.now() - Date.parse(`${found}Z`)) < OF_THE_PAIR_MS : at >= 0;
    if (!isOfPair) continue;
    if (index > rest) parts.push(`:${given(value.slice(rest, index))}::text`);
    parts.push(at >= 0 ? `id_${at}` : 'now');
    rest = index + found.length;
  }
  if (parts.length === 0) return undefined;
  if (rest < value.length) parts.push(`:${given(value.slice(rest))}::text`);
  return parts.join(' || ');
}

const DELETES_OF_OUTBOX = /^\s*delete from outbox\b/;

/** A relay deletes the newest events of its session, the same number as in the pair. */
const newestIds = (deleted: string | null | undefined): string =>
  (deleted ?? '')
    .split(',')
    .map((_, n) => `currval(pg_get_serial_sequence('outbox', 'id')) - ${n}`)
    .join(', ');

function linesOf(unit: Unit, variableFor: (value: string) => string, pipelined: boolean): string[] {
  const lines = unit.map(({ text, values }) => {
    const deletes = DELETES_OF_OUTBOX.test(text);
    const sql = text.replaceAll(/\$(\d+)/g, (_, n: string) => {
      const value = values[Number(n) - 1];
      if (value === undefined) throw new Sentence(`The log of Postgres has no values of this statement: ${text}`);
      if (deletes) return `array[${newestIds(value)}]`;
      return value === null ? 'null' : `:${variableFor(value)}`;
    });
    return `${sql};`;
  });
  return pipelined ? ['\\startpipeline', ...lines, '\\endpipeline'] : lines;
}

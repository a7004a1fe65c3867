import type { Envelope } from '@cobro/contracts/events.ts';
import { type Database, type Sql, sql } from '@cobro/postgres/database.ts';
import { statement } from '@cobro/postgres/sql.ts';
import { countSettled } from './count-settled.ts';
import type { Approved, Declined } from './bank.ts';
import { closing, isOpen, type Operation, type Purpose } from './journal.store.ts';
import { applyingResolution } from './resolution.store.ts';
import type { Subject } from './subject.ts';

/**
 * How an operation ended. `not_processed`: the bank had never seen the key, and closed it. `not_sent`: the request never left, or
 * the bank did nothing, closed the key and wants the request under another.
 */
export type Ending = Approved | Declined | { outcome: 'not_processed' } | { outcome: 'not_sent'; isKeyClosed?: true };

/** What else changes with the subject, in the same statement. */
export interface AlsoChanges {
  /** A `select` that locks what changes. If it finds nothing, nothing at all is written. */
  locking?: Sql;
  /** An `update` or `delete` that ends with its `where`. */
  writing: Sql;
}

/** A row in which many subjects count. It is locked before the subject, in the order in which everybody takes such locks. */
export interface Counting {
  /** All statements that count in one row have one key, so that few connections of a process wait for its lock, and not all. */
  key: string;
  /** Absent if nobody else locks what it writes; then transactions may be shared. */
  locking?: Sql;
  /** An `update` or `insert` that ends with its `where`; absent if the row only has to stay unchanged meanwhile. */
  writing?: Sql;
}

/** Runs the statement after `locking` and the locks of what it counts. `key` is used only if nothing counted has a lock. */
export function whileCounting<Row>(
  db: Database,
  {
    counting = [],
    key,
    locking,
  }: { counting?: readonly Counting[] | undefined; key: string; locking?: Sql | undefined },
  writing: Sql,
): Promise<Row[]> {
  const counters = counting.filter((one) => one.locking !== undefined);
  const locks = [locking, ...counters.map((one) => one.locking)].filter((lock) => lock !== undefined);
  const inTransaction = counters.length > 0 ? db.inOwnTransaction : db.inSharedTransaction;
  return inTransaction<Row>(counters[0]?.key ?? key, ...locks, writing);
}

/** What the ending of an operation changes. */
export interface Change<Row> {
  /** The columns of the subject that change; absent if it stays as it is. */
  changes?: Partial<Row>;
  also?: AlsoChanges;
  /** What is counted, or counted back. If it locks, the settlement does not share its transaction. */
  counting?: readonly Counting[];
  events: Envelope[];
}

/** Thrown if an answer cannot be the operation's outcome. The operation stays open until another answer, or an operator, settles it. */
export class NotTheOutcome extends Error {}

/** How operations of one purpose end. `settle` is pure: it says what changes, and the journal writes it down. */
export interface Settler<Row> {
  subject: Subject<Row>;
  /** @throws NotTheOutcome */
  settle(row: Row, operation: Operation, ending: Ending): Change<Row>;
}
export type Settlers = { readonly [P in Purpose]?: Settler<object> };

/** The subject after an ending, and the events of the change. `row` is absent if nothing moved. */
export interface Settled<Row> {
  row?: Row;
  events: Envelope[];
}

/**
 * Closes the operation, changes its subject and hands the events over. Undefined if the operation was already closed. `row` is the
 * subject as the claim left it; without one it is read.
 */
export type Settlement = <Row extends object>(
  settler: Settler<Row>,
  operation: Operation,
  ending: Ending,
  row?: Row,
) => Promise<Settled<Row> | undefined>;

/** An event that the settling statement writes. */
interface EventToWrite {
  /** The `insert`, which writes nothing if `from` is empty. */
  insertFrom(from: Sql): Sql;
  /** Takes the row that the `insert` gives, after the commit. */
  committed(written: Written): void;
}
interface Written {
  id: number;
  ahead: string[];
}

export interface SettlementOptions {
  outbox: { writing(event: Envelope): EventToWrite };
  /** Runs after the commit and before the caller gets the outcome. */
  handOver: (events: Envelope[]) => Promise<unknown>;
}

/** How often a subject may change between reading and settling it. */
const MOST_TRIES = 5;

/**
 * Settles with one statement. Settlements that come while others commit share a transaction. If one cannot be written down, the
 * others still are.
 */
export function createSettlement(
  { outbox, handOver }: SettlementOptions,
  db: Database,
  { byResolution }: { byResolution: boolean } = { byResolution: false },
): Settlement {
  const count = countSettled();
  return async (settler, operation, ending, known) => {
    let row = known;
    for (let tries = 1; tries <= MOST_TRIES; tries++) {
      row ??= await findWhileOpen(db, settler.subject, operation);
      if (row === undefined) return undefined;
      const change = settler.settle(row, operation, ending);
      const events = change.events.map(outbox.writing);
      const parts = byResolution ? [applyingResolution] : [];
      const settling = settlingStatement(settler.subject, row, { operation, ending, change, events, parts });
      const { counting } = change;
      const [closed] = await whileCounting<{ events: Written[] }>(db, { counting, key: operation.subjectId }, settling);
      if (closed !== undefined) {
        for (const [i, event] of events.entries()) event.committed(closed.events[i] as Written);
        count(operation, ending);
        await handOver(change.events);
        const { changes } = change;
        return { ...(changes && { row: { ...row, ...changes } }), events: change.events };
      }
      // Somebody has closed the operation, or has changed the subject since it was read.
      row = undefined;
    }
    throw new Error(`the subject of a ${operation.purpose} is never as it was read`);
  };
}

/** The subject of an operation. Undefined if the operation is closed. */
async function findWhileOpen<Row>(db: Database, subject: Subject<Row>, operation: Operation): Promise<Row | undefined> {
  const row = await subject.find(db, operation.subjectId);
  // Checked after reading the subject, so that a subject that this operation has changed already is not settled again.
  if (!(await isOpen(db, operation.id))) return undefined;
  if (row === undefined) throw new Error(`a ${operation.purpose} without its subject`);
  return row;
}

/**
 * Closes the operation if it is still open and the subject is as it was read, and writes what follows; otherwise nothing. Gives a
 * row if it has closed the operation. It locks the subject first, like a claim, so that no two wait for each other.
 */
function settlingStatement<Row>(
  subject: Subject<Row>,
  row: Row,
  settled: { operation: Operation; ending: Ending; change: Change<Row>; events: EventToWrite[]; parts: Sql[] },
): Sql {
  const { operation, ending, change, events, parts } = settled;
  const { changes, also, counting = [] } = change;
  const locking = also?.locking;
  const locks = locking === undefined ? sql`` : sql`, also as (${locking})`;
  const whereLocked = locking === undefined ? sql`` : sql` and exists (select from also)`;
  const writes = [
    ...(changes === undefined ? [] : [subject.update(row, changes)]),
    ...(also === undefined ? [] : [also.writing]),
    ...counting.flatMap(({ writing }) => writing ?? []),
  ].map((write) => sql`${write} and exists (select from closed)`);
  const named = (name: string, all: Sql[]) =>
    all.reduce((before, part, i) => sql`${before}, ${statement(`${name}_${i}`)} as (${part})`, sql``);
  const written = events
    .map((_event, i) => statement(`(select to_jsonb(event_${i}) from event_${i})`))
    .reduce((before, event, i) => (i === 0 ? event : sql`${before}, ${event}`), sql``);
  return sql`/* settle */ with subject as (${subject.lockAsRead(row)})${locks},
    closed as (${closing(operation.id, ending)} and exists (select from subject)${whereLocked} returning *)
    ${named('part', [...writes, ...parts])}${named(
      'event',
      events.map((event) => event.insertFrom(sql`from closed`)),
    )}
    select jsonb_build_array(${written}) as events from closed`;
}

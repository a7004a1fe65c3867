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
 * the bank did nothing, closed the key and asks for it again.
 */
export type Ending = Approved | Declined | { outcome: 'not_processed' } | { outcome: 'not_sent'; isKeyClosed?: true };

/** What else changes with the subject, in the same statement. */
export interface AlsoChanges {
  /** A `select` that locks what changes. Where it finds nothing, nothing at all is written. */
  locking?: Sql;
  /** An `update` or `delete` that ends in its condition. */
  writing: Sql;
}

/** A row that counts what many subjects take. Its lock comes before the subject's, in the order in which everybody takes such locks. */
export interface Counting {
  /** Whatever counts in one row has one key, so that one connection of a process waits for its lock, and not all of them. */
  key: string;
  /** Absent where it locks nothing that others lock; then transactions may be shared. */
  locking?: Sql;
  /** An `update` or `insert` that ends in its condition; absent where the row only must not change meanwhile. */
  writing?: Sql;
}

/** Runs the statement once all is locked that it counts in. `key` is whatever it competes for besides, and `locking` locks that first. */
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
  /** The columns of the subject that change; none where it stays as it is. */
  changes?: Partial<Row>;
  also?: AlsoChanges;
  /** What is counted, or counted back. Where it locks, the settlement shares its transaction with no other. */
  counting?: readonly Counting[];
  events: Envelope[];
}

/** Thrown where an answer cannot be the outcome of what was asked. The operation stays open until the bank says another, or an operator decides. */
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
  /** The `insert`, which writes nothing where `from` is empty. */
  insertFrom(from: Sql): Sql;
  /** Takes the row that the `insert` gives, after the commit. */
  committed(written: Written): void;
}
interface Written {
  id: number;
  behind: string[];
}

export interface SettlementOptions {
  outbox: { writing(event: Envelope): EventToWrite };
  /** Runs after the commit and before the caller gets the outcome. */
  handOver: (events: Envelope[]) => Promise<void>;
}

/** How often a subject may change between reading and settling it. */
const MOST_TRIES = 5;

/**
 * Settles with one statement. Settlements that come while others commit share a transaction. One that cannot be written down does
 * not keep the others from it.
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

/** The subject of an operation that is still open. Undefined where it is closed. */
async function findWhileOpen<Row>(db: Database, subject: Subject<Row>, operation: Operation): Promise<Row | undefined> {
  const row = await subject.find(db, operation.subjectId);
  // Read after the subject, so that no subject that this operation has moved already is settled again.
  if (!(await isOpen(db, operation.id))) return undefined;
  if (row === undefined) throw new Error(`a ${operation.purpose} without its subject`);
  return row;
}

/**
 * Closes the operation if it is still open and the subject is as it was read, and writes what follows; otherwise nothing. Gives a
 * row where it has closed it. It locks the subject first, as a claim does, so that no two wait for each other.
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

import type { AskedBy } from '@cobro/contracts/asked-by.ts';
import type { BankRequest } from './bank.ts';
import { type Database, type Queries, type Sql, sql } from '@cobro/postgres/database.ts';
import { statement } from '@cobro/postgres/sql.ts';

export type Purpose = 'save' | 'charge' | 'hold' | 'capture' | 'release' | 'expire' | 'refund';
/** What the bank is asked for each purpose. */
export const kindOf = {
  save: 'tokenize',
  charge: 'sale',
  hold: 'authorize',
  capture: 'capture',
  release: 'void',
  expire: 'void',
  refund: 'refund',
} as const satisfies Record<Purpose, BankRequest['kind']>;

export type OperationStatus = 'open' | 'approved' | 'declined' | 'not_processed' | 'not_sent';

/** One thing asked of the bank. Its id is the idempotency key that the bank gets. Times are real time, not business time. */
export interface Operation {
  id: string;
  /** The acquirer that was asked, and that inquiries ask. */
  acquirer: string;
  purpose: Purpose;
  subjectId: string;
  amount: bigint | null;
  note: string | null;
  /** When the call ended without an answer; null while the call runs. */
  unansweredAt: Date | null;
}

/** What the bank said to an operator, in the form of its own answers; `not_processed` if it never carried out the operation. */
export type ResolvedEnding =
  | { outcome: 'approved'; reference: string; time: string }
  | { outcome: 'declined'; declineCode: string; time: string; reference: string | null }
  | { outcome: 'not_processed' };

/** An operation that the bank is to be asked about. */
export interface DueOperation extends Operation {
  /** The ending that an operator recorded. */
  resolved: ResolvedEnding | null;
  /** Milliseconds since the claim. */
  ageMs: number;
  /** How often the bank has been asked, including the inquiry for which this was taken. */
  inquiries: number;
}

export interface OpenOperation extends Operation {
  /** Milliseconds since the claim. */
  ageMs: number;
}

const columns = sql`id, acquirer, purpose, subject_id as "subjectId", amount, note, unanswered_at as "unansweredAt"`;

/** What is written down of an operation. */
type NewOperation = Omit<Operation, 'subjectId' | 'unansweredAt'> & { askedBy?: AskedBy | undefined };

/**
 * Writes the operation down for the row that `subject` locks, and gives its id. Writes nothing if the row has an open operation, or
 * the lock took longer than `withinMs`. No inquiry comes within `inquireAfterMs`, because the call may still learn the outcome.
 */
export const claimingLocked = (
  subject: Sql,
  operation: NewOperation,
  { withinMs, inquireAfterMs }: { withinMs: number; inquireAfterMs: number },
): Sql =>
  sql`/* claim */ with subject as (${subject})
    ${inserting(operation, inquireAfterMs)}
    where clock_timestamp() < statement_timestamp() + ${withinMs} * interval '1 ms'
    on conflict (subject_id) where status = 'open' do nothing returning id`;

/**
 * If `writing` writes a row, writes the operation down for it, runs the updates in `effects`, and gives the row. With `reading` it
 * always gives a row: its `read` is that value, and its other columns are null if no row was written.
 */
export const claimingWritten = (
  {
    writing,
    origin,
    effects,
    isRepeatable = false,
    reading,
  }: {
    writing: Sql;
    origin?: Sql | undefined;
    effects: readonly Sql[];
    isRepeatable?: boolean;
    reading?: Sql | undefined;
  },
  operation: NewOperation,
  inquireAfterMs: number,
): Sql => {
  const rest = effects.reduce(
    (before, effect, i) => sql`${before}, ${statement(`effect_${i}`)} as (${effect} and exists (select from subject))`,
    sql``,
  );
  const first = origin === undefined ? sql`` : sql`origin as (${origin}), `;
  const again = isRepeatable ? reopening : sql``;
  const given =
    reading === undefined
      ? sql`select * from subject`
      : sql`select subject.*, ${reading} as read from (values (true)) as always left join subject on true`;
  return sql`/* claim */ with ${first}subject as (${writing}), operation as (${inserting(operation, inquireAfterMs)}${again})${rest}
    ${given}`;
};

const reopening = sql`
  on conflict (id) do update set status = 'open', subject_id = excluded.subject_id, acquirer = excluded.acquirer,
    amount = excluded.amount, note = excluded.note, asked_by = excluded.asked_by, claimed_at = clock_timestamp(),
    inquire_at = excluded.inquire_at, unanswered_at = null, inquiries = 0, answer = null, settled_at = null
  where bank_operation.status = 'not_sent'`;

/** The condition of a claim whose id follows from what is paid: no operation with this id has been sent. */
export const mayBeSent = (id: string): Sql => sql`
  not exists (select from bank_operation where bank_operation.id = ${id} and status <> 'not_sent')`;

const inserting = ({ id, acquirer, purpose, amount, note, askedBy }: NewOperation, inquireAfterMs: number): Sql => sql`
  insert into bank_operation (id, acquirer, purpose, subject_id, amount, note, asked_by, inquire_at)
  select ${id}::uuid, ${acquirer}, ${purpose}, subject.id, ${amount}::bigint, ${note}::text,
    ${askedBy === undefined ? null : JSON.stringify(askedBy)}::jsonb, clock_timestamp() + ${inquireAfterMs} * interval '1 ms'
  from subject`;

/**
 * Writes an operation down for each row that `locking` locks and that has none open. Gives the rows with their operations' ids.
 * Only the index sees an operation that was opened after the statement's snapshot.
 */
export const claimingEach = (
  locking: Sql,
  { ids, acquirer, purpose }: { ids: readonly string[]; acquirer: string; purpose: Purpose },
  inquireAfterMs: number,
): Sql => sql`/* claim */ with subject as (${locking}), operation as (
    insert into bank_operation (id, acquirer, purpose, subject_id, inquire_at)
    select (${ids}::uuid[])[row_number() over ()], ${acquirer}, ${purpose}, subject.id,
      clock_timestamp() + ${inquireAfterMs} * interval '1 ms'
    from subject
    on conflict (subject_id) where status = 'open' do nothing returning id, subject_id
  )
  select subject.*, operation.id as "operationId" from subject join operation on operation.subject_id = subject.id`;

/** An operation that has ended at the bank. `answer` is the ending as the journal keeps it. */
export interface EndedOperation {
  subjectId: string;
  note: string | null;
  answer: { outcome: OperationStatus; time?: string };
  settledAt: Date;
}

/** The last operation of each subject, for one of these purposes, that did not end as `not_sent`. */
export const findLastEnded = (queries: Queries, subjectIds: readonly string[], purposes: readonly Purpose[]) =>
  queries.many<EndedOperation>(sql`
    select distinct on (subject_id) subject_id as "subjectId", note, answer, settled_at as "settledAt"
    from bank_operation
    where subject_id = any(${subjectIds}::uuid[]) and purpose = any(${purposes})
      and status in ('approved', 'declined', 'not_processed')
    order by subject_id, claimed_at desc`);

/** Closes the operation if it is still open. An `amount` from the bank's record replaces ours. Ends with its `where`. */
export const closing = (id: string, ending: { outcome: OperationStatus; amount?: number | undefined }): Sql => sql`
  update bank_operation set status = ${ending.outcome}, answer = ${JSON.stringify(ending)}::jsonb,
    amount = coalesce(${ending.amount ?? null}::bigint, amount), settled_at = clock_timestamp()
  where id = ${id} and status = 'open'`;

export const isOpen = async (queries: Queries, id: string): Promise<boolean> =>
  (await queries.run(sql`select from bank_operation where id = ${id} and status = 'open'`)) > 0;

export const markUnanswered = (db: Database, id: string) =>
  db.run(sql`update bank_operation set unanswered_at = clock_timestamp() where id = ${id} and status = 'open'`);

/** The subject's open operation, if there is one. */
export const findOpenOperation = (queries: Queries, subjectId: string) =>
  queries.maybe<OpenOperation>(sql`
    select ${columns}, date_part('epoch', clock_timestamp() - claimed_at) * 1000 as "ageMs"
    from bank_operation where subject_id = ${subjectId} and status = 'open'`);

const waitingResolution = sql`
  select ending from bank_resolution r where r.operation_id = bank_operation.id`;
const resolvedOperations = sql`exists (${waitingResolution})`;

const take = (db: Database, count: number, afterMs: number, which: Sql) =>
  db.many<DueOperation>(sql`
    update bank_operation
    set inquiries = inquiries + 1, inquire_at = clock_timestamp() + ${afterMs} * interval '1 ms'
    where id = any(array(
      select id from bank_operation where status = 'open' and inquire_at <= clock_timestamp() and ${which}
      order by inquire_at limit ${count} for update skip locked))
    returning ${columns}, inquiries, date_part('epoch', clock_timestamp() - claimed_at) * 1000 as "ageMs",
      (${waitingResolution}) as resolved`);

/** Takes operations that are due for an inquiry at this acquirer. Nobody else takes them within `afterMs`, in which the inquiry ends. */
export const takeForInquiry = (db: Database, acquirer: string, count: number, afterMs: number) =>
  take(db, count, afterMs, sql`acquirer = ${acquirer}`);

/** Like `takeForInquiry`, for a few operations that an operator has resolved, of these acquirers. */
export const takeResolved = (db: Database, acquirers: readonly string[], afterMs: number) =>
  take(db, 8, afterMs, sql`acquirer = any(${acquirers}) and ${resolvedOperations}`);

/**
 * The inquiry has ended without an outcome. The next comes 1 s to 64 s from now, unless the operation was taken again, or is due
 * because the bank is back.
 */
export const inquireLater = (db: Database, { id, inquiries }: DueOperation) =>
  db.run(sql`
    update bank_operation
    set inquire_at = clock_timestamp() + power(2, least(inquiries - 1, 6)) * interval '1 second'
    where id = ${id} and status = 'open' and inquiries = ${inquiries} and inquire_at > clock_timestamp()`);

/** For when an acquirer answers again: everything that waits for another inquiry is due at once. */
export const makeInquiriesDue = (db: Database, acquirer: string) =>
  db.run(sql`
    update bank_operation set inquire_at = clock_timestamp()
    where id = any(array(
      select id from bank_operation
      where status = 'open' and acquirer = ${acquirer} and inquiries > 0 and inquire_at > clock_timestamp()
      for update skip locked))`);

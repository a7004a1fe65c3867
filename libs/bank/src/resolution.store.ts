import { newId } from '@cobro/contracts/ids.ts';
import { type Queries, type Sql, sql, type Tx } from '@cobro/postgres/database.ts';
import type { OperationStatus, Purpose, ResolvedEnding } from './journal.store.ts';

/** An operation that operators look at. Times are real time. */
export interface ShownOperation {
  id: string;
  /** The acquirer that was asked. */
  acquirer: string;
  purpose: Purpose;
  subjectId: string;
  /** In centavos. */
  amount: bigint | null;
  status: OperationStatus;
  claimedAt: Date;
  unansweredAt: Date | null;
  inquiries: number;
  inquireAt: Date;
  settledAt: Date | null;
}

/** How an operator said that an operation ended. */
export interface Resolution {
  id: string;
  ending: ResolvedEnding;
  decidedBy: string;
  /** The role that the operator's command connected as. */
  sessionRole: string;
  reason: string;
  decidedAt: Date;
  before: object;
  /** When it closed the operation. Null if it waits, or if the bank's own answer came first. */
  appliedAt: Date | null;
  after: object | null;
}

/** How long an outcome may stay unknown before operators are asked to look. */
export const UNKNOWN_TOO_LONG_MINUTES = 60;

export const shownColumns = sql`id, acquirer, purpose, subject_id as "subjectId", amount, status, claimed_at as "claimedAt",
  unanswered_at as "unansweredAt", inquiries, inquire_at as "inquireAt", settled_at as "settledAt"`;
export const openFor = (minutes: number) =>
  sql`status = 'open' and claimed_at <= clock_timestamp() - ${minutes} * interval '1 minute'`;
/** The operation without the bank's answer, which may hold a token of the vault. */
const snapshot = sql`to_jsonb(o) - 'answer'`;

/** Operations that have been open for this many minutes, oldest first. */
export const listUnknown = (queries: Queries, minutes: number, most: number) =>
  queries.many<ShownOperation>(sql`
    select ${shownColumns} from bank_operation where ${openFor(minutes)} order by claimed_at, id limit ${most}`);

/** How many operations have been open for this many minutes. */
export async function countOpen(queries: Queries, minutes: number): Promise<number> {
  const { count } = await queries.one<{ count: number }>(sql`
    select count(*)::int as count from bank_operation where ${openFor(minutes)}`);
  return count;
}

export const findOperation = (queries: Queries, id: string) =>
  queries.maybe<ShownOperation>(sql`select ${shownColumns} from bank_operation where id = ${id}`);

/** Locks the operation, so that nobody settles it until the transaction ends. */
export const lockOperation = (tx: Tx, id: string) =>
  tx.maybe<ShownOperation & { isUnknown: boolean }>(sql`
    select ${shownColumns}, ${openFor(UNKNOWN_TOO_LONG_MINUTES)} as "isUnknown" from bank_operation where id = ${id} for update`);

/** What an operator has decided about an operation: one resolution at most. */
export const listResolutions = (queries: Queries, operationId: string) =>
  queries.many<Resolution>(sql`
    select id, ending, decided_by as "decidedBy", session_role as "sessionRole", reason, decided_at as "decidedAt", before,
      applied_at as "appliedAt", after
    from bank_resolution left join bank_resolution_applied on resolution_id = id
    where operation_id = ${operationId}`);

/** Writes down what the operator says and makes the operation due, so that a process of its service settles it at once. */
export async function insertResolution(
  tx: Tx,
  given: { operationId: string; ending: ResolvedEnding; decidedBy: string; reason: string },
): Promise<string> {
  const id = newId();
  const { operationId, ending, decidedBy, reason } = given;
  await tx.run(sql`
    insert into bank_resolution (id, operation_id, ending, decided_by, reason, before)
    select ${id}, id, ${JSON.stringify(ending)}::jsonb, ${decidedBy}, ${reason}, ${snapshot}
    from bank_operation o where id = ${operationId}`);
  await tx.run(sql`update bank_operation set inquire_at = clock_timestamp() where id = ${operationId}`);
  return id;
}

/** Part of the statement that closes an operation by its resolution: notes that the resolution was applied. */
export const applyingResolution: Sql = sql`
  insert into bank_resolution_applied (resolution_id, after)
  select r.id, to_jsonb(o) - 'answer' from closed o join bank_resolution r on r.operation_id = o.id`;

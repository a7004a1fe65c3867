import type { OperationKind } from '@cobro/contracts/acquirer/operation-requests.ts';
import { type Queries, sql } from '@cobro/postgres/database.ts';
import { column, jsonColumn, type RowOf, tableOf } from '@cobro/postgres/table.ts';
import type { Answer } from './answer.ts';

const columns = {
  key: column<string>(),
  kind: column<OperationKind | null>(),
  identity: column<string | null>(),
  amount: column<bigint | null>(),
  intentId: column<string | null>(),
  sentAt: column<Date | null>(),
  closingAt: column<Date | null>(),
  closedAt: column<Date | null>(),
  answer: jsonColumn<Answer | null>(),
  reference: column<string | null>(),
  endedBy: column<string | null>(),
  keysUsed: column<number>(),
};
export type Operation = RowOf<typeof columns>;
const table = tableOf(columns);
const inserting = table.inserting('key', 'kind', 'identity', 'amount');

export type NewOperation = Parameters<typeof inserting>[0];

/** Writes the operation down if its key is new. */
export const accept = (db: Queries, operation: NewOperation): Promise<number> =>
  db.run(sql`insert into operation ${inserting(operation)} on conflict (key) do nothing`);

export const find = (db: Queries, key: string) =>
  db.maybe<Operation>(sql`select ${table.list} from operation where key = ${key}`);

/**
 * Commits that Stripe is going to be asked to move money of this PaymentIntent. False if the key is closed, decided or sent with
 * another one. A second call keeps the time of the first.
 */
export const commitSending = async (db: Queries, key: string, intentId: string): Promise<boolean> =>
  (await db.run(sql`
    update operation set intent_id = ${intentId}, sent_at = coalesce(sent_at, clock_timestamp())
    where key = ${key} and answer is null and closed_at is null and closing_at is null and reused_at is null
      and (intent_id is null or intent_id = ${intentId})`)) === 1;

/**
 * Commits that Stripe is going to be asked again, after `used` keys were used up. False if the operation is decided or closed, or
 * another request has used up a key.
 */
export const commitRepeating = async (
  db: Queries,
  { key, keysUsed }: Pick<Operation, 'key' | 'keysUsed'>,
  used: number,
): Promise<boolean> =>
  (await db.run(sql`
    update operation set keys_used = ${used}, repeated_at = clock_timestamp()
    where key = ${key} and keys_used = ${keysUsed} and answer is null and closed_at is null`)) === 1;

/** Notes that Stripe knows the key by another request, whose row was lost. From here on the key is neither closed nor sent. */
export const noteReused = (db: Queries, key: string) =>
  db.run(sql`
    update operation set reused_at = coalesce(reused_at, clock_timestamp())
    where key = ${key} and answer is null and closed_at is null and sent_at is null`);

/** Writes the answer, once. `despiteClosing` is for the inquiry that is closing the key. */
export const decide = async (db: Queries, key: string, answer: Answer, despiteClosing = false): Promise<boolean> =>
  (await db.run(sql`
    update operation set answer = ${JSON.stringify(answer)}::jsonb, reference = ${answer.reference}
    where key = ${key} and answer is null and closed_at is null and (closing_at is null or ${despiteClosing})`)) === 1;

/** Closes a key under which nothing was sent, or that was never seen. */
export async function closeUnsent(db: Queries, key: string): Promise<boolean> {
  const closed = await db.run(sql`
    insert into operation (key, closed_at) values (${key}, clock_timestamp())
    on conflict (key) do update set closed_at = clock_timestamp()
    where operation.answer is null and operation.sent_at is null and operation.reused_at is null and operation.closed_at is null`);
  return closed === 1;
}

/** From here on the request itself cannot decide any more. False if it already has. */
export const beginClosing = async (db: Queries, key: string): Promise<boolean> =>
  (await db.run(sql`
    update operation set closing_at = coalesce(closing_at, clock_timestamp())
    where key = ${key} and answer is null and closed_at is null`)) === 1;

/** Closes a key whose PaymentIntent was cancelled before it held or moved anything. */
export const closeCancelled = async (db: Queries, key: string): Promise<boolean> =>
  (await db.run(sql`
    update operation set closed_at = clock_timestamp() where key = ${key} and answer is null and closed_at is null`)) ===
  1;

/** Closes a key if Stripe was last asked longer ago than these minutes. */
export const closeSilent = (db: Queries, key: string, minutes: number): Promise<number> =>
  db.run(sql`
    update operation set closed_at = clock_timestamp()
    where key = ${key} and answer is null and closed_at is null
      and coalesce(repeated_at, sent_at) < clock_timestamp() - make_interval(mins => ${minutes})`);

export const findByReference = (db: Queries, reference: string, kinds: readonly OperationKind[]) =>
  db.maybe<Operation>(sql`
    select ${table.list} from operation
    where reference = ${reference} and kind = any(${kinds}) and answer->>'outcome' = 'approved'`);

/**
 * Takes the authorization for the capture or void with this key, so that what Stripe shows later is the work of one operation. A
 * declined or closed operation has let go of it.
 */
export async function takeEnding(db: Queries, authorization: string, key: string): Promise<Operation | undefined> {
  await db.run(sql`
    update operation as held set ended_by = ${key}
    where held.key = ${authorization} and (held.ended_by is null or exists (
      select from operation as ending where ending.key = held.ended_by
        and (ending.closed_at is not null or ending.answer->>'outcome' = 'declined')))`);
  const { endedBy } = await db.one<{ endedBy: string }>(sql`
    select ended_by as "endedBy" from operation where key = ${authorization}`);
  return find(db, endedBy);
}

/** The operations that moved the money of these PaymentIntents. */
export const findMovers = (db: Queries, intentIds: readonly string[]) =>
  db.many<{ intentId: string; key: string; reference: string; amount: bigint }>(sql`
    select intent_id as "intentId", key, reference, amount from operation
    where intent_id = any(${intentIds}) and kind in ('sale', 'capture') and answer->>'outcome' = 'approved'`);

/** Refunds of these PaymentIntents that were declined because Stripe could not pay them out. */
export async function findFailedRefunds(db: Queries, intentIds: readonly string[]): Promise<Set<string>> {
  const found = await db.many<{ key: string }>(sql`
    select key from operation
    where intent_id = any(${intentIds}) and kind = 'refund' and answer->>'declineCode' = 'refund_failed'`);
  return new Set(found.map(({ key }) => key));
}

/** How long ago Stripe was first asked for the operation. */
export async function sentForHours(db: Queries, key: string): Promise<number> {
  const { hours } = await db.one<{ hours: number }>(sql`
    select (extract(epoch from clock_timestamp() - sent_at) / 3600)::float8 as hours from operation where key = ${key}`);
  return hours;
}

/** Undecided operations that were sent to Stripe longer ago than these seconds. */
export const countOpen = (db: Queries, minuteS: number, dayS: number) =>
  db.one<{ minute: number; day: number }>(sql`
    select count(*)::int as minute, (count(*) filter (where coalesce(sent_at, reused_at) < clock_timestamp() - make_interval(secs => ${dayS})))::int as day
    from operation
    where answer is null and closed_at is null
      and coalesce(sent_at, reused_at) < clock_timestamp() - make_interval(secs => ${minuteS})`);

import type { Purpose } from '@cobro/bank/journal.store.ts';
import { subjectOf } from '@cobro/bank/subject.ts';
import { clocksAgree } from '@cobro/postgres/clocks-agree.ts';
import { type Queries, type Sql, sql, type Tx } from '@cobro/postgres/database.ts';
import { type HoldRow, holdTable } from './hold.row.ts';

/** Only the journal moves a hold, when a capture, release or expiry ends. */
export const holdSubject = subjectOf('hold', 'paymentId', holdTable);

const columns = holdTable.list;
const inserting = holdTable.inserting(
  'paymentId',
  'organizationId',
  'paymentMethodId',
  'status',
  'heldAmount',
  'acquirer',
  'bankReference',
  'rates',
  'heldAt',
  'expiresAt',
  'captureBefore',
  'shown',
);

export type NewHold = Omit<Parameters<typeof inserting>[0], 'status'>;

/** Only the first HoldPlaced counts. A hold whose event comes again, perhaps after its end, stays as it is. */
export const insertHold = (tx: Tx, hold: NewHold): void =>
  tx.send(sql`insert into hold ${inserting({ ...hold, status: 'HELD' })} on conflict (payment_id) do nothing`);

export const findHold = (queries: Queries, paymentId: string) =>
  queries.maybe<HoldRow>(sql`select ${columns} from hold where payment_id = ${paymentId}`);

/** In the order of their payments. */
export const findHoldsAfter = (queries: Queries, paymentId: string, limit: number) =>
  queries.many<HoldRow>(sql`
    select ${columns} from hold where payment_id > ${paymentId} order by payment_id limit ${limit}`);

export const findHoldsOf = (queries: Queries, paymentIds: readonly string[]) =>
  queries.many<HoldRow>(sql`select ${columns} from hold where payment_id = any(${paymentIds}::uuid[])`);

/** The hold that a merchant names by the payment and its card. */
export interface NamedHold {
  organizationId: string;
  paymentMethodId: string;
  paymentId: string;
}

/** A hold, and its operation that is open at the bank, if any. */
export interface HoldToEnd {
  hold: HoldRow;
  open: { purpose: Purpose } | undefined;
}

export async function findHoldToEnd(
  queries: Queries,
  { organizationId, paymentMethodId, paymentId }: NamedHold,
): Promise<HoldToEnd | undefined> {
  const found = await queries.maybe<HoldRow & { purpose: Purpose | null }>(sql`
    select ${columns},
      (select purpose from bank_operation where subject_id = payment_id and bank_operation.status = 'open') as purpose
    from hold
    where payment_id = ${paymentId} and organization_id = ${organizationId} and payment_method_id = ${paymentMethodId}`);
  if (found === undefined) return undefined;
  const { purpose, ...hold } = found;
  return { hold, open: purpose === null ? undefined : { purpose } };
}

/** Whether an operation's subject is a hold of this organization. */
export const isHoldOf = (organizationId: string): Sql => sql`
  exists (select from hold where payment_id = subject_id and organization_id = ${organizationId})`;

/** When a hold ends by itself, written as in the indexes; the same as `endsAt` of the rules. */
const endsAt = sql`least(expires_at, capture_before, let_go_at)`;

/**
 * Locks an acquirer's holds that ended by `before`, except those with an open operation or locked by another replica. Locks none if
 * this machine's clock is wrong.
 */
export const lockingDueHolds = (acquirer: string, before: Date, most: number): Sql => sql`
  select ${columns}, payment_id as id from hold
  where status = 'HELD' and acquirer = ${acquirer} and ${endsAt} <= ${before} and ${clocksAgree()}
    and (sweep_again_at is null or sweep_again_at <= clock_timestamp())
    and not exists (select from bank_operation where subject_id = payment_id and bank_operation.status = 'open')
  order by ${endsAt} limit ${most} for update of hold skip locked`;

/** Marks at most `most` HELD holds that end between these times as announced, and returns them. */
export const noteEndings = (tx: Tx, { from, to, most }: { from: Date; to: Date; most: number }) =>
  tx.many<HoldRow>(sql`
    update hold set ending_announced = true
    where payment_id = any(array(
      select payment_id from hold
      where status = 'HELD' and not ending_announced and ${endsAt} > ${from} and ${endsAt} <= ${to}
      order by ${endsAt} limit ${most} for update skip locked))
    returning ${columns}`);

/** Counts HELD holds by the time at which their windows close. All windows of a day close at the same time. */
export const countHeld = (queries: Queries) =>
  queries.many<{ expiresAt: Date; count: number }>(sql`
    select expires_at as "expiresAt", count(*)::int as count from hold where status = 'HELD' group by expires_at`);

const MOST_DUE = 10_000;

/** Counts holds that have ended and are still HELD; 10,000 at most. */
export async function countDueHolds(queries: Queries, now: Date): Promise<number> {
  const { count } = await queries.one<{ count: number }>(sql`
    select count(*)::int as count
    from (select from hold where status = 'HELD' and ${endsAt} <= ${now} limit ${MOST_DUE}) as due`);
  return count;
}

/** The end of the HELD hold that ends, or has ended, first. */
export const findOldestHeld = (queries: Queries) =>
  queries.maybe<{ endsAt: Date }>(sql`
    select ${endsAt} as "endsAt" from hold where status = 'HELD' order by ${endsAt} limit 1`);

/** Counts holds that the bank has let go before their time, since the given time. */
export const countLetGo = (queries: Queries, since: Date) =>
  queries.one<{ count: number }>(sql`select count(*)::int as count from hold where let_go_at >= ${since}`);

/** For how many real seconds the sweep leaves a hold alone after a failed try. The pause doubles with each try. */
export interface SweepPause {
  first: number;
  most: number;
}

/** Part of a settlement. */
export const sweepLater = (paymentId: string, { first, most }: SweepPause): Sql => sql`
  update hold
  set sweep_again_at = clock_timestamp()
      + least(${first}::float8 * power(2, least(sweep_tries, 20)), ${most}) * interval '1 second',
    sweep_tries = sweep_tries + 1
  where payment_id = ${paymentId}`;

/** Part of a settlement: the bank has let go of the money, so the sweep is due, whatever it waited for. */
export const lettingGo = (paymentId: string, letGoAt: Date): Sql => sql`
  update hold set let_go_at = ${letGoAt}, sweep_again_at = null where payment_id = ${paymentId}`;

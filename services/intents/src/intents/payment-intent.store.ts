import { type Queries, sql, type Tx } from '@cobro/postgres/database.ts';
import { type PaymentIntentRow, paymentIntentTable } from './payment-intent.row.ts';

const columns = paymentIntentTable.list;
const inserting = paymentIntentTable.inserting(
  'id',
  'organizationId',
  'externalId',
  'terminalCode',
  'terminalId',
  'redirectAppId',
  'amount',
  'currency',
  'trace',
  'createdAt',
  'expiresAt',
  'updatedAt',
);

/** Returns undefined if the externalId is taken. */
export const insertIntent = (tx: Tx, intent: Parameters<typeof inserting>[0]) =>
  tx.maybe<PaymentIntentRow>(sql`
    insert into payment_intent ${inserting(intent)}
    on conflict (organization_id, external_id) do nothing returning ${columns}`);

export const findIntent = (queries: Queries, organizationId: string, id: string) =>
  queries.maybe<PaymentIntentRow>(sql`
    select ${columns} from payment_intent where id = ${id} and organization_id = ${organizationId}`);

/** The terminal's own intent, or one of its organization that no terminal has taken. */
export const findIntentForTerminal = (
  queries: Queries,
  terminal: { terminalId: string; organizationId: string },
  id: string,
) =>
  queries.maybe<PaymentIntentRow>(sql`
    select ${columns} from payment_intent
    where id = ${id} and organization_id = ${terminal.organizationId}
      and (terminal_id is null or terminal_id = ${terminal.terminalId})`);

/** Intents that have ended, in the order of their ids. */
export const findEndedIntentsAfter = (queries: Queries, id: string, limit: number) =>
  queries.many<PaymentIntentRow>(sql`
    select ${columns} from payment_intent where id > ${id} and status <> 'PENDING' order by id limit ${limit}`);

export const findIntentsOfIds = (queries: Queries, ids: readonly string[]) =>
  queries.many<PaymentIntentRow>(sql`select ${columns} from payment_intent where id = any(${ids}::uuid[])`);

export const findByExternalId = (queries: Queries, organizationId: string, externalId: string) =>
  queries.maybe<PaymentIntentRow>(sql`
    select ${columns} from payment_intent
    where organization_id = ${organizationId} and external_id = ${externalId}`);

/** Locks the intent until the transaction ends. To lock a terminal as well, lock the terminal first. */
export const lockIntent = (tx: Tx, organizationId: string, id: string) =>
  tx.maybe<PaymentIntentRow>(sql`
    select ${columns} from payment_intent where id = ${id} and organization_id = ${organizationId} for update`);

/** The terminal's PENDING intents: its open one, and the one whose card is being charged. */
export const listPending = (queries: Queries, terminalId: string) =>
  queries.many<PaymentIntentRow>(sql`
    select ${columns} from payment_intent where terminal_id = ${terminalId} and status = 'PENDING'`);

/** Whether an intent of the organization is bound to no terminal. */
export const unassignedExists = async (queries: Queries, organizationId: string, now: Date): Promise<boolean> =>
  (
    await queries.one<{ found: boolean }>(sql`
      select exists (
        select from payment_intent
        where organization_id = ${organizationId} and terminal_id is null and status = 'PENDING' and expires_at > ${now}
      ) as found`)
  ).found;

/** Binds the oldest unassigned intent that no other transaction has locked. The terminal must be locked. */
export const bindUnassigned = (
  tx: Tx,
  { terminalId, organizationId, now }: { terminalId: string; organizationId: string; now: Date },
) =>
  tx.maybe<PaymentIntentRow>(sql`
    update payment_intent set terminal_id = ${terminalId}, updated_at = ${now}, version = version + 1
    where id = (
      select id from payment_intent
      where organization_id = ${organizationId} and terminal_id is null and status = 'PENDING' and expires_at > ${now}
      order by created_at, id limit 1 for update skip locked)
    returning ${columns}`);

/**
 * Ends the locked terminal's open intent, superseded or expired, and marks the one being charged; its outcome ends it.
 * One statement, because the outcome may come at this moment.
 */
export const supersedeAll = (tx: Tx, terminalId: string, by: string, now: Date) =>
  tx.many<PaymentIntentRow>(sql`
    update payment_intent
    set status = case when charging_payment_id is null then 'CANCELLED' else status end,
      superseded_by = case when charging_payment_id is null and expires_at <= ${now} then null else ${by}::uuid end,
      updated_at = ${now}, version = version + 1
    where terminal_id = ${terminalId} and status = 'PENDING' and superseded_by is null
    returning ${columns}`);

/** Cancels the locked terminal's open intents that have expired. */
export const closeExpiredOf = (tx: Tx, terminalId: string, now: Date) =>
  tx.many<PaymentIntentRow>(sql`
    update payment_intent set status = 'CANCELLED', updated_at = ${now}, version = version + 1
    where terminal_id = ${terminalId} and status = 'PENDING' and charging_payment_id is null and expires_at <= ${now}
    returning ${columns}`);

/** Cancels open intents that have expired, except those that another transaction has locked. */
export const closeExpired = (tx: Tx, now: Date, limit: number) =>
  tx.many<PaymentIntentRow>(sql`
    update payment_intent set status = 'CANCELLED', updated_at = ${now}, version = version + 1
    where id = any(array(
      select id from payment_intent
      where status = 'PENDING' and charging_payment_id is null and expires_at <= ${now}
      order by expires_at limit ${limit} for update skip locked))
    returning ${columns}`);

/** Who cancels an intent, and why. */
export interface Cancelling {
  by: NonNullable<PaymentIntentRow['cancelledBy']>;
  reason?: string | null;
}

/** The intent must be locked and cancellable. */
export const cancelIntent = (tx: Tx, id: string, { by, reason = null }: Cancelling, now: Date) =>
  tx.one<PaymentIntentRow>(sql`
    update payment_intent
    set status = 'CANCELLED', cancelled_by = ${by}, cancel_reason = ${reason}, updated_at = ${now}, version = version + 1
    where id = ${id} and status = 'PENDING' and charging_payment_id is null returning ${columns}`);

/** Binds the locked intent to the terminal whose card is charged from now on. */
export const beginCharging = (
  tx: Tx,
  { id, terminalId, paymentId, now }: { id: string; terminalId: string; paymentId: string; now: Date },
) =>
  tx.one<PaymentIntentRow>(sql`
    update payment_intent
    set terminal_id = ${terminalId}, charging_payment_id = ${paymentId}, updated_at = ${now}, version = version + 1
    where id = ${id} and status = 'PENDING' and charging_payment_id is null returning ${columns}`);

/**
 * Ends the charge by its outcome: the intent is paid, or open again, or cancelled if it was declined and superseded meanwhile.
 * Returns undefined if this payment is not being charged for the intent.
 */
export const endCharging = (
  tx: Tx,
  outcome: {
    intentId: string;
    paymentId: string;
    paymentStatus: 'CONFIRMED' | 'CANCELLED';
    operationCode: bigint;
    now: Date;
  },
) =>
  tx.maybe<PaymentIntentRow>(sql`
    update payment_intent
    set status = case
        when ${outcome.paymentStatus} = 'CONFIRMED' then 'CONFIRMED'
        when superseded_by is not null then 'CANCELLED'
        else status end,
      charging_payment_id = null, payment_id = ${outcome.paymentId}, payment_status = ${outcome.paymentStatus},
      operation_code = ${outcome.operationCode}, updated_at = ${outcome.now}, version = version + 1
    where id = ${outcome.intentId} and charging_payment_id = ${outcome.paymentId}
    returning ${columns}`);

/** Returns false if the payment's own outcome has not come yet. */
export async function markRefunded(tx: Tx, intentId: string, paymentId: string): Promise<boolean> {
  // Locked first, because the outcome may come at this moment.
  const intent = await tx.maybe<{ isCharging: boolean }>(sql`
    select charging_payment_id is not distinct from ${paymentId}::uuid as "isCharging"
    from payment_intent where id = ${intentId} for update`);
  if (intent?.isCharging === true) return false;
  tx.send(sql`
    update payment_intent set payment_status = 'REFUNDED' where id = ${intentId} and payment_id = ${paymentId}`);
  return true;
}

/** How many intents are PENDING, by what they wait for. */
export const countPending = (queries: Queries) =>
  queries.one<{ unassigned: number; assigned: number; charging: number }>(sql`
    select count(*) filter (where terminal_id is null)::int as unassigned,
      count(*) filter (where terminal_id is not null and charging_payment_id is null)::int as assigned,
      count(charging_payment_id)::int as charging
    from payment_intent where status = 'PENDING'`);

/** Seconds of real time since the oldest tap whose charge has no outcome yet; 0 if there is none. */
export async function ageOfOldestTap(queries: Queries): Promise<number> {
  const { age } = await queries.one<{ age: number }>(sql`
    select coalesce(max(date_part('epoch', clock_timestamp() - requested_at)), 0) as age
    from payment_intent i join intent_attempt a on a.payment_id = i.charging_payment_id
    where i.charging_payment_id is not null`);
  return age;
}

import type { SubscriptionStatus } from '@cobro/contracts/subscriptions.ts';
import type { NewestKeys } from '@cobro/frame/developer-list.ts';
import { clocksAgree } from '@cobro/postgres/clocks-agree.ts';
import { ifAsked, type Queries, sql, type Sql, type Tx } from '@cobro/postgres/database.ts';
import { isNotRevoked } from '../cards/payment-method.store.ts';
import { newestPage, pageOfKeys } from '../newest-page.ts';
import { keptSubscriptionTable, type SubscriptionRow, subscriptionTable } from './subscription.row.ts';

const columns = subscriptionTable.list;
const made = [
  'id',
  'organizationId',
  'externalId',
  'requestDigest',
  'paymentMethodId',
  'productId',
  'description',
  'amount',
  'currency',
  'periodicity',
  'firstBillingDate',
  'totalPeriods',
  'completesAt',
  'isStarted',
  'latestNumber',
  'attemptedAt',
  'retriesEndAt',
  'periodEndsAt',
  'wakeAt',
  'createdAt',
  'updatedAt',
] as const;
const inserting = keptSubscriptionTable.inserting(...made);
const insertingSelected = keptSubscriptionTable.insertingSelected(...made);

export type NewSubscription = Parameters<typeof inserting>[0];

/** The same rule as `endByClock`, and the stored facts. The only rule of a status, for reads and filters. */
const statusAt = (now: Date): Sql => sql`case
    when ended_at is not null then case end_reason when 'COMPLETED' then 'COMPLETED' else 'CANCELLED' end
    when paused_at is null and gives_up_at <= ${now} then 'CANCELLED'
    when cancels_at <= ${now} and (completes_at is null or cancels_at < completes_at) then 'CANCELLED'
    when completes_at <= ${now} then 'COMPLETED'
    when not is_started then 'PENDING'
    when paused_at is not null then 'PAUSED'
    when is_past_due then 'PAST_DUE'
    else 'ACTIVE' end`;

/** A payment stands if it is PENDING, paid, refunded, or was not sent. */
const standing = sql`payment.subscription_id = one.id and (takes_source or not is_initialized)`;

/** Whether the bank was asked about a payment. */
const isAsked = sql`payment.status <> 'NOT_INITIALIZED'`;

/** Subscriptions with their derived columns, which are looked up only for returned rows unless a condition names them. */
export const subscriptionsAt = (now: Date): Sql => sql`(
    select one.*, ${statusAt(now)} as status, product.name as product_name,
      (${highest(sql`period_number`)}) as standing_number, (${highest(sql`payment.status`)}) as standing_status,
      (select max(period_number) from payment where subscription_id = one.id and ${isAsked}) as asked_number,
      exists (select from payment where ${standing} and payment.status = 'PENDING') as is_charging
    from subscription as one left join (select id as of_product, name from product) as product
      on of_product = one.product_id
  ) as subscription`;

const highest = (what: Sql) => sql`
  select ${what} from payment where ${standing} order by period_number desc limit 1`;

/** Returns undefined if the externalId is taken. */
export const insertSubscription = (queries: Queries, subscription: NewSubscription) =>
  queries.maybe<{ id: string }>(sql`
    insert into subscription ${inserting(subscription)}
    on conflict (organization_id, external_id) where external_id is not null do nothing
    returning id`);

/** The same as a part of the claim of its first payment, only if `room` holds and the card is not revoked. */
export const insertingWithPayment = (subscription: NewSubscription, room: Sql | undefined): Sql => sql`
  insert into subscription ${insertingSelected(subscription)}
  where ${isNotRevoked(subscription.paymentMethodId)} and ${room ?? sql`true`}
  on conflict (organization_id, external_id) where external_id is not null do nothing
  returning id`;

/** Finds a subscription of any organization, listed or not. */
export const findAnySubscription = (queries: Queries, id: string, now: Date) =>
  queries.maybe<SubscriptionRow>(sql`select ${columns} from ${subscriptionsAt(now)} where id = ${id}`);

export const findSubscription = (
  queries: Queries,
  { organizationId, id, now }: { organizationId: string; id: string; now: Date },
) =>
  queries.maybe<SubscriptionRow>(sql`
    select ${columns} from ${subscriptionsAt(now)}
    where id = ${id} and organization_id = ${organizationId} and is_listed`);

export const findSubscriptionByExternalId = (queries: Queries, organizationId: string, externalId: string, now: Date) =>
  queries.maybe<SubscriptionRow>(sql`
    select ${columns} from ${subscriptionsAt(now)}
    where organization_id = ${organizationId} and external_id = ${externalId}`);

/** Locks the subscription, before the payment, so that changes, claims and settlements take turns. */
export const lockingSubscription = (id: string): Sql => sql`
  select id from subscription where id = ${id} for no key update`;

/** The same for its merchant only, so that nobody else's request holds up its charges. */
export const lockingOwn = ({ organizationId, id }: { organizationId: string; id: string }): Sql => sql`
  select id from subscription where id = ${id} and organization_id = ${organizationId} for no key update`;

export type Changes = Partial<
  Pick<
    SubscriptionRow,
    | 'paymentMethodId'
    | 'amount'
    | 'description'
    | 'cancelsAt'
    | 'pausedAt'
    | 'endedAt'
    | 'endReason'
    | 'chargesFrom'
    | 'attemptedAt'
    | 'isHard'
    | 'givesUpAt'
    | 'triesAgain'
    | 'latestNumber'
    | 'retriesEndAt'
    | 'periodEndsAt'
    | 'isPastDue'
    | 'lastDeclineCode'
  >
>;

/** Makes the job look at it at once. */
export const waking = sql`
  wake_at = '-infinity', waits_for = null, waits_since = null, try_at = clock_timestamp(), version = version + 1`;

/** Changes the subscription if it is still as it was read. Returns how many were changed. */
export const changeSubscription = (queries: Queries, { id, version }: SubscriptionRow, changes: Changes, at: Date) =>
  queries.run(sql`
    update subscription set ${keptSubscriptionTable.setting({ ...changes, updatedAt: at })}, ${waking}
    where id = ${id} and version = ${version}`);

/** Changes a locked subscription. */
export const changeLocked = (tx: Tx, id: string, changes: Changes, at: Date): void =>
  tx.send(sql`
    update subscription set ${keptSubscriptionTable.setting({ ...changes, updatedAt: at })}, ${waking} where id = ${id}`);

/** Wakes subscriptions that wait for an acquirer although their card can no longer be charged. */
export function wakeWaiting(tx: Tx, paymentMethodIds: readonly string[]): void {
  if (paymentMethodIds.length === 0) return;
  tx.send(sql`
    update subscription set ${waking}
    where payment_method_id = any(${paymentMethodIds}::uuid[]) and is_listed and waits_for is not null and ended_at is null`);
}

const LEASE = sql`interval '30 seconds'`;

/**
 * Leases subscriptions, so that no other replica takes them meanwhile: those that are due, then those that wait for an acquirer in
 * `present`, which can be asked again. Takes none if this machine's clock is wrong.
 */
export const takeDue = (queries: Queries, { now, present }: { now: Date; present: readonly string[] }, most: number) =>
  queries.many<{ id: string }>(sql`
    with due as materialized (
      select id from subscription
      where wake_at <= ${now} and ${clocksAgree()} and ended_at is null and is_started and try_at <= clock_timestamp()
      order by wake_at limit ${most} for no key update skip locked
    ), put_off as materialized (
      select one.id from unnest(${present}::text[]) as acquirer cross join lateral (
        select id from subscription
        where waits_for = acquirer and ${clocksAgree()} and ended_at is null and is_started and try_at <= clock_timestamp()
        order by try_at limit ${most} - (select count(*) from due) for no key update skip locked) as one
      limit ${most} - (select count(*) from due)
    )
    update subscription set try_at = clock_timestamp() + ${LEASE}
    where id = any(array(select id from due union select id from put_off))
    returning id`);

/** Sets the next look to that time, unless the subscription has changed since it was read. */
export const sleepUntil = (queries: Queries, { id, version }: SubscriptionRow, until: Date) =>
  queries.run(sql`
    update subscription set wake_at = ${until}, waits_for = null, waits_since = null, try_at = clock_timestamp()
    where id = ${id} and version = ${version}`);

/** Lets it wait for this acquirer, with a look at `until` at the latest, unless it has changed since it was read. */
export const putOff = (
  queries: Queries,
  { id, version }: SubscriptionRow,
  { acquirer, until }: { acquirer: string; until: Date },
) =>
  queries.run(sql`
    update subscription set wake_at = ${until}, waits_for = ${acquirer},
      waits_since = coalesce(waits_since, clock_timestamp()), try_at = clock_timestamp()
    where id = ${id} and version = ${version}`);

/** What the claim of a period's payment changes; waits_since stays. Ends in its `where` clause. */
export const trying = (
  { id, version }: Pick<SubscriptionRow, 'id' | 'version'>,
  changes: Pick<SubscriptionRow, 'latestNumber' | 'attemptedAt' | 'retriesEndAt' | 'periodEndsAt'> | undefined,
): Sql => {
  const tried =
    changes === undefined
      ? sql``
      : sql`${keptSubscriptionTable.setting({ ...changes, givesUpAt: null, triesAgain: false })},
          wake_at = 'infinity', waits_for = null,`;
  return sql`update subscription set ${tried} version = version + 1 where id = ${id} and version = ${version}`;
};

/** What is known of the payments of one period. */
export interface TriedPeriod {
  number: number;
  /** Whether the bank was asked. */
  isAsked: boolean;
  /** Centavos of the payment named below. */
  amount: bigint;
  declines: number;
  /** Keys at the bank that were used up without money. */
  spentKeys: number;
  /** The payment that stands, else the latest. */
  paymentId: string;
  status: 'NOT_INITIALIZED' | 'PENDING' | 'CONFIRMED' | 'REFUNDED' | 'CANCELLED';
}

/** The tried periods from one number to the other, both included. */
export const findTriedPeriods = (queries: Queries, id: string, from: number, to: number) =>
  queries.many<TriedPeriod>(sql`
    select distinct on (period_number) period_number as number, amount, payment.id as "paymentId", status,
      bool_or(${isAsked}) over period as "isAsked",
      count(*) filter (where status = 'CANCELLED' and decline_code <> 'not_processed') over period ::int as declines,
      (count(*) filter (where status = 'CANCELLED') over period + sum(closed_keys) over period)::int as "spentKeys"
    from payment where subscription_id = ${id} and period_number between ${from} and ${to}
    window period as (partition by period_number)
    order by period_number, status = 'CANCELLED', created_at desc, payment.id desc`);

/**
 * Selects an organization's subscriptions, and the newest of each status as statusAt defines it, in parts that an index has in
 * order. Each subscription is in exactly one part.
 */
export const subscriptionsByStatus = (organizationId: string, now: Date, paymentMethodId?: string) => {
  const ofMethod = ifAsked(paymentMethodId, sql`payment_method_id = ${paymentMethodId}`);
  const newest =
    (condition: Sql): NewestKeys =>
    (asked, limit) =>
      sql`
      (select id, created_at from subscription
       where organization_id = ${organizationId} and is_listed and ${ofMethod} and ${condition} and ${asked}
       order by created_at desc, id desc limit ${limit})`;
  const is = (status: SubscriptionStatus) => sql`${statusAt(now)} = ${status}`;
  const endsAt = sql`least(case when paused_at is null then gives_up_at end, cancels_at, completes_at)`;
  const endedByClock = sql`ended_at is null and ${endsAt} is not null and ${endsAt} <= ${now}`;
  return {
    table: subscriptionTable,
    from: sql`${subscriptionsAt(now)} where organization_id = ${organizationId} and is_listed and ${ofMethod}`,
    all: newest(sql`true`),
    statuses: {
      PENDING: [newest(sql`ended_at is null and not is_started and ${is('PENDING')}`)],
      ACTIVE: [
        newest(sql`ended_at is null and is_started and paused_at is null and not is_past_due and ${is('ACTIVE')}`),
      ],
      PAST_DUE: [newest(sql`ended_at is null and is_past_due and ${is('PAST_DUE')}`)],
      PAUSED: [newest(sql`ended_at is null and is_started and paused_at is not null and ${is('PAUSED')}`)],
      CANCELLED: [
        newest(sql`ended_at is not null and end_reason <> 'COMPLETED'`),
        newest(sql`${endedByClock} and ${is('CANCELLED')}`),
      ],
      COMPLETED: [
        newest(sql`ended_at is not null and end_reason = 'COMPLETED'`),
        newest(sql`${endedByClock} and ${is('COMPLETED')}`),
      ],
    },
  };
};

/** Lists newest first. Counts at most `most` subscriptions of one status or card, because a status follows from the time. */
export function listSubscriptions(
  queries: Queries,
  filter: {
    organizationId: string;
    status: SubscriptionStatus | undefined;
    paymentMethodId: string | undefined;
    now: Date;
    page: number;
    pageSize: number;
    most: number;
  },
): Promise<{ count: number; rows: SubscriptionRow[] }> {
  const { organizationId, status, paymentMethodId, now, page, pageSize, most } = filter;
  const { table, from, statuses, all } = subscriptionsByStatus(organizationId, now, paymentMethodId);
  if (status !== undefined || paymentMethodId !== undefined) {
    const parts = status === undefined ? [all] : statuses[status];
    return pageOfKeys(queries, { table, from, parts, most, page, pageSize });
  }
  return newestPage(queries, {
    table,
    list: 'subscription',
    owner: organizationId,
    from,
    kind: sql`true`,
    page,
    pageSize,
  });
}

import type { SubscriptionStatus } from '@cobro/contracts/subscriptions.ts';
import { ifAsked, type Queries, type Sql, sql, type Tx } from '@cobro/postgres/database.ts';
import { type SubscriptionRow, subscriptionTable } from './subscription.row.ts';
import type { Announced, News } from './subscription-news.rules.ts';
import { NOT_COUNTED } from './subscription.rules.ts';
import { subscriptionsAt } from './subscription.store.ts';

const columns = subscriptionTable.list;

export type ChangedSubscription = SubscriptionRow & { said: Announced; paid: number[] };

/** Whether the period's charge counted for no status, because the period was skipped or over. */
const isLate = sql`exists (
  select from bank_operation as operation
  where operation.subject_id = payment.id and operation.status = 'approved' and operation.note = ${NOT_COUNTED})`;
/** Whether the subscription was PAST_DUE for this period, and no longer is. */
const changesStatus = sql`(period_number = subscription.announced_past_due and not subscription.is_past_due)`;

/** Locks subscriptions that have changed since the last look, with the periods whose charge is to be published. */
export const lockChanged = (tx: Tx, now: Date, most: number) =>
  tx.many<ChangedSubscription>(sql`
    with changed as materialized (
      select id as changed_id, json_build_object(
        'created', announced_created, 'paid', announced_paid, 'pastDue', announced_past_due, 'end', announced_end) as said
      from subscription where announced_version <> version and is_listed
      order by updated_at limit ${most} for no key update skip locked)
    select ${columns}, said, array(
      select distinct period_number from payment
      where payment.subscription_id = changed_id and period_number > subscription.announced_paid
        and payment.status in ('CONFIRMED', 'REFUNDED') and (${changesStatus} or not ${isLate})
      order by period_number) as paid
    from ${subscriptionsAt(now)} join changed on changed_id = subscription.id`);

/** What was published of a subscription, and when that happened. */
export interface Published extends News {
  subscriptionId: string;
  at: Date;
}

/** Keeps each change once, so that it can be published again. */
export function notePublished(tx: Tx, all: readonly Published[]): void {
  if (all.length === 0) return;
  tx.send(sql`
    insert into announced_subscription_change (subscription_id, change, period_number, happened_at)
    select * from unnest(
      ${all.map(({ subscriptionId }) => subscriptionId)}::uuid[], ${all.map(({ change }) => change)}::text[],
      ${all.map(({ periodNumber }) => periodNumber ?? 0)}::int[], ${all.map(({ at }) => at)}::timestamptz[])
    on conflict do nothing`);
}

export type PublishedSubscription = SubscriptionRow & { published: (News & { at: string })[] };

/** Orders the changes that one look found, as newsOf does. */
const rank = sql`case change when 'created' then 1 when 'renewing' then 2 when 'renewed' then 3 when 'recovered' then 3
    when 'past_due' then 4 else 5 end`;

const publishedOf = (which: Sql, now: Date): Sql => sql`
  select ${columns}, published from (
    select subscription_id, json_agg(json_build_object(
      'change', change, 'periodNumber', nullif(period_number, 0), 'at', happened_at)
      order by happened_at, ${rank}, period_number) as published
    from announced_subscription_change where ${which}) as said join ${subscriptionsAt(now)} on subscription.id = subscription_id
  order by subscription.id`;

/** Subscriptions whose changes were published, by id after this one. */
export const findPublishedAfter = (queries: Queries, after: string, limit: number, now: Date) =>
  queries.many<PublishedSubscription>(
    publishedOf(sql`subscription_id > ${after} group by subscription_id order by subscription_id limit ${limit}`, now),
  );
export const findPublished = (queries: Queries, ids: readonly string[], now: Date) =>
  queries.many<PublishedSubscription>(
    publishedOf(sql`subscription_id = any(${ids}::uuid[]) group by subscription_id`, now),
  );

/** A change of these columns is no change of the subscription, so its version stays. */
export const noteAnnounced = (
  tx: Tx,
  rows: readonly (Pick<SubscriptionRow, 'id' | 'version'> & { said: Announced })[],
): void =>
  tx.send(sql`
    update subscription set announced_version = one.version, announced_created = one.created,
      announced_paid = one.paid, announced_past_due = one.past_due, announced_end = one.ended
    from unnest(
      ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ version }) => version)}::int[],
      ${rows.map(({ said }) => said.created)}::boolean[], ${rows.map(({ said }) => said.paid)}::int[],
      ${rows.map(({ said }) => said.pastDue)}::int[], ${rows.map(({ said }) => said.end)}::boolean[]
    ) as one (id, version, created, paid, past_due, ended)
    where subscription.id = one.id`);

/** Locks subscriptions that wake between these times and were not yet looked at for that. */
export const lockWaking = (tx: Tx, { now, until }: { now: Date; until: Date }, most: number) =>
  tx.many<SubscriptionRow & { announcedRenewing: number }>(sql`
    with waking as materialized (
      select id as waking_id from subscription
      where wake_at > ${now} and wake_at <= ${until} and ended_at is null and is_started
        and announced_wake is distinct from wake_at
      order by wake_at limit ${most} for no key update skip locked)
    select ${columns}, announced_renewing as "announcedRenewing"
    from ${subscriptionsAt(now)} join waking on waking_id = subscription.id`);

export const noteRenewing = (tx: Tx, ids: readonly string[], numbers: readonly number[]): void =>
  tx.send(sql`
    update subscription set announced_wake = wake_at, announced_renewing = one.number
    from unnest(${ids}::uuid[], ${numbers}::int[]) as one (id, number)
    where subscription.id = one.id`);

/** It has been due for this many milliseconds. */
const isOverdue = (now: Date, ms: number): Sql => {
  const before = new Date(now.getTime() - ms);
  return sql`
    wake_at < ${before} and (wake_at > '-infinity' or updated_at < ${before}) and ended_at is null and is_started`;
};
/** It has waited for its acquirer for this many milliseconds. */
const isWaiting = (ms: number): Sql => sql`
  waits_for is not null and waits_since < clock_timestamp() - ${ms} * interval '1 millisecond' and ended_at is null and is_started`;

/** Counts those that are late by this many milliseconds, up to `most`. */
export const countLate = async (queries: Queries, now: Date, ms: number, most: number): Promise<number> =>
  (
    await queries.one<{ late: number }>(sql`
      select count(*)::int as late from (
        (select id from subscription where ${isOverdue(now, ms)} limit ${most})
        union
        (select id from subscription where ${isWaiting(ms)} limit ${most})
        limit ${most}) as one`)
  ).late;

/** Lists subscriptions of any organization: late ones longest first, others newest first. */
export const listForOperators = (
  queries: Queries,
  asked: { organizationId: string | undefined; status: SubscriptionStatus | undefined; isLate: boolean },
  now: Date,
  most: number,
) =>
  queries.many<SubscriptionRow>(sql`
    select ${columns} from ${subscriptionsAt(now)}
    where is_listed and ${ifAsked(asked.organizationId, sql`organization_id = ${asked.organizationId}`)}
      and ${ifAsked(asked.status, sql`status = ${asked.status}`)} and ${asked.isLate ? sql`(${isOverdue(now, 0)} or ${isWaiting(0)})` : sql`true`}
    order by ${asked.isLate ? sql`least(wake_at, waits_since)` : sql`created_at desc, id desc`} limit ${most}`);

/** Makes the job look at it at once. */
export const wakeNow = (queries: Queries, id: string) =>
  queries.run(sql`
    update subscription set wake_at = '-infinity', waits_for = null, waits_since = null, try_at = clock_timestamp()
    where id = ${id} and ended_at is null`);

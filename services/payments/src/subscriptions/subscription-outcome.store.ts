import { type Sql, sql } from '@cobro/postgres/database.ts';
import { waking } from './subscription.store.ts';

/** A charge that has ended. Each statement on its subscription ends in its `where` clause. */
export interface EndedCharge {
  /** The subscription. */
  id: string;
  number: number;
  /** The card that was charged. */
  paymentMethodId: string | null;
  acquirer: string;
  /** Whether it counts for the status, so that a decline is retried. */
  counts: boolean;
  now: Date;
}

/** Whether it charged the latest period that was tried. An older one changes no status. */
const isLatest = ({ number }: EndedCharge) => sql`latest_number = ${number}`;

/** Whether its card was replaced meanwhile. */
const isReplaced = ({ paymentMethodId }: EndedCharge) =>
  sql`payment_method_id is distinct from ${paymentMethodId}::uuid`;

/** When the clock gives up after an attempt without money: at the last retry after a hard decline, else at the period's end. */
const givingUpAt = (isHard: Sql, triesAgain: Sql, now: Date): Sql => sql`case
    when ${triesAgain} then period_ends_at
    when attempted_at >= retries_end_at then least(attempted_at, ${now})
    when ${isHard} then retries_end_at
    else period_ends_at end`;

/** A payment of the period was approved. */
export const notingPaid = (charge: EndedCharge): Sql => sql`
  update subscription set is_started = true,
    is_past_due = is_past_due and not ${isLatest(charge)}, is_hard = is_hard and not ${isLatest(charge)},
    tries_again = tries_again and not ${isLatest(charge)},
    gives_up_at = case when ${isLatest(charge)} then null else gives_up_at end,
    last_decline_code = case when ${isLatest(charge)} then null else last_decline_code end,
    updated_at = ${charge.now}, ${waking}
  where id = ${charge.id}`;

/**
 * The charge was declined. A hard decline of any period counts only for its own card: a card that has replaced it meanwhile is
 * tried at once.
 */
export const notingDeclined = (
  charge: EndedCharge,
  { declineCode, isHard }: { declineCode: string | null; isHard: boolean },
): Sql => {
  const { id, now } = charge;
  const willBeHard = sql`(is_hard or (${isHard}::boolean and not ${isReplaced(charge)}))`;
  const willTryAgain = sql`(${isReplaced(charge)} and paused_at is null)`;
  return sql`
    update subscription set ${endingUnstarted(now)},
      is_past_due = is_past_due or (is_started and ${isCounted(charge)}),
      is_hard = ${willBeHard},
      tries_again = case when ${isOpen(charge)} then ${willTryAgain} else tries_again end,
      gives_up_at = case
        when is_started and ${isCounted(charge)} then ${givingUpAt(willBeHard, willTryAgain, now)}
        when ${willBeHard} and gives_up_at is not null then least(gives_up_at, greatest(retries_end_at, ${now}))
        else gives_up_at end,
      last_decline_code = case when ${isOpen(charge)} then ${declineCode}::text else last_decline_code end,
      updated_at = ${now}, ${waking}
    where id = ${id}`;
};

const endingUnstarted = (now: Date): Sql => sql`
  end_reason = case when is_started or ended_at is not null then end_reason else 'FIRST_CHARGE_FAILED' end,
  ended_at = case when is_started or ended_at is not null then ended_at else ${now}::timestamptz end`;

/** The bank had never seen the charge. A renewal is tried again after a growing pause, and uses up no retry. */
export const notingNotProcessed = (charge: EndedCharge): Sql => sql`
  update subscription set ${endingUnstarted(charge.now)}, ${tryingAgainAfter(charge, growingPause(charge))}
  where id = ${charge.id}`;

/**
 * The acquirer could not be reached, or has closed the key and asks for the charge again: it is retried after a pause, once the
 * acquirer answers. If a first charge was not sent, its subscription is unlisted and its externalId is free, unless its merchant,
 * who was shown it, has cancelled it meanwhile.
 */
export const notingNotSent = (charge: EndedCharge, isKeyClosed: boolean): Sql => sql`
  update subscription set is_listed = ${isKept}, external_id = case when ${isKept} then external_id end,
    ${tryingAgainAfter(charge, isKeyClosed ? growingPause(charge) : NOT_SENT_PAUSE)}
  where id = ${charge.id}`;

/** Real time. */
const NOT_SENT_PAUSE = sql`interval '1 minute'`;

/**
 * A minute, doubled after each charge of the period that its acquirer did not carry out, up to an hour. The settling statement sees
 * the period's payments as they were before it.
 */
const growingPause = ({ id, number }: EndedCharge): Sql => sql`(
  select least(60, power(2, least(6, coalesce(sum(closed_keys), 0) + count(*) filter (where decline_code = 'not_processed'))))
    * interval '1 minute'
  from payment where subscription_id = ${id} and period_number = ${number})`;

/**
 * The subscription waits for its acquirer, so that what is due comes first; a card that was set meanwhile is tried at once. After a
 * charge that is not retried, the job looks at the subscription as soon as `try_at` allows.
 */
const tryingAgainAfter = (charge: EndedCharge, pause: Sql): Sql => sql`
  tries_again = tries_again or ${isCounted(charge)},
  gives_up_at = case when is_past_due and ${isCounted(charge)} then ${givingUpAt(sql`is_hard`, sql`true`, charge.now)}
    else gives_up_at end,
  try_at = case when ${isReplaced(charge)} then clock_timestamp() when ${waits(charge)} then clock_timestamp() + ${pause}
    else try_at end,
  waits_for = case when ${waits(charge)} then ${charge.acquirer}::text end,
  waits_since = case when not ${isReplaced(charge)} then coalesce(waits_since, clock_timestamp()) end,
  wake_at = case when ${waits(charge)} then ${laterByClock} else '-infinity' end,
  updated_at = ${charge.now}, version = version + 1`;

/** The same rule as putOffUntil. */
const laterByClock = sql`least(period_ends_at, cancels_at, completes_at, gives_up_at)`;

const isKept = sql`(is_started or ended_at is not null)`;

/** Whether it counts for the status. It does not if its period was skipped while the outcome was unknown. */
const isCounted = (charge: EndedCharge) => sql`(${charge.counts}::boolean and ${isOpen(charge)})`;

/** Whether it charged the latest period that was tried, and no pause has skipped that. */
const isOpen = (charge: EndedCharge) => sql`(${isLatest(charge)} and latest_number >= charges_from)`;

/** Whether the subscription waits for the charged card's acquirer, because the charge will be tried again. */
const waits = (charge: EndedCharge) =>
  sql`((${isCounted(charge)} or (tries_again and ${isLatest(charge)})) and not ${isReplaced(charge)})`;

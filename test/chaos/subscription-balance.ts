import { type Database, sql } from '@cobro/postgres/database.ts';
import { until } from '@cobro/testing/until.ts';
import type { Stack } from '../../dev/stack/stack.ts';
import { approvedCharges, chargedOftener } from './charges.ts';
import type { Client } from './client.ts';
import { beginnings, type Floor, nowOf } from './shop.ts';
import { read, readPeriods } from './subscription-sessions.ts';

/** The longest pause before a renewal is retried, and how long a process keeps a subscription to itself. */
const [LONGEST_PAUSE, KEPT_FOR] = [sql`interval '1 hour'`, sql`interval '30 seconds'`];

/**
 * Waits until the clock has done all due work on subscriptions; returns those it has not done in time. The faults are over, so pauses
 * after what was not sent or not carried out are cut short.
 */
export async function untilTended(payments: Database, floor: Floor, ms: number): Promise<string[]> {
  const late = await payments.many<{ id: string }>(sql`
    select id from subscription where ended_at is null and is_started and try_at > clock_timestamp() + ${LONGEST_PAUSE}`);
  let left: { id: string }[] = [];
  const look = async () => {
    await payments.run(sql`
      update subscription set try_at = clock_timestamp()
      where waits_for is not null and try_at > clock_timestamp() + ${KEPT_FOR} and ended_at is null and is_started`);
    left = await payments.many<{ id: string }>(sql`
      select id from subscription
      where ended_at is null and is_started and (waits_for is not null or wake_at <= ${new Date(nowOf(floor))} or exists (
        select from payment where subscription_id = subscription.id and payment.status = 'PENDING'))`);
    return left.length === 0;
  };
  await until('every subscription has been looked after', look, ms).catch(() => {});
  return [
    ...late.map(({ id }) => `subscription ${id} waits for longer than an hour`),
    ...left.map(({ id }) => `nobody looks after subscription ${id}`),
  ];
}

/** By the acquirers' books, no period was charged twice. */
export async function periodsChargedTwice(payments: Database, stack: Stack): Promise<string[]> {
  const named = await payments.many<{ operation: string; key: string }>(sql`
    select operation.id as operation, subscription_id || ', period ' || period_number as key
    from bank_operation as operation join payment on payment.id = subject_id
    where subscription_id is not null`);
  const charges = await approvedCharges(stack);
  return chargedOftener(charges, named).map(([period, times]) => `subscription ${period} was charged ${times} times`);
}

/** In microseconds. A dead process keeps a subscription for half a minute, and one that did not reach the bank waits a minute. */
const CHARGED_WITHIN = 100_000_000;

/** Reads every subscription once more. Returns periods that have begun without any attempt to charge them. */
export async function leftOut(floor: Floor, client: Client): Promise<string[]> {
  const found: string[] = [];
  for (const one of floor.subscriptions) {
    const { status } = (await read(one, client)).body;
    const periods = await readPeriods(one, client);
    if (!one.isCalm || (status !== 'ACTIVE' && status !== 'PAST_DUE')) continue;
    const begun = beginnings(floor, one.part.part);
    for (const { number, status: its, declines } of periods) {
      const isUntried = its === 'SKIPPED' || (its === 'OPEN' && declines === 0);
      const [from, to] = [begun[number - 1]?.to ?? 0, begun[number]?.from];
      if (isUntried && (to === undefined || to - from > CHARGED_WITHIN))
        found.push(`period ${number} of ${one.part.part} (${one.id}) is ${its}, and nobody tried to charge it`);
    }
  }
  return found;
}

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { newestOf } from '@cobro/frame/developer-list.ts';
import { type Database, sql } from '@cobro/postgres/database.ts';
import type { SubscriptionRow } from './subscription.row.ts';
import { endByClock, showSubscription } from './subscription.rules.ts';
import { findAnySubscription, listSubscriptions, subscriptionsByStatus, takeDue } from './subscription.store.ts';
import { notingDeclined, notingNotSent } from './subscription-outcome.store.ts';
import { day, type StoredSubscriptions, storedSubscriptions } from './subscriptions-under-test.ts';

let stored: StoredSubscriptions;
let db: Database;
let organizationId: string;
let paymentMethodId: string;
beforeAll(async () => {
  stored = await storedSubscriptions();
  ({ db, organizationId, paymentMethodId } = stored);
});
afterAll(() => stored.close());

const now = day(15);

describe('a decline', () => {
  const hard = { declineCode: 'stolen_card', isHard: true };
  const soft = { declineCode: 'do_not_honor', isHard: false };
  type Charge = Partial<{ number: number; paymentMethodId: string; counts: boolean }>;
  const isOpen = { isPastDue: true, isHard: false, triesAgain: false, givesUpAt: day(31) };

  test.each<[string, typeof hard, Charge, Date | undefined, Partial<SubscriptionRow>]>([
    ['soft', soft, {}, undefined, isOpen],
    ['hard', hard, {}, undefined, { ...isOpen, isHard: true, givesUpAt: day(14) }],
    [
      'hard, of a card that was replaced meanwhile',
      hard,
      { paymentMethodId: newId() },
      undefined,
      { ...isOpen, triesAgain: true },
    ],
    ['soft, without a retry left', soft, { counts: false }, undefined, { ...isOpen, givesUpAt: null }],
    ['hard, without a retry left', hard, { counts: false }, undefined, { ...isOpen, isHard: true, givesUpAt: null }],
    ['soft, of an older period', soft, { number: 0 }, day(31), isOpen],
    ['hard, of an older period', hard, { number: 0 }, day(31), { ...isOpen, isHard: true, givesUpAt: day(14) }],
    ['hard, of an older period and card', hard, { number: 0, paymentMethodId: newId() }, day(31), isOpen],
  ])('%s', async (_, decline, charge, gives, like) => {
    const id = await stored.given({ ...(gives && { gives }) }, true);
    const ended = { id, number: 1, paymentMethodId, acquirer: 'default', counts: true, now: day(10), ...charge };
    await db.run(notingDeclined(ended, decline));
    expect(await findAnySubscription(db, id, day(10))).toMatchObject(like);
    await db.run(sql`delete from subscription where id = ${id}`);
  });
});

test.each<[string, boolean, Partial<SubscriptionRow>]>([
  ['of one that was good ends nothing', false, { status: 'ACTIVE', givesUpAt: null, lastDeclineCode: null }],
  ['of one that is past due leaves it so', true, { status: 'PAST_DUE', givesUpAt: null, lastDeclineCode: null }],
])('a decline that is learned when a pause has left its period out, %s', async (_, pastDue, like) => {
  const id = await stored.given({}, pastDue);
  await db.run(sql`update subscription set charges_from = 3, attempted_at = ${day(39)} where id = ${id}`);
  const charge = { id, number: 1, paymentMethodId, acquirer: 'default', counts: true, now: day(40) };
  await db.run(notingDeclined(charge, { declineCode: 'do_not_honor', isHard: false }));
  const row = await findAnySubscription(db, id, day(40));
  expect(row).toMatchObject(like);
  const next = { currentPeriod: { number: 2, status: 'SKIPPED' }, nextBillingAt: '2027-03-01T14:00:00.000Z' };
  expect(showSubscription(row as SubscriptionRow, day(40))).toMatchObject({
    ...next,
    nextRetryAt: null,
    endedAt: null,
  });
  await db.run(notingNotSent(charge, false));
  expect(await findAnySubscription(db, id, day(40))).toMatchObject({ ...like, waitsFor: null, triesAgain: false });
  await db.run(sql`delete from subscription where id = ${id}`);
});

/** The status by endByClock, of a subscription that was not written down as ended. */
function statusOf(row: SubscriptionRow): string {
  const ended = endByClock(row, now);
  if (ended !== undefined) return ended.endReason === 'COMPLETED' ? 'COMPLETED' : 'CANCELLED';
  if (row.pausedAt !== null) return 'PAUSED';
  return row.isPastDue ? 'PAST_DUE' : 'ACTIVE';
}

test.each([
  ['vanishes', null, { isListed: false, externalId: null }],
  ['stays where it was cancelled meanwhile', day(9), { isListed: true, externalId: 'contract 7' }],
])('a subscription whose first charge was not sent %s', async (_, endedAt, like) => {
  const id = await stored.given({}, false);
  await db.run(sql`
    update subscription set is_started = false, ended_at = ${endedAt}, end_reason = ${endedAt && 'MERCHANT'},
      external_id = 'contract 7' where id = ${id}`);
  await db.run(
    notingNotSent({ id, number: 1, paymentMethodId, acquirer: 'default', counts: true, now: day(10) }, false),
  );
  expect(await findAnySubscription(db, id, day(10))).toMatchObject(like);
  await db.run(sql`delete from subscription where id = ${id}`);
});

test.each<[string, boolean, Partial<SubscriptionRow>]>([
  ['waits for its acquirer', false, { waitsFor: 'default', triesAgain: true }],
  ['whose card was replaced meanwhile is tried at once', true, { waitsFor: null, triesAgain: true }],
])('a charge that was not sent %s', async (_, isReplaced, like) => {
  const id = await stored.given({}, true);
  const charged = isReplaced ? newId() : paymentMethodId;
  const acquirer = 'default';
  await db.run(notingNotSent({ id, number: 1, paymentMethodId: charged, acquirer, counts: true, now: day(10) }, false));
  expect(await findAnySubscription(db, id, day(10))).toMatchObject(like);
  expect(await takeDue(db, { now: day(10), present: [acquirer] }, 1)).toHaveLength(isReplaced ? 1 : 0);
  await db.run(sql`delete from subscription where id = ${id}`);
});

test('a list of the cancelled reads none that is paused, however long ago its retries have passed', async () => {
  await stored.copy(await stored.given({ completes: day(100) }, false), 100);
  await stored.copy(await stored.given({ gives: day(14), paused: day(5) }, true), 3_000);
  const { CANCELLED } = subscriptionsByStatus(organizationId, now).statuses;
  expect(await stored.rowsOf((queries) => queries.many(newestOf(CANCELLED, sql`true`, 10)))).toBe(0);
  await db.run(sql`delete from subscription`);
});

test('the status that lists filter by is what the clock’s rule says, whatever has come and in whichever order', async () => {
  const times = [undefined, day(10), day(14), day(15), day(20)];
  for (const gives of times)
    for (const cancels of times)
      for (const completes of times)
        for (const paused of [undefined, day(5)]) {
          const known = { ...(gives && { gives }), ...(cancels && { cancels }), ...(completes && { completes }) };
          await stored.given({ ...known, ...(paused && { paused }) }, gives !== undefined);
        }
  const page = { organizationId, paymentMethodId: undefined, now, page: 1, pageSize: 500, most: 1_000 };
  const all = await listSubscriptions(db, { ...page, status: undefined });
  expect(all.count).toBe(250);
  expect(all.rows.filter((row) => row.status !== statusOf(row))).toEqual([]);
  for (const status of ['ACTIVE', 'PAST_DUE', 'PAUSED', 'CANCELLED', 'COMPLETED'] as const) {
    const { count, rows } = await listSubscriptions(db, { ...page, status });
    expect(count).toBe(all.rows.filter((row) => row.status === status).length);
    expect(new Set(rows.map((row) => row.status))).toEqual(new Set([status]));
    const ofCard = await listSubscriptions(db, { ...page, paymentMethodId, status });
    expect([ofCard.count, ofCard.rows.map(({ id }) => id)]).toEqual([count, rows.map(({ id }) => id)]);
    expect(await listSubscriptions(db, { ...page, status, most: 2 })).toMatchObject({ count: Math.min(2, count) });
    expect(await listSubscriptions(db, { ...page, status, paymentMethodId: newId() })).toEqual({ count: 0, rows: [] });
  }
  const { statuses } = subscriptionsByStatus(organizationId, now);
  const found = await db.many<{ id: string }>(newestOf(Object.values(statuses).flat(), sql`true`, 1_000));
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  expect(found).toHaveLength(all.count);
});

test('of what is due each replica takes other subscriptions, and nobody takes them again within the lease', async () => {
  const ids: string[] = [];
  for (let found = 1; found > 0;) {
    const taken = await Promise.all(Array.from({ length: 8 }, () => takeDue(db, { now, present: [] }, 25)));
    found = taken.flat().length;
    ids.push(...taken.flat().map(({ id }) => id));
  }
  expect(ids).toHaveLength(250);
  expect(new Set(ids).size).toBe(250);
});

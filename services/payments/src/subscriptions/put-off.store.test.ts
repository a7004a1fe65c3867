import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { type Database, sql } from '@cobro/postgres/database.ts';
import type { SubscriptionRow } from './subscription.row.ts';
import { putOffUntil } from './subscription.rules.ts';
import { changeSubscription, findAnySubscription, putOff, takeDue, trying, wakeWaiting } from './subscription.store.ts';
import { countLate, listForOperators } from './subscription-news.store.ts';
import { notingNotProcessed, notingNotSent, notingPaid } from './subscription-outcome.store.ts';
import { day, type StoredSubscriptions, storedSubscriptions } from './subscriptions-under-test.ts';

let stored: StoredSubscriptions;
let db: Database;
beforeAll(async () => {
  stored = await storedSubscriptions();
  ({ db } = stored);
});
afterAll(() => stored.close());

const now = day(15);

const putOffNow = async (id: string, acquirer = 'away') => {
  const row = (await findAnySubscription(db, id, now)) as SubscriptionRow;
  await putOff(db, row, { acquirer, until: putOffUntil(row, now) });
  return row;
};
/** This many subscriptions that are due now. */
const many = async (count: number, waitsFor: string | null) => {
  const id = await stored.given({}, false);
  if (waitsFor !== null) await putOffNow(id, waitsFor);
  await stored.copy(id, count - 1);
};
beforeEach(() => db.run(sql`delete from subscription`));

test.each([
  ['it is away', ['default']],
  ['it is back', ['default', 'away']],
])('a look reads no more, however many are put off, %s', async (_, present) => {
  const read: number[] = [];
  for (const count of [30, 6_000]) {
    await db.run(sql`delete from subscription`);
    await many(count, 'away');
    await many(3, null);
    read.push(await stored.rowsOf((queries) => takeDue(queries, { now, present }, 10)));
  }
  const [few = 0, most = 0] = read;
  expect(few).toBeGreaterThan(3);
  expect(most).toBeLessThanOrEqual(few);
  expect(most).toBeLessThan(300);
});

test('what is due comes first, then what waits for those that are back, and nobody takes it again within the lease', async () => {
  await many(30, 'away');
  await many(5, 'gone');
  await many(3, null);
  expect(await takeDue(db, { now, present: ['default'] }, 10)).toHaveLength(3);
  const taken = await Promise.all([1, 2, 3, 4].map(() => takeDue(db, { now, present: ['default', 'away'] }, 10)));
  const ids = taken.flat().map(({ id }) => id);
  expect(ids).toHaveLength(30);
  expect(new Set(ids).size).toBe(30);
  expect(await takeDue(db, { now, present: ['default', 'away'] }, 10)).toEqual([]);
});

test('one that the clock ends, or whose period is over, is looked at although it waits', async () => {
  await putOffNow(await stored.given({ cancels: day(20) }, false));
  const [monthly, ending] = [
    { now: day(33), present: [] },
    { now: day(20), present: [] },
  ];
  await putOffNow(await stored.given({}, false));
  expect(await takeDue(db, { now, present: [] }, 10)).toHaveLength(0);
  expect(await takeDue(db, ending, 10)).toHaveLength(1);
  expect(await takeDue(db, monthly, 10)).toHaveLength(1);
});

test('one whose card can no longer be charged is looked at although it waits', async () => {
  const id = await stored.given({}, false);
  await putOffNow(id);
  await db.inTransaction(async (tx) => wakeWaiting(tx, [newId()]));
  expect(await takeDue(db, { now, present: [] }, 10)).toEqual([]);
  await db.inTransaction(async (tx) => wakeWaiting(tx, [stored.paymentMethodId]));
  expect(await takeDue(db, { now, present: [] }, 10)).toEqual([{ id }]);
});

test('one that has changed since it was read is not put off', async () => {
  const id = await stored.given({}, false);
  const row = (await findAnySubscription(db, id, now)) as SubscriptionRow;
  await changeSubscription(db, row, { amount: 200n }, now);
  await putOff(db, row, { acquirer: 'away', until: putOffUntil(row, now) });
  expect(await findAnySubscription(db, id, now)).toMatchObject({ waitsFor: null });
  expect(await takeDue(db, { now, present: [] }, 10)).toEqual([{ id }]);
});

test('it counts as late from the moment on that it was put off, however often it is tried', async () => {
  const other = await stored.given({}, false);
  await putOffNow(other);
  const id = await stored.given({}, false);
  await putOffNow(id, 'gone');
  await db.run(
    sql`update subscription set waits_since = clock_timestamp() - interval '11 minutes' where waits_for = 'gone'`,
  );
  // Claimed three times: not sent, not processed, key closed.
  const tried = { latestNumber: 1, attemptedAt: now, retriesEndAt: day(14), periodEndsAt: day(31) };
  const charge = { id, number: 1, paymentMethodId: stored.paymentMethodId, acquirer: 'gone', counts: true, now };
  for (const noted of [notingNotSent(charge, false), notingNotProcessed(charge), notingNotSent(charge, true)]) {
    await db.run(trying((await findAnySubscription(db, id, now)) as SubscriptionRow, tried));
    await db.run(noted);
  }
  expect(await countLate(db, now, 600_000, 10)).toBe(1);
  expect(await countLate(db, now, 0, 10)).toBe(2);
  expect(await countLate(db, now, 0, 1)).toBe(1);
  const asked = { organizationId: undefined, status: undefined, isLate: true };
  expect((await listForOperators(db, asked, now, 10)).map((row) => row.id)).toEqual([id, other]);
  await db.run(notingPaid(charge));
  expect(await countLate(db, now, 600_000, 10)).toBe(0);
  await putOffNow(id, 'gone');
  expect(await countLate(db, now, 600_000, 10)).toBe(0);
});

test('one that its acquirer does not carry out is late although each try writes its row, and comes after what is due', async () => {
  const id = await stored.given({}, false);
  const due = await stored.given({}, false);
  const tried = { latestNumber: 1, attemptedAt: now, retriesEndAt: day(14), periodEndsAt: day(31) };
  const charge = { id, number: 1, paymentMethodId: stored.paymentMethodId, acquirer: 'default', counts: true, now };
  for (let tries = 1; tries <= 2; tries++) {
    await db.run(trying((await findAnySubscription(db, id, now)) as SubscriptionRow, tried));
    await db.run(notingNotProcessed(charge));
    await db.run(sql`
      update subscription set waits_since = waits_since - interval '6 minutes', try_at = clock_timestamp() where id = ${id}`);
  }
  await db.run(sql`update subscription set wake_at = ${now} where id = ${due}`);
  expect(await countLate(db, now, 600_000, 10)).toBe(1);
  expect(await takeDue(db, { now, present: ['default'] }, 1)).toEqual([{ id: due }]);
  expect(await takeDue(db, { now, present: ['default'] }, 1)).toEqual([{ id }]);
});

test('a charge by hand of an older period that is not carried out leaves the pause of the latest as it is', async () => {
  const id = await stored.given({}, false);
  const tried = { latestNumber: 1, attemptedAt: now, retriesEndAt: day(14), periodEndsAt: day(31) };
  const charge = { id, number: 1, paymentMethodId: stored.paymentMethodId, acquirer: 'default', counts: true, now };
  await db.run(trying((await findAnySubscription(db, id, now)) as SubscriptionRow, tried));
  await db.run(notingNotProcessed(charge));
  for (const noted of [notingNotProcessed, (one: typeof charge) => notingNotSent(one, true)]) {
    await db.run(noted({ ...charge, number: 0, counts: false }));
    expect(await takeDue(db, { now, present: ['default'] }, 1)).toEqual([]);
  }
  await db.run(sql`update subscription set try_at = clock_timestamp() where id = ${id}`);
  expect(await takeDue(db, { now, present: ['default'] }, 1)).toEqual([{ id }]);
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { newestOf } from '@cobro/frame/developer-list.ts';
import { type Database, openPatiently, type Queries, type Sql, sql } from '@cobro/postgres/database.ts';
import { withClient } from '@cobro/postgres/with-client.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import type { SubscriptionRow } from './subscription.row.ts';
import { endByClock, putOffUntil } from './subscription.rules.ts';
import {
  changeSubscription,
  findAnySubscription,
  insertSubscription,
  listSubscriptions,
  putOff,
  subscriptionsByStatus,
  takeDue,
} from './subscription.store.ts';
import { countLate } from './subscription-news.store.ts';
import { notingDeclined, notingNotSent } from './subscription-outcome.store.ts';

let database: TestDatabase;
let db: Database;
const organizationId = newId();
const paymentMethodId = newId();
beforeAll(async () => {
  database = await testDatabase('payments');
  db = openPatiently({ url: database.url, schema: 'payments' });
  await db.run(sql`
    insert into payment_method (id, organization_id, status, fingerprint, last_four_digits, network, funding_source, issuing_bank,
      expiration_month, expiration_year, created_at)
    values (${paymentMethodId}, ${organizationId}, 'ACTIVE', '', '4242', 'VISA', 'CREDIT', 'BBVA', 12, 2032, now())`);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const day = (n: number) => new Date(Date.UTC(2027, 0, n));
const now = day(15);

async function given(known: Partial<Record<'gives' | 'cancels' | 'completes' | 'paused', Date>>, pastDue: boolean) {
  const made = await insertSubscription(db, {
    id: newId(),
    organizationId,
    externalId: null,
    requestDigest: Buffer.alloc(32),
    paymentMethodId,
    productId: null,
    description: null,
    amount: 100n,
    currency: 'MXN',
    periodicity: 'MONTHLY',
    firstBillingDate: '2027-01-01',
    totalPeriods: null,
    completesAt: known.completes ?? null,
    isStarted: true,
    latestNumber: 1,
    attemptedAt: day(1),
    retriesEndAt: day(14),
    periodEndsAt: day(31),
    wakeAt: day(1),
    createdAt: day(1),
    updatedAt: day(1),
  });
  await db.run(sql`
    update subscription set gives_up_at = ${known.gives ?? null}, cancels_at = ${known.cancels ?? null},
      paused_at = ${known.paused ?? null}, is_past_due = ${pastDue} where id = ${made?.id}`);
  return made?.id ?? '';
}

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
    const id = await given({ ...(gives && { gives }) }, true);
    const ended = { id, number: 1, paymentMethodId, acquirer: 'default', counts: true, now: day(10), ...charge };
    await db.run(notingDeclined(ended, decline));
    expect(await findAnySubscription(db, id, day(10))).toMatchObject(like);
    await db.run(sql`delete from subscription where id = ${id}`);
  });
});

/** As the clock's rule says it, for what has not been written down as ended. */
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
  const id = await given({}, false);
  await db.run(sql`
    update subscription set is_started = false, ended_at = ${endedAt}, end_reason = ${endedAt && 'MERCHANT'},
      external_id = 'contract 7' where id = ${id}`);
  await db.run(notingNotSent({ id, number: 1, paymentMethodId, acquirer: 'default', counts: true, now: day(10) }));
  expect(await findAnySubscription(db, id, day(10))).toMatchObject(like);
  await db.run(sql`delete from subscription where id = ${id}`);
});

test('the status that lists filter by is what the clock’s rule says, whatever has come and in whichever order', async () => {
  const times = [undefined, day(10), day(14), day(15), day(20)];
  for (const gives of times)
    for (const cancels of times)
      for (const completes of times)
        for (const paused of [undefined, day(5)]) {
          const known = { ...(gives && { gives }), ...(cancels && { cancels }), ...(completes && { completes }) };
          await given({ ...known, ...(paused && { paused }) }, gives !== undefined);
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

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

const rowsRead = ({ 'Rows Removed by Filter': removed = 0, Plans = [], ...node }: PlanNode): number =>
  (node['Actual Rows'] + removed) * node['Actual Loops'] + Plans.reduce((sum, one) => sum + rowsRead(one), 0);

/** How many rows the steps of this statement have read and handed on, all together. */
async function rowsOf(work: (queries: Queries) => Promise<unknown>): Promise<number> {
  let rows = 0;
  const many = async (statement: Sql) => {
    const [plan] = await db.many<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      sql`explain (analyze, format json) ${statement}`,
    );
    rows = rowsRead(plan?.['QUERY PLAN'][0]?.Plan as PlanNode);
    return [];
  };
  await work({ ...db, many });
  return rows;
}

describe('while an acquirer is away', () => {
  const putOffNow = async (id: string, acquirer = 'away') => {
    const row = (await findAnySubscription(db, id, now)) as SubscriptionRow;
    await putOff(db, row, { acquirer, until: putOffUntil(row, now) });
    return row;
  };
  /** Due now, and this many that are like it. */
  const many = async (count: number, waitsFor: string | null) => {
    const id = await given({}, false);
    if (waitsFor !== null) await putOffNow(id, waitsFor);
    await db.run(sql`
      insert into subscription (id, organization_id, request_digest, payment_method_id, amount, currency, periodicity, first_billing_date,
        is_started, latest_number, attempted_at, retries_end_at, period_ends_at, wake_at, waits_for, try_at, created_at, updated_at)
      select gen_random_uuid(), organization_id, request_digest, payment_method_id, amount, currency, periodicity, first_billing_date,
        is_started, latest_number, attempted_at, retries_end_at, period_ends_at, wake_at, waits_for, try_at, created_at, updated_at
      from subscription, generate_series(2, ${count}) where id = ${id}`);
    await withClient({ connectionString: database.adminUrl }, (client) =>
      client.query('vacuum analyze payments.subscription'),
    );
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
      read.push(await rowsOf((queries) => takeDue(queries, { now, present }, 10)));
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
    await putOffNow(await given({ cancels: day(20) }, false));
    const [monthly, ending] = [
      { now: day(33), present: [] },
      { now: day(20), present: [] },
    ];
    await putOffNow(await given({}, false));
    expect(await takeDue(db, { now, present: [] }, 10)).toHaveLength(0);
    expect(await takeDue(db, ending, 10)).toHaveLength(1);
    expect(await takeDue(db, monthly, 10)).toHaveLength(1);
  });

  test('one that has changed since it was read is not put off', async () => {
    const id = await given({}, false);
    const row = (await findAnySubscription(db, id, now)) as SubscriptionRow;
    await changeSubscription(db, row, { amount: 200n }, now);
    await putOff(db, row, { acquirer: 'away', until: putOffUntil(row, now) });
    expect(await findAnySubscription(db, id, now)).toMatchObject({ waitsFor: null });
    expect(await takeDue(db, { now, present: [] }, 10)).toEqual([{ id }]);
  });

  test('it counts as late from the moment on that it was put off', async () => {
    await putOffNow(await given({}, false));
    await putOffNow(await given({}, false), 'gone');
    await db.run(
      sql`update subscription set try_at = clock_timestamp() - interval '11 minutes' where waits_for = 'gone'`,
    );
    expect(await countLate(db, now, 600_000, 10)).toBe(1);
    expect(await countLate(db, now, 0, 10)).toBe(2);
    expect(await countLate(db, now, 0, 1)).toBe(1);
  });
});

import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Envelope } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { type Retelling, retelling } from '@cobro/events/retelling.ts';
import { sql } from '@cobro/postgres/database.ts';
import { DatabaseUnavailable } from '@cobro/postgres/unavailable.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { until } from '@cobro/testing/until.ts';
import { about, approved, paymentFacts, rates } from '@cobro/testing/test-facts.ts';
import { startReporting } from '../../services/reporting/src/reporting-under-test.ts';
import { buildTables } from './build-tables.ts';
import { compareTables } from './compare-tables.ts';
import { openRebuild, patiently, type Rebuild } from './rebuild.ts';
import { dropLeftOvers } from './schemas.store.ts';
import { swapTables } from './swap-tables.ts';

let database: TestDatabase;
let reporting: Awaited<ReturnType<typeof startReporting>>;
let rebuild: Rebuild;

/** The owners' knowledge: the events of each payment. */
const known = new Map<string, Envelope[]>();
/** Runs whenever the owners are asked for single payments. */
let whenAsked = async (): Promise<void> => {};

beforeAll(async () => {
  database = await testDatabase('reporting');
  reporting = await startReporting(database.url);
  const payments = retelling<string>({
    after: async (key, limit) =>
      [...known.keys()]
        .filter((id) => id > key)
        .toSorted()
        .slice(0, limit),
    ofKeys: async (keys) => {
      await whenAsked();
      return keys.filter((id) => known.has(id));
    },
    keyOf: (id) => id,
    eventsOf: (ids) => ids.flatMap((id) => (known.get(id) ?? []).map((event) => ({ ...event, id: newId() }))),
  });
  const retellings = { organization: [], terminal: [], branch: [], salesperson: [], payment: [payments] };
  rebuild = await openRebuild({ url: database.adminUrl, retellings, note: () => {} });
});
afterEach(() => {
  whenAsked = async () => {};
});
afterAll(async () => {
  await rebuild.close();
  await reporting.close();
  await database.drop();
});

/** The owner commits an event before others receive it. */
function publish(event: Envelope): Promise<unknown> {
  known.set(event.subject, [...(known.get(event.subject) ?? []), event]);
  return receive(event);
}

/** Delivers again, as the broker does, an event that waited too long for a lock. */
const receive = (event: Envelope): Promise<unknown> =>
  reporting.receive(event).catch((error: unknown) => {
    if (error instanceof DatabaseUnavailable) return receive(event);
    throw error;
  });

const organizationId = newId();
const time = new Date('2026-11-20T17:01:00.000Z');
const placed = () => about('HoldPlaced', { ...paymentFacts({ organizationId }), captureBefore: null, heldAt: time });
const captured = ({ subject }: Envelope) =>
  about('HoldCaptured', {
    paymentId: subject,
    organizationId,
    amount: 700n,
    capturedAt: time,
    rates,
    transaction: approved('capture-1', '2026-11-20T17:02:00.000Z'),
  });

const statuses = async () => {
  const rows = await reporting.db.many<{ status: string; payments: number; unlisted: number }>(sql`
    select status, count(*)::int as payments, (count(*) filter (where listed_at > now()))::int as unlisted
    from payment group by status order by status`);
  return rows;
};

/** Whether the swap has stopped the projection. */
const isLocked = async () =>
  (await rebuild.serving.maybe(sql`
    select from pg_locks
    where database = (select oid from pg_database where datname = current_database())
      and relation = to_regclass('reporting.payment') and mode = 'ShareLock' and granted`)) !== undefined;
const countBlocked = async (): Promise<number> =>
  (
    await rebuild.serving.one<{ blocked: number }>(sql`
      select count(*)::int as blocked from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and cardinality(pg_blocking_pids(pid)) > 0`)
  ).blocked;

test('events that wait for the swap go into the new tables, of payments that were there and of others', async () => {
  const holds = Array.from({ length: 20 }, placed);
  for (const hold of holds) await publish(hold);
  await Promise.all(holds.slice(0, 4).map((hold) => publish(captured(hold))));
  await buildTables(rebuild, 7);
  expect(await compareTables(rebuild)).toEqual({ compared: 20, differences: [] });

  await publish(captured(holds[4] as Envelope));
  const during = [...holds.slice(5, 9).map(captured), ...Array.from({ length: 4 }, placed)];
  const waiting: Promise<unknown>[] = [];
  whenAsked = async () => {
    if (!(await isLocked())) {
      // One change that the swap must apply while it locks.
      if (known.size === holds.length) await publish(placed());
      return;
    }
    waiting.push(...during.map(publish));
    await until('all of them wait', async () => (await countBlocked()) === during.length);
  };
  await swapTables(rebuild);
  expect(waiting).toHaveLength(during.length);
  await Promise.all(waiting);
  whenAsked = async () => {};

  expect(await statuses()).toEqual([
    { status: 'CONFIRMED', payments: 9, unlisted: 0 },
    { status: 'HELD', payments: 16, unlisted: 0 },
  ]);
  const counted = sql`select sum(payments)::int as payments from payment_count where span = 'day'`;
  await expect(reporting.db.one(counted)).resolves.toEqual({ payments: 25 });
  await buildTables(rebuild, 1_000);
  expect(await compareTables(rebuild)).toEqual({ compared: 25, differences: [] });
});

test('a payment of which the owners know and the lists do not is listed at the swap, and no other is listed anew', async () => {
  const missed = placed();
  known.set(missed.subject, [missed]);
  const before = await reporting.db.many(sql`select id, listed_at::text as listed from payment order by id`);
  await buildTables(rebuild, 10);
  const { now } = await reporting.db.one<{ now: Date }>(sql`select clock_timestamp() as now`);
  expect(await swapTables(rebuild)).toMatchObject({ newlyListed: 1 });
  const after = sql`select id, listed_at::text as listed from payment where id <> ${missed.subject} order by id`;
  expect(await reporting.db.many(after)).toEqual(before);
  const { listed } = await reporting.db.one<{ listed: Date }>(sql`
    select listed_at as listed from payment where id = ${missed.subject}`);
  expect(listed.getTime()).toBeGreaterThanOrEqual(now.getTime());
  expect(listed.getTime()).toBeLessThan(now.getTime() + 60_000);
});

test('what another command waits to throw away during the swap is not what serves afterwards', async () => {
  await buildTables(rebuild, 1_000);
  let thrownAway: Promise<string[]> | undefined;
  const built = known.size;
  await publish(placed());
  whenAsked = async () => {
    if (await isLocked()) {
      thrownAway ??= patiently(rebuild.serving, dropLeftOvers);
      await until('the other command waits for the whole swap', async () => {
        const waits = sql`select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`;
        return (await rebuild.serving.maybe(waits)) !== undefined;
      });
      // One change that the swap must apply while it locks.
    } else if (known.size === built + 1) await publish(placed());
  };
  await swapTables(rebuild);
  expect(await thrownAway).not.toContain('reporting_next');
  const { payments } = await reporting.db.one<{ payments: number }>(sql`select count(*)::int as payments from payment`);
  expect(payments).toBe(known.size);
});

test('a build that fails leaves nothing behind', async () => {
  const away = { ...(rebuild.retellings.payment[0] as Retelling), page: () => Promise.reject(new Error('away')) };
  const retellings = { ...rebuild.retellings, payment: [away] };
  await expect(buildTables({ ...rebuild, retellings }, 1_000)).rejects.toThrow('away');
  expect(await patiently(rebuild.serving, dropLeftOvers)).toEqual([]);
});

test('a migration that only one of both has had is refused by the swap', async () => {
  await buildTables(rebuild, 1_000);
  await rebuild.serving.run(sql`insert into pgmigrations (name, run_on) values ('1799999999999_newer', now())`);
  await expect(swapTables(rebuild)).rejects.toThrow(
    'A migration has come since the rebuild began (1799999999999_newer)',
  );
  await rebuild.serving.run(sql`delete from pgmigrations where name = '1799999999999_newer'`);
  await swapTables(rebuild);
});

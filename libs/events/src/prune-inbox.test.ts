import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { type Database, openPatiently, sql } from '@cobro/postgres/database.ts';
import { planOf } from '@cobro/testing/plan.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { eventsMigrations } from './migrations.ts';
import { forgetEvents, pruneInbox } from './prune-inbox.ts';

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await testDatabase({ name: 'holds', migrations: [eventsMigrations] });
  db = openPatiently({ url: database.url, schema: 'holds' });
});
beforeEach(() => db.run(sql`truncate inbox`));
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** One day's events, spread over the day, as the inbox would have them. */
const consumeOn = (daysBefore: number, count: number) => {
  const begun = daysAgo(daysBefore).getTime();
  return db.run(sql`
    insert into inbox (event_id, consumed_at)
    select overlay(gen_random_uuid()::text placing substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-7' from 1 for 15)::uuid,
      to_timestamp(ms / 1000.0) + interval '1 second'
    from (select ${begun}::bigint + n * ${Math.floor(DAY_MS / count)}::bigint as ms from generate_series(0, ${count - 1}) n) times,
      lateral (select lpad(to_hex(ms), 12, '0') as hex) ids`);
};

const insert = (id: string, consumedAt: Date) =>
  db.run(sql`insert into inbox (event_id, consumed_at) values (${id}, ${consumedAt})`);

describe('pruning the inbox', () => {
  test('forgets what was consumed long ago, in more than one batch, and keeps the rest', async () => {
    await consumeOn(32, 12_000);
    const recent = newId();
    await insert(recent, new Date());
    // It was parked for long and consumed yesterday.
    const late = newId(daysAgo(40).getTime());
    await insert(late, daysAgo(1));
    expect(await pruneInbox(db, 30)).toBe(12_000);
    const left = await db.many<{ id: string }>(sql`select event_id as id from inbox order by event_id`);
    expect(left.map(({ id }) => id)).toEqual([late, recent]);
  });

  test('reads only what is old, also after months in which new rows took the place of deleted ones', async () => {
    for (let day = 75; day > 0; day--) {
      await consumeOn(day, 1_500);
      // Like one run of the pruning on that day, with its vacuum.
      await db.run(sql`delete from inbox where consumed_at < ${daysAgo(day + 30)}`);
      if (day % 10 === 0) await db.run(sql`vacuum inbox`);
    }
    await db.run(sql`vacuum analyze inbox`);
    const { pages } = await db.one<{ pages: number }>(sql`
      select (pg_relation_size('inbox') / 8192)::int as pages`);
    const none = '00000000-0000-0000-0000-000000000000';
    const looked = await db.inTransaction((tx) => planOf(tx, forgetEvents(none, daysAgo(30))));
    expect(looked.nodes.join()).toContain('Index Scan inbox_pkey');
    expect(looked.nodes.join()).not.toContain('Seq Scan');
    // The second time there is nothing left to forget: the look costs a handful of pages, however large the table is.
    const again = await db.inTransaction((tx) => planOf(tx, forgetEvents(none, daysAgo(30))));
    expect(pages).toBeGreaterThan(150);
    expect(again.pages).toBeLessThan(pages / 4);
  });
});

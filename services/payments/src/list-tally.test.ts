import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { developerListQuery } from '@cobro/contracts/developer-lists.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { productStatuses } from '@cobro/contracts/products.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import { developerList } from '@cobro/frame/developer-list.ts';
import { openReads } from '@cobro/frame/open-reads.ts';
import { type Database, openPatiently, type Queries, type Sql, sql } from '@cobro/postgres/database.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { productsByStatus } from './products/product.store.ts';
import { foldLists } from './fold-lists.job.ts';
import { foldListChanges, workAlone } from './list-tally.store.ts';
import { listLinks } from './one-time-payments/one-time-payment.store.ts';
import { payments } from './service.ts';
import { foldAll, insertLinks, insertProducts } from './test-lists.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase('payments');
  db = openPatiently({ url: database.url, schema: 'payments' });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}
interface Explained {
  'QUERY PLAN': [{ Plan: PlanNode }];
}
const rowsIn = (node: PlanNode): number =>
  node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) +
  (node.Plans ?? []).reduce((sum, below) => sum + rowsIn(below), 0);

/** Counts rows through all plan nodes of the last statement of a list. */
async function rowsReadBy(list: (reads: ReturnType<typeof openReads>) => Promise<unknown>): Promise<number> {
  const reads = openReads(payments, 'lists', database.url);
  let asked: Sql | undefined;
  const many: Queries['many'] = (statement) => {
    asked = statement;
    return reads.many(statement);
  };
  await list({ ...reads, many });
  const plan = await reads.one<Explained>(sql`explain (analyze, format json) ${asked}`);
  await reads.close();
  return rowsIn(plan['QUERY PLAN'][0].Plan);
}

describe('of a long list', () => {
  const organizationId = newId();
  beforeAll(async () => {
    await insertLinks(db, organizationId, 60_000);
    await foldAll(db);
  });

  test.each([undefined, 'PENDING', 'CONFIRMED'] as const)(
    'a deep page (status %s) reads little more than it shows',
    async (status) => {
      const read = await rowsReadBy((reads) => listLinks(reads, { organizationId, status, page: 29, pageSize: 500 }));
      // Only a block, the page and the tallies pass through some nodes each. All rows would be 60,000 for each node.
      expect(read).toBeLessThan(25_000);
    },
  );
});

describe('of ten thousand products', () => {
  const organizationId = newId();
  beforeAll(async () => {
    await insertProducts(db, organizationId, 10_000);
    await db.run(sql`
      update product set status = case when id::text < '01' then 'ARCHIVED' else 'ACTIVE' end where organization_id = ${organizationId}`);
  });

  test.each(['', 'status=ARCHIVED', 'status=ACTIVE&status=ARCHIVED'])(
    'a page by cursor (%s) reads little more than it shows',
    async (filter) => {
      const status = new URLSearchParams(filter).getAll('status');
      const query = developerListQuery(productStatuses).parse(status.length === 0 ? {} : { status });
      const cursorKeys = [new Secret(randomBytes(32))] as const;
      const read = await rowsReadBy((reads) =>
        developerList(
          { reads, cursorKeys },
          { name: 'products', organizationId, query, ...productsByStatus(organizationId), show: ({ id }) => id },
        ),
      );
      // 21 rows of each status pass through some nodes each.
      expect(read).toBeLessThan(250);
    },
  );
});

test('many changes that come at once are looked at a few times each, by plans that were made while the tables were empty', async () => {
  const CHANGES = 2_000;
  const lonely = await testDatabase('payments');
  const folding = openPatiently({ url: lonely.url, schema: 'payments', max: 1 });
  const admin = openPatiently({ url: lonely.adminUrl, schema: 'payments' });
  await admin.run(sql`
    insert into list_change select 'payment', gen_random_uuid(), now(), gen_random_uuid(), 'PENDING', 0, 1
    from generate_series(1, ${CHANGES}::int)`);
  await admin.run(sql`delete from list_change`);
  // With all its pages, as autovacuum leaves it if somebody reads the table meanwhile.
  await admin.run(sql`vacuum (analyze, truncate off) list_change`);
  // Ten times, so that the session keeps its plans.
  for (let n = 0; n < 10; n++) await foldLists({ db: folding });
  await admin.run(sql`
    insert into list_change select 'payment', gen_random_uuid(), now(), gen_random_uuid(), 'PENDING', 0, 1
    from generate_series(1, ${CHANGES}::int)`);

  const rows = await folding.inTransaction(async (tx) => {
    await workAlone(tx);
    let looked = 0;
    const one: typeof tx.one = async (statement) => {
      const plan = await tx.one<Explained>(sql`explain (analyze, format json) ${statement}`);
      looked = rowsIn(plan['QUERY PLAN'][0].Plan);
      return tx.one(statement);
    };
    await foldListChanges({ ...tx, one }, CHANGES);
    return looked;
  });

  expect(rows).toBeLessThan(20 * CHANGES);
  await Promise.all([admin.close(), folding.close()]);
  await lonely.drop();
});

test('a list whose counting failed is counted in the next round, though nothing of it has changed since', async () => {
  const organizationId = newId();
  await insertLinks(db, organizationId, 5_000);
  await foldAll(db);
  await db.run(sql`select count_lists_anew()`);
  let transactions = 0;
  const breaking: Database['inTransaction'] = (work) =>
    db.inTransaction(async (tx) => {
      const result = await work(tx);
      if (++transactions > 1) throw new Error('the process ends here');
      return result;
    });
  await expect(foldLists({ db: { ...db, inTransaction: breaking } })).rejects.toThrow('the process ends here');
  await foldLists({ db });
  const { listed } = await db.one<{ listed: number }>(
    sql`select sum(listed)::int as listed from list_tally where owner = ${organizationId}`,
  );
  expect(listed).toBe(5_000);
  expect(await db.many(sql`select from list_change`)).toEqual([]);
});

test('folding is never compiled, which would take far longer than it does', async () => {
  const { jit } = await db.inTransaction(async (tx) => {
    await workAlone(tx);
    return tx.one<{ jit: string }>(sql`select current_setting('jit') as jit`);
  });
  expect(jit).toBe('off');
});

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { type Database, openPatiently, type Queries, type Sql, sql, type Tx } from '@cobro/postgres/database.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { listPaymentMethods } from './cards/payment-method.store.ts';
import { listProducts } from './products/product.store.ts';
import { foldLists } from './fold-lists.job.ts';
import { cutBlock, type LongBlock, workAlone } from './list-tally.store.ts';
import { listLinks } from './one-time-payments/one-time-payment.store.ts';
import { listLinks as listPaymentLinks } from './payment-links/payment-link.store.ts';
import { listPayments } from './payments/payment.store.ts';
import {
  foldAll,
  insertCards,
  insertLinks,
  insertPaymentLinks,
  insertPayments,
  insertProducts,
  someTime,
} from './test-lists.ts';

/** A row of any list. */
interface Listed {
  id: string;
}
interface PageOf {
  page: number;
  pageSize: number;
}

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

const MONTH_NOW = 2026 * 12 + 11;
/** A list, and all its rows to compare it with. */
interface List {
  name: string;
  read: (queries: Queries, page: PageOf) => Promise<{ count: number; rows: Listed[] }>;
  rows: Sql;
}

function listsOf(organizationId: string, cards: string[]): List[] {
  const links = ([undefined, 'PENDING', 'CONFIRMED', 'CANCELLED'] as const).map((status) => ({
    name: `links ${status}`,
    read: (queries: Queries, page: PageOf) => listLinks(queries, { organizationId, status, ...page }),
    rows: sql`one_time_payment where organization_id = ${organizationId} and status = coalesce(${status ?? null}, status)`,
  }));
  const inForce = sql`expiration_year * 12 + expiration_month >= ${MONTH_NOW}`;
  const ofStatus = {
    all: sql`true`,
    PENDING: sql`status = 'PENDING'`,
    ACTIVE: sql`status = 'ACTIVE' and ${inForce}`,
    EXPIRED: sql`status = 'ACTIVE' and not ${inForce}`,
    REVOKED: sql`status = 'REVOKED'`,
  };
  const saved = ([undefined, 'PENDING', 'ACTIVE', 'EXPIRED', 'REVOKED'] as const).map((status) => ({
    name: `cards ${status}`,
    read: (queries: Queries, page: PageOf) =>
      listPaymentMethods(queries, { organizationId, status, monthNow: MONTH_NOW, ...page }),
    rows: sql`payment_method where organization_id = ${organizationId} and ${ofStatus[status ?? 'all']}`,
  }));
  const products = ([undefined, 'ACTIVE', 'ARCHIVED'] as const).map((status) => ({
    name: `products ${status}`,
    read: (queries: Queries, page: PageOf) => listProducts(queries, { organizationId, status, ...page }),
    rows: sql`product where organization_id = ${organizationId} and status = coalesce(${status ?? null}, status)`,
  }));
  const paymentLinks = ([undefined, 'ACTIVE', 'INACTIVE'] as const).map((status) => ({
    name: `payment links ${status}`,
    read: (queries: Queries, page: PageOf) =>
      listPaymentLinks(queries, { organizationId, status, now: new Date(), most: 100_000, ...page }),
    rows: sql`payment_link where organization_id = ${organizationId}
      and active = coalesce(${status === undefined ? null : status === 'ACTIVE'}, active)`,
  }));
  const statuses = [undefined, 'PENDING', 'CONFIRMED', 'HELD', 'CANCELLED', 'REFUNDED', 'NOT_INITIALIZED'] as const;
  const ofCards = cards.flatMap((card) =>
    statuses.map((status) => ({
      name: `payments ${status} of ${card}`,
      read: (queries: Queries, page: PageOf) => listPayments(queries, { paymentMethodId: card, status, ...page }),
      rows: sql`payment
        where payment_method_id = ${card} and status <> 'NOT_INITIALIZED' and status = coalesce(${status ?? null}, status)`,
    })),
  );
  return [...links, ...saved, ...products, ...paymentLinks, ...ofCards];
}

/** Reads a page in both ways in one snapshot. */
async function compare({ name, read, rows }: List): Promise<void> {
  await db.inTransaction(async (tx) => {
    tx.send(sql`set transaction isolation level repeatable read`);
    const { count } = await tx.one<{ count: number }>(sql`select count(*)::int as count from ${rows}`);
    const pageSize = 1 + Math.floor(Math.random() * 500);
    const page = 1 + Math.floor(Math.random() * (count / pageSize + 1));
    const ids = await tx.many<Listed>(sql`
      select id from ${rows} order by created_at desc, id desc limit ${pageSize} offset ${(page - 1) * pageSize}`);
    const listed = await read(tx, { page, pageSize });
    const asked = { name, page, pageSize };
    expect({ ...asked, count: listed.count, ids: listed.rows.map(({ id }) => id) }).toEqual({
      ...asked,
      count,
      ids: ids.map(({ id }) => id),
    });
  });
}

/** Lists and kinds whose tallies and changes differ from their rows. */
const miscounted = () =>
  db.many(sql`
    select list, owner, status, expiry_month, sum(counted) as counted, sum(rows) as rows
    from (
      select list, owner, status, expiry_month, listed as counted, 0 as rows from list_tally
      union all
      select list, owner, status, expiry_month, change, 0 from list_change
      union all
      select list, owner, status, expiry_month, 0, 1 from listed
    ) as known
    where (list, owner) in (select list, owner from list_tally)
    group by 1, 2, 3, 4
    having sum(counted) <> sum(rows)`);

const blocksOf = async (owner: string) =>
  (
    await db.one<{ blocks: number }>(sql`
      select count(distinct (list, until_at, until_id))::int as blocks from list_tally where owner = ${owner}`)
  ).blocks;

/** Cuts a random block, as the job does once it has grown. */
const cutSomeBlock = () =>
  db.inTransaction(async (tx) => {
    if (!(await workAlone(tx))) return;
    const block = await tx.maybe<LongBlock>(sql`
      select list, owner, until_at::text as "untilAt", until_id as "untilId" from list_tally order by random() limit 1`);
    if (block !== undefined) await cutBlock(tx, block);
  });

describe('a page of a list and the count', () => {
  const organizationId = newId();
  const cards: string[] = [];
  let lists: List[];

  beforeAll(async () => {
    await insertCards(db, organizationId, 6_000);
    cards.push(...(await db.many<Listed>(sql`select id from payment_method order by id limit 2`)).map(({ id }) => id));
    lists = listsOf(organizationId, cards);
    await insertLinks(db, organizationId, 7_000);
    await insertProducts(db, organizationId, 5_000);
    await insertPaymentLinks(db, organizationId, 5_000);
    await insertPayments(db, organizationId, cards[0] ?? '', 7_000);
    await insertPayments(db, organizationId, cards[1] ?? '', 300);
    await Promise.all(lists.map(compare));
    await foldAll(db);
  });

  /** Selects random rows anywhere in their lists. */
  const some = (table: Sql, ...conditions: Sql[]) => {
    const all = conditions.reduce((both, one) => sql`${both} and ${one}`, sql`true`);
    return sql`id = any(array(select id from ${table} where ${all} order by md5(id::text || random()) limit 40))`;
  };
  const write = async (tx: Tx): Promise<void> => {
    const link = sql`one_time_payment`;
    const card = sql`payment_method`;
    await tx.run(sql`update one_time_payment set status = 'CANCELLED' where ${some(link, sql`status = 'PENDING'`)}`);
    await tx.run(sql`update payment_method set status = 'ACTIVE' where ${some(card, sql`status = 'PENDING'`)}`);
    await tx.run(sql`update payment_method set status = 'REVOKED' where ${some(card, sql`status = 'ACTIVE'`)}`);
    const unpaid = sql`id not in (select payment_method_id from payment)`;
    await tx.run(sql`delete from payment_method where ${some(card, sql`status = 'REVOKED'`, unpaid)}`);
    const product = sql`product`;
    await tx.run(sql`update product set status = 'ACTIVE' where ${some(product, sql`status = 'ARCHIVED'`)}`);
    await tx.run(sql`update product set status = 'ARCHIVED' where ${some(product, sql`status = 'ACTIVE'`)}`);
    const payment = sql`payment`;
    await tx.run(sql`update payment set status = 'REFUNDED' where ${some(payment, sql`status = 'CONFIRMED'`)}`);
    await tx.run(sql`update payment set status = 'NOT_INITIALIZED' where ${some(payment, sql`status = 'PENDING'`)}`);
    // Reuses payments that were never sent, as charges do.
    await tx.run(sql`
      update payment set status = 'PENDING', payment_method_id = ${cards[Math.round(Math.random())]}, created_at = ${someTime}
      where ${some(payment, sql`status = 'NOT_INITIALIZED'`)}`);
  };

  test('are right for each status while rows come, change and go, changes are folded and blocks cut', async () => {
    expect(await blocksOf(organizationId)).toBeGreaterThan(6);
    const over = new AbortController();
    const again = async (work: () => Promise<unknown>) => {
      while (!over.signal.aborted) {
        await work();
        await sleep(50);
      }
    };
    const working = [
      again(() => db.inTransaction(write)),
      again(async () => {
        await insertLinks(db, organizationId, 100);
        await insertCards(db, organizationId, 100);
        await insertProducts(db, organizationId, 50);
        await insertPaymentLinks(db, organizationId, 50);
        await insertPayments(db, organizationId, cards[0] ?? '', 50);
        await insertPayments(db, organizationId, cards[1] ?? '', 100);
      }),
      again(() => foldLists({ db })),
      again(() => foldLists({ db })),
      again(cutSomeBlock),
    ];
    try {
      for (let round = 0; round < 4; round++) for (const list of lists) await compare(list);
    } finally {
      over.abort();
      await Promise.all(working);
    }
    expect(await miscounted()).toEqual([]);
    await foldAll(db);
    expect(await miscounted()).toEqual([]);
    await Promise.all(lists.map(compare));
  });

  test('need no tallies while the list is short', async () => {
    const short = newId();
    await insertLinks(db, short, 3_000);
    await foldAll(db);
    expect(await blocksOf(short)).toBe(0);
    await Promise.all(listsOf(short, []).map(compare));
  });

  test('are right while all lists are counted anew', async () => {
    await db.run(sql`select count_lists_anew()`);
    expect(await blocksOf(organizationId)).toBe(0);
    await Promise.all(lists.map(compare));
    await foldAll(db);
    expect(await blocksOf(organizationId)).toBeGreaterThan(6);
    expect(await miscounted()).toEqual([]);
    await Promise.all(lists.map(compare));
  });
});

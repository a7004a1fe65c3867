import { newId } from '@cobro/contracts/ids.ts';
import { paymentLinkStatuses } from '@cobro/contracts/payment-links.ts';
import { newestOf } from '@cobro/frame/developer-list.ts';
import { type Database, openPatiently, sql } from '@cobro/postgres/database.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findPaymentLink, linksByStatus, listLinks } from './payment-link.store.ts';

const NOW = new Date('2026-11-27T18:00:00.000Z');
const organizationId = newId();
let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase('payments');
  db = openPatiently({ url: database.url, schema: 'payments' });
  await db.run(sql`
    insert into product (id, organization_id, request_digest, status, name, price, currency, stock, stocked, created_at, updated_at)
    select gen_random_uuid(), ${organizationId}, '', status, coalesce(stock::text, 'uncounted'), 100, 'MXN', stock, stock, ${NOW}, ${NOW}
    from (values ('ACTIVE'), ('ARCHIVED')) as of_status (status), (values (null), (0), (1)) as of_stock (stock)`);
  // All combinations of what decides a status.
  await db.run(sql`
    insert into payment_link (id, organization_id, request_digest, product_id, active, description, amount, currency, allowed_terms,
      max_payments, payments_count, expires_at, created_at, updated_at)
    select gen_random_uuid(), ${organizationId}, '', product.id, active, 'Yoga', case when product.id is null then 100 end, 'MXN', '{1}',
      max_payments, payments_count, expires_at, ${NOW}::timestamptz - make_interval(secs => row_number() over ()), ${NOW}
    from (values (true), (false)) as of_merchant (active),
      (values (null, 3), (2, 1), (2, 2), (2, 3)) as of_payments (max_payments, payments_count),
      (values (null), (${NOW}::timestamptz), (${new Date(NOW.getTime() + 1)})) as of_time (expires_at),
      (select id from product union all select null) as product`);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const LINKS = 2 * 4 * 3 * 7;
const page = { organizationId, now: NOW, page: 1, pageSize: 500, most: 1_000 };

test('the list of each status has just the links that are read with it, the newest first', async () => {
  const { rows: all } = await listLinks(db, { ...page, status: undefined });
  expect(all).toHaveLength(LINKS);
  for (const status of paymentLinkStatuses) {
    const { count, rows } = await listLinks(db, { ...page, status });
    const right = all.filter((link) => link.status === status).map(({ id }) => id);
    expect([status, rows.map(({ id }) => id)]).toEqual([status, right]);
    expect([status, count]).toEqual([status, right.length]);
    for (const { id } of rows.slice(0, 3)) expect(await findPaymentLink(db, id, NOW)).toMatchObject({ status });
  }
});

test('each link is in one part of one status, so that a walk through several has it once', async () => {
  const { statuses } = linksByStatus(organizationId, NOW);
  const parts = Object.values(statuses).flat();
  const found = await db.many<{ id: string }>(newestOf(parts, sql`true`, 1_000));
  expect(found).toHaveLength(LINKS);
  expect(new Set(found.map(({ id }) => id)).size).toBe(LINKS);
});

test('is counted to the most that is given, and has any page below', async () => {
  const all = await listLinks(db, { ...page, status: 'INACTIVE' });
  const some = await listLinks(db, { ...page, status: 'INACTIVE', page: 3, pageSize: 4, most: 11 });
  expect(some.count).toBe(11);
  expect(some.rows.map(({ id }) => id)).toEqual(all.rows.slice(8, 11).map(({ id }) => id));
});

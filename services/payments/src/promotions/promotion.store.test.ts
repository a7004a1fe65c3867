import { newId } from '@cobro/contracts/ids.ts';
import { type Database, openPatiently, sql } from '@cobro/postgres/database.ts';
import { lockWaits } from '@cobro/testing/lock-waits.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { lockUnannounced, noteAnnounced } from './promotion.store.ts';

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

test('what is locked to be published is neither what another published meanwhile nor what was accepted after the lock', async () => {
  const [ended, published, late] = [newId(), newId(), newId()];
  await db.run(sql`
    insert into promotion (id, organization_id, request_digest, name, fee_discount_bps, business_take_bps, terms, types, networks,
      issuing_banks, product_ids, partner_id, partner_name, starts_at, ends_at, created_at, updated_at)
    select id, ${newId()}, '', 'Buen Fin', 100, 0, '{}', '{}', '{}', '{}', '{}', ${newId()}, 'Fabricante', now() - interval '2 days',
      now() + case when id = ${late} then interval '1 day' else interval '-1 day' end, now(), now()
    from unnest(${[ended, published, late]}::uuid[]) as id`);
  const { locking } = await db.inTransaction(async (tx) => {
    noteAnnounced(tx, published, 'ENDED');
    const asked = db.inTransaction((other) => lockUnannounced(other, new Date(), 10));
    await until('it waits', async () => (await lockWaits(db)) > 0);
    await db.run(sql`update promotion set accepted_at = now() where id = ${late}`);
    return { locking: asked };
  });
  expect((await locking).map(({ id }) => id)).toEqual([ended]);
});

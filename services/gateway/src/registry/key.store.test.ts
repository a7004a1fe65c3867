import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { type Database, openPatiently, sql } from '@cobro/postgres/database.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { findChangedKeys, insertKey } from './key.store.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase('gateway');
  db = openPatiently({ url: database.url, schema: 'gateway' });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('keys of a restored dump, whose transactions are those of another server, do not count as changed for ever', async () => {
  const [partnerId, hash] = [newId(), '11'.repeat(32)];
  await db.run(sql`insert into partners (id, name) values (${partnerId}, 'Partner')`);
  await insertKey(db, {
    id: newId(),
    kind: 'partner',
    mode: null,
    organizationId: null,
    partnerId,
    terminalId: null,
    hash: Buffer.from(hash, 'hex'),
    lastFour: 'abcd',
    name: null,
    createdBy: null,
    createdAt: new Date(),
    requestHash: null,
  });
  const { position } = await findChangedKeys(db, undefined);
  await db.run(sql`update api_keys set changed_in = '99999999999'`);
  expect((await findChangedKeys(db, position)).hashes).toEqual([]);
  await db.run(sql`update api_keys set changed_in = pg_current_xact_id()`);
  expect((await findChangedKeys(db, position)).hashes).toEqual([hash]);
});

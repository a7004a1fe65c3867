import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { type Database, openPatiently, sql } from '@cobro/postgres/database.ts';
import { lockWaits } from '@cobro/testing/lock-waits.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { until } from '@cobro/testing/until.ts';
import { findChangedKeys, insertKey, lockKey, writeUses } from './key.store.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase('gateway');
  db = openPatiently({ url: database.url, schema: 'gateway', lockTimeoutMs: 60_000 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** Inserts a partner's key and returns its id. */
async function newKey(hash: string): Promise<string> {
  const [id, partnerId] = [newId(), newId()];
  await db.run(sql`insert into partners (id, name) values (${partnerId}, 'Partner')`);
  await insertKey(db, {
    id,
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
  return id;
}

test('keys of a restored dump, whose transactions are those of another server, do not count as changed for ever', async () => {
  const hash = '11'.repeat(32);
  await newKey(hash);
  const { position } = await findChangedKeys(db, undefined);
  await db.run(sql`update api_keys set changed_in = '99999999999'`);
  expect((await findChangedKeys(db, position)).hashes).toEqual([]);
  await db.run(sql`update api_keys set changed_in = pg_current_xact_id()`);
  expect((await findChangedKeys(db, position)).hashes).toEqual([hash]);
});

test('replicas that write the uses of the same keys, each in an order of its own, wait for each other only once', async () => {
  const keys = [await newKey('22'.repeat(32)), await newKey('33'.repeat(32)), await newKey('44'.repeat(32))] as const;
  const at = new Date('2026-11-20T12:00:00.000Z');
  let tries = 0;
  const write = (ids: readonly string[]) =>
    db.inTransaction(async (tx) => {
      tries += 1;
      // Makes the update visit the keys in the given order, as it would among very many keys.
      for (const plan of ['hashjoin', 'mergejoin', 'seqscan']) {
        await tx.run(sql`select set_config(${`enable_${plan}`}, 'off', true)`);
      }
      await writeUses(
        tx,
        ids.map((id) => ({ id, at })),
      );
    });
  const writing: Promise<void>[] = [];
  await db.inTransaction(async (tx) => {
    await lockKey(tx, keys[1]);
    writing.push(write(keys), write(keys.toReversed()));
    await until('both wait', async () => (await lockWaits(db)) === 2);
  });
  await Promise.all(writing);
  // Postgres would end one of two that wait for each other, and it would be tried again.
  expect(tries).toBe(2);
  const written = await db.many(
    sql`select from api_keys where id = any(${[...keys]}::uuid[]) and last_used_at = ${at}`,
  );
  expect(written).toHaveLength(3);
});

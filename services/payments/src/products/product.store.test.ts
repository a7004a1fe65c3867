import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { type Database, openPatiently, sql } from '@cobro/postgres/database.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { changeProduct, findProduct, givingBackUnit, insertProduct, lockProduct, takingUnit } from './product.store.ts';
import type { ProductRow } from './product.row.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase('payments');
  db = openPatiently({ url: database.url, schema: 'payments', max: 8 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const at = new Date('2026-11-20T18:00:00Z');
const organizationId = newId();

async function made(stock: number | null): Promise<ProductRow> {
  const row = await insertProduct(db, {
    id: newId(),
    organizationId,
    externalId: null,
    requestDigest: Buffer.from('digest'),
    name: 'Talavera',
    description: null,
    price: 47_900n,
    currency: 'MXN',
    stock,
    createdAt: at,
    updatedAt: at,
  });
  if (row === undefined) throw new Error('not made');
  return row;
}
const take = ({ id }: ProductRow) => db.maybe<{ stock: number }>(sql`${takingUnit(id, at)} returning stock`);
const stockOf = async ({ id }: ProductRow) => (await findProduct(db, organizationId, id))?.stock;

test('of more sales at once than there are units, each unit goes to one', async () => {
  const product = await made(7);
  const sales = await Promise.all(Array.from({ length: 40 }, () => take(product)));
  const left = sales.flatMap((row) => (row === undefined ? [] : [row.stock]));
  expect(left.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(await stockOf(product)).toBe(0);
});

test('a unit that is given back can be taken once more', async () => {
  const product = await made(1);
  expect(await take(product)).toMatchObject({ stock: 0 });
  expect(await take(product)).toBeUndefined();
  await db.run(givingBackUnit(product.id, at));
  expect(await take(product)).toMatchObject({ stock: 0 });
});

test('of a product without a count no unit is taken or given back', async () => {
  const product = await made(null);
  expect(await take(product)).toBeUndefined();
  await db.run(givingBackUnit(product.id, at));
  expect(await stockOf(product)).toBeNull();
});

test('a change under the lock loses no sale that waits for it', async () => {
  const product = await made(3);
  let sale: ReturnType<typeof take> | undefined;
  await db.inTransaction(async (tx) => {
    const locked = await lockProduct(tx, organizationId, product.id);
    sale = take(product);
    await changeProduct(tx, product.id, { stock: (locked?.stock ?? 0) + 2, stocked: 5 }, at);
  });
  expect(await sale).toMatchObject({ stock: 4 });
});

import { newId } from '@cobro/contracts/ids.ts';
import { sql } from '@cobro/postgres/database.ts';
import { patiently } from '@cobro/testing/patiently.ts';
import { refusal } from '@cobro/testing/refusal.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestMerchant, testMerchant } from '@cobro/testing/test-merchant.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

interface Product {
  id: string;
  name: string;
  price: number;
  status: string;
  stock: number | null;
  updatedAt: string;
}

let services: RunningServices;
let merchant: TestMerchant;
let other: TestMerchant;
beforeAll(async () => {
  services = await startServices({ services: ['payments'], replicas: { payments: 2 } });
  [merchant, other] = [await testMerchant(services), await testMerchant(services)];
});
afterAll(() => services.stop());

const post = (body: object, by = merchant, replica = 0) => by.call({ method: 'POST', path: '/product', body, replica });
const patch = (id: string, body: object, by = merchant) => by.call({ method: 'PATCH', path: `/product/${id}`, body });
const read = (id: string, by = merchant) => by.call({ path: `/product/${id}` });
const addStock = (id: string, body: object, by = merchant, replica = 0) =>
  by.call({ method: 'POST', path: `/product/${id}/stock`, body, replica });
const make = async (body: object = {}, by = merchant) =>
  (await post({ name: 'Talavera', price: 479, ...body }, by)).body as Product;
const stockOf = async (id: string) => ((await read(id)).body as Product).stock;

describe('creating a product', () => {
  test('answers it: active, without a count of units unless a stock is sent', async () => {
    const { status, body } = await post({ name: 'Talavera', price: 479.5 });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      name: 'Talavera',
      description: null,
      price: 479.5,
      currency: 'MXN',
      status: 'ACTIVE',
      stock: null,
      externalId: null,
      createdAt: (body as Product).updatedAt,
      updatedAt: expect.any(String),
    });
    const full = { name: 'Mezcal', description: 'De Oaxaca', price: 1, currency: 'MXN', stock: 0, externalId: 'sku-1' };
    const { body: counted } = await post(full);
    expect(counted).toMatchObject(full);
    expect(await read((counted as Product).id)).toMatchObject({ status: 200, body: counted as object });
  });

  test.each<[object, string]>([
    [{ name: undefined }, 'name: is required'],
    [{ name: '' }, 'name: must not be empty'],
    [{ name: 'x'.repeat(256) }, 'name: must have at most 255 characters'],
    [{ name: '4242 4242 4242 4242' }, 'name: must not contain a card number'],
    [{ price: undefined }, 'price: is required'],
    [{ price: 0 }, 'price: must be from 0.01'],
    [{ price: 10.001 }, 'price: must be from 0.01'],
    [{ price: '10' }, 'price: must be a number'],
    [{ currency: 'USD' }, 'currency: must be MXN'],
    [{ description: 'x'.repeat(501) }, 'description: must have at most 500 characters'],
    [{ stock: -1 }, 'stock: must be from 0 to 1000000'],
    [{ stock: 1_000_001 }, 'stock: must be from 0 to 1000000'],
    [{ stock: 1.5 }, 'stock: must be a whole number'],
    [{ externalId: 'x'.repeat(256) }, 'externalId: must have at most 255 characters'],
    [{ externalId: '4242424242424242' }, 'externalId: must not contain a card number'],
    [{ status: 'ARCHIVED' }, 'status: is not a known field'],
  ])('refuses %j', async (change, message) => {
    expect(await post({ name: 'Talavera', price: 479, ...change })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', message: expect.stringContaining(message) },
    });
  });

  test('under an externalId makes one, however often and at once it is sent to two replicas; another request is refused', async () => {
    const body = { name: 'Rebozo', price: 890, stock: 4, externalId: 'sku-2' };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => patiently(() => post(body, merchant, n % 2))),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map((answer) => (answer.body as Product).id)).size).toBe(1);
    const again = await post(body);
    expect(again).toMatchObject({ status: 201, body: answers[0]?.body as object });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    for (const changed of [{ price: 891 }, { stock: null }, { currency: 'MXN' }, { name: 'rebozo' }]) {
      expect(await post({ ...body, ...changed })).toMatchObject(refusal(409, 'EXTERNAL_ID_MISMATCH'));
    }
    // Another merchant's externalIds are its own.
    expect((await post({ ...body, price: 1 }, other)).headers.get('idempotent-replayed')).toBeNull();
  });

  test('replayed shows the product as it is now', async () => {
    const body = { name: 'Rebozo', price: 890, externalId: 'sku-3' };
    const { id } = (await post(body)).body as Product;
    await patch(id, { price: 900, status: 'ARCHIVED' });
    expect(await post(body)).toMatchObject({ status: 201, body: { id, price: 900, status: 'ARCHIVED' } });
  });
});

test('another organization’s product is 404, as an unknown one is, and nothing changes', async () => {
  const { id } = await make({ stock: 3 });
  for (const [of, by] of [
    [id, other],
    [newId(), merchant],
  ] as const) {
    expect(await read(of, by)).toMatchObject(refusal(404, 'PRODUCT_NOT_FOUND'));
    expect(await patch(of, { price: 1 }, by)).toMatchObject(refusal(404, 'PRODUCT_NOT_FOUND'));
    expect(await addStock(of, { change: 1 }, by)).toMatchObject(refusal(404, 'PRODUCT_NOT_FOUND'));
    expect(await by.call({ path: `/developer/v1/product/${of}` })).toMatchObject(refusal(404, 'PRODUCT_NOT_FOUND'));
  }
  expect((await read(id)).body).toMatchObject({ price: 479, stock: 3 });
});

test('a product is never deleted', async () => {
  const { id } = await make();
  expect(await merchant.call({ method: 'DELETE', path: `/product/${id}` })).toMatchObject(refusal(404, 'NOT_FOUND'));
  expect((await read(id)).status).toBe(200);
});

describe('changing a product', () => {
  test('changes only what is sent; null counts as absent, so what is set cannot be unset', async () => {
    const made = await make({ description: 'Azul', stock: 2, externalId: 'sku-4' });
    const { body: renamed } = await patch(made.id, { name: 'Talavera azul', description: null, price: null });
    expect(renamed).toEqual({ ...made, name: 'Talavera azul', updatedAt: expect.any(String) });
    expect((await patch(made.id, { status: 'ARCHIVED', price: 500 })).body).toMatchObject({
      name: 'Talavera azul',
      description: 'Azul',
      price: 500,
      status: 'ARCHIVED',
      stock: 2,
    });
    expect((await patch(made.id, { status: 'ACTIVE' })).body).toMatchObject({ status: 'ACTIVE', price: 500 });
  });

  test('to what it is already changes nothing, not even updatedAt', async () => {
    const made = await make();
    for (const body of [{}, { price: 479, name: 'Talavera' }]) {
      expect(await patch(made.id, body)).toMatchObject({ status: 200, body: made });
    }
    const { version } = await services
      .db('payments')
      .one<{ version: number }>(sql`select version from product where id = ${made.id}`);
    expect(version).toBe(1);
  });

  test.each<[object, string]>([
    [{ name: '' }, 'name: must not be empty'],
    [{ price: -1 }, 'price: must be from 0.01'],
    [{ status: 'GONE' }, 'status: must be one of ACTIVE, ARCHIVED'],
    [{ stock: 5 }, 'stock: is not a known field'],
    [{ currency: 'MXN' }, 'currency: is not a known field'],
    [{ externalId: 'x' }, 'externalId: is not a known field'],
  ])('refuses %j and changes nothing', async (body, message) => {
    const made = await make();
    expect(await patch(made.id, { description: 'Nuevo', ...body })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', message: expect.stringContaining(message) },
    });
    expect((await read(made.id)).body).toEqual(made);
  });

  test('by several at once loses nobody’s field', async () => {
    const { id } = await make({ stock: 10 });
    await Promise.all([
      ...['name', 'description'].map((field) => patch(id, { [field]: `of ${field}` })),
      patch(id, { price: 12 }),
      patch(id, { status: 'ARCHIVED' }),
      addStock(id, { change: -4 }),
    ]);
    expect((await read(id)).body).toMatchObject({
      name: 'of name',
      description: 'of description',
      price: 12,
      status: 'ARCHIVED',
      stock: 6,
    });
  });
});

describe('changing the stock', () => {
  test('adds and takes away, and answers the product', async () => {
    const made = await make({ stock: 5 });
    expect(await addStock(made.id, { change: 7 })).toMatchObject({ status: 201, body: { id: made.id, stock: 12 } });
    expect(await addStock(made.id, { change: -12 })).toMatchObject({ status: 201, body: { stock: 0 } });
  });

  test('below zero is 409 STOCK_INSUFFICIENT; uncounted is 409 STOCK_NOT_COUNTED', async () => {
    const { id } = await make({ stock: 5 });
    expect(await addStock(id, { change: -6 })).toMatchObject(refusal(409, 'STOCK_INSUFFICIENT'));
    expect(await stockOf(id)).toBe(5);
    const uncounted = await make();
    expect(await addStock(uncounted.id, { change: 1 })).toMatchObject(refusal(409, 'STOCK_NOT_COUNTED'));
  });

  test.each<[object, string]>([
    [{}, 'change: is required'],
    [{ change: 0 }, 'change: must not be 0'],
    [{ change: 999_996 }, 'nor bring the stock above 1000000'],
    [{ change: 1_000_001 }, 'change: must be from -1000000 to 1000000'],
    [{ change: 0.5 }, 'change: must be a whole number'],
    [{ change: '1' }, 'change: must be a whole number'],
    [{ change: 1, stock: 1 }, 'stock: is not a known field'],
  ])('refuses %j', async (body, message) => {
    const { id } = await make({ stock: 5 });
    expect(await addStock(id, { externalId: newId(), ...body })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', message: expect.stringContaining(message) },
    });
    expect(await stockOf(id)).toBe(5);
  });

  test('under an externalId counts once, however often and at once it is sent', async () => {
    const { id } = await make({ stock: 5 });
    const another = await make({ stock: 5 });
    const body = { change: 3, externalId: 'delivery-1' };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => patiently(() => addStock(id, body, merchant, n % 2))),
    );
    expect(answers.map(({ status, body: answer }) => [status, (answer as Product).stock])).toEqual(
      answers.map(() => [201, 8]),
    );
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(await addStock(id, { ...body, change: 4 })).toMatchObject(refusal(409, 'EXTERNAL_ID_MISMATCH'));
    expect(await addStock(another.id, body)).toMatchObject(refusal(409, 'EXTERNAL_ID_MISMATCH'));
    expect([await stockOf(id), await stockOf(another.id)]).toEqual([8, 5]);
  });

  test('one externalId for two products at once changes one of them', async () => {
    const products = await Promise.all([make({ stock: 0 }), make({ stock: 0 })]);
    const answers = await Promise.all(products.map(({ id }) => addStock(id, { change: 1, externalId: 'delivery-2' })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    const stocks = await Promise.all(products.map(({ id }) => stockOf(id)));
    expect(stocks.toSorted((a, b) => Number(a) - Number(b))).toEqual([0, 1]);
  });

  test('a refused change spends no externalId', async () => {
    const { id } = await make({ stock: 1 });
    const body = { change: -2, externalId: 'delivery-3' };
    expect(await addStock(id, body)).toMatchObject(refusal(409, 'STOCK_INSUFFICIENT'));
    await addStock(id, { change: 1 });
    expect(await addStock(id, body)).toMatchObject({ status: 201, body: { stock: 0 } });
    // It is replayed, although a new one would be refused now.
    expect(await addStock(id, body)).toMatchObject({ status: 201, body: { stock: 0 } });
  });

  test('by many at once at two replicas ends at the sum, and never below zero', async () => {
    const { id } = await make({ stock: 10 });
    const changes = Array.from({ length: 30 }, (_, n) => (n % 3 === 0 ? 2 : -3));
    const answers = await Promise.all(
      changes.map((change, n) => patiently(() => addStock(id, { change }, merchant, n % 2))),
    );
    const made = changes.filter((_, n) => answers[n]?.status === 201);
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect(made.filter((change) => change > 0)).toHaveLength(10);
    expect(await stockOf(id)).toBe(10 + made.reduce((sum, change) => sum + change, 0));
  });
});

describe('the list', () => {
  test('is the organization’s, newest first, by page, pageSize and status', async () => {
    const shop = await testMerchant(services);
    const made = [await make({}, shop), await make({}, shop), await make({}, shop)];
    await patch(made[1]?.id ?? '', { status: 'ARCHIVED' }, shop);
    const list = async (query: string) => (await shop.call({ path: `/product${query}` })).body as { items: Product[] };
    const ids = async (query: string) => (await list(query)).items.map(({ id }) => id);
    const [first, second, third] = made.map(({ id }) => id);
    expect(await list('')).toMatchObject({ count: 3, page: 1, pageSize: 100 });
    expect(await ids('')).toEqual([third, second, first]);
    expect(await list('?page=2&pageSize=2')).toMatchObject({ count: 3, page: 2, pageSize: 2, items: [{ id: first }] });
    expect(await ids('?status=ARCHIVED')).toEqual([second]);
    expect(await ids('?status=ACTIVE')).toEqual([third, first]);
    for (const query of ['?status=GONE', '?pageSize=501', '?page=0', '?name=x']) {
      expect(await shop.call({ path: `/product${query}` })).toMatchObject(refusal(400, 'VALIDATION_ERROR'));
    }
  });
});

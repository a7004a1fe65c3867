import { newId } from '@cobro/contracts/ids.ts';
import type { PaymentLink } from '@cobro/contracts/payment-links.ts';
import { sql } from '@cobro/postgres/database.ts';
import { approvedCard } from '@cobro/testing/card-numbers.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestPaymentLinks, testPaymentLinks } from '@cobro/testing/test-payment-links.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

let services: RunningServices;
let links: TestPaymentLinks;
let other: TestPaymentLinks;
beforeAll(async () => {
  services = await startServices({ services: ['payments', 'holds'] });
  links = await testPaymentLinks(services);
  other = await testPaymentLinks(services);
});
afterAll(() => services.stop());

const codeOf = ({ status, body }: HttpAnswer) => `${status} ${(body as { code?: string }).code ?? ''}`.trim();
const post = (body: object) => links.merchant.call({ method: 'POST', path: '/payment-link', body });
const list = async (query = '') =>
  (await links.merchant.call({ path: `/payment-link${query}` })).body as { count: number; items: PaymentLink[] };
const asked = { amount: 350, description: 'Clase de yoga' };

describe('creating a payment link', () => {
  test('is answered 201 with all that its merchant sees, and defaults for what was not sent', async () => {
    const made = await links.create();
    expect(made).toEqual({
      id: expect.any(String),
      status: 'ACTIVE',
      active: true,
      description: 'Clase de yoga',
      amount: 350,
      currency: 'MXN',
      product: null,
      allowedTerms: [1],
      maxPayments: null,
      paymentsCount: 0,
      expiresAt: null,
      redirectUrl: null,
      homepageUrl: null,
      externalId: null,
      salesperson: null,
      checkoutUrl: expect.stringMatching(new RegExp(`/checkout/${made.id}$`)),
      createdAt: expect.any(String),
      updatedAt: made.createdAt,
    });
    expect(await links.get(made)).toEqual(made);
  });

  test('of a product asks for its price, and takes its name where it has no description of its own', async () => {
    const product = await links.product(4);
    expect(await links.create({ productId: product })).toMatchObject({
      amount: 350,
      description: 'Talavera',
      product: { id: product, name: 'Talavera' },
    });
    expect(await links.create({ productId: product, description: 'Plato' })).toMatchObject({ description: 'Plato' });
  });

  test('with the same externalId gives the original while the request is the same', async () => {
    const body = { ...asked, externalId: `clase-${newId()}`, maxPayments: 3 };
    const sent = await Promise.all([post(body), post(body), post(body)]);
    expect(new Set(sent.map((answer) => (answer.body as PaymentLink).id)).size).toBe(1);
    await links.change(sent[0]?.body as PaymentLink, { active: false, amount: 400 });
    const again = await post(body);
    expect(again).toMatchObject({ status: 201, body: { amount: 400, status: 'INACTIVE' } });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(codeOf(await post({ ...body, maxPayments: 4 }))).toBe('409 EXTERNAL_ID_MISMATCH');
  });

  test.each([
    ['neither amount nor product', { description: 'x' }, 'amount: give either amount or productId'],
    ['both', { ...asked, productId: newId() }, 'amount: give either amount or productId'],
    ['no description', { amount: 1 }, 'description: is required without productId'],
    ['other terms', { ...asked, allowedTerms: [2] }, 'allowedTerms.0: must be one of 1, 3, 6, 9, 12, 18'],
    ['terms twice', { ...asked, allowedTerms: [3, 3] }, 'allowedTerms: must name each only once'],
    ['no payments', { ...asked, maxPayments: 0 }, 'maxPayments: must be from 1 to 1000000'],
    ['a time that has passed', { ...asked, expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt: must be in the future'],
    ['an address of another kind', { ...asked, redirectUrl: 'ftp://x' }, 'redirectUrl: must be an http or https URL'],
    ['an unknown field', { ...asked, tip: 1 }, 'tip: is not a known field'],
  ])('with %s is 400', async (_what, body, message) => {
    expect(await post(body)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', message: expect.stringContaining(message) },
    });
  });

  test('of an unknown product, another’s or an archived one is refused', async () => {
    const [archived, foreign] = [await links.product(), await other.product()];
    await services.db('payments').run(sql`update product set status = 'ARCHIVED' where id = ${archived}`);
    for (const productId of [newId(), foreign]) expect(codeOf(await post({ productId }))).toBe('404 PRODUCT_NOT_FOUND');
    expect(codeOf(await post({ productId: archived }))).toBe('409 PRODUCT_NOT_ACTIVE');
  });
});

describe('changing a payment link', () => {
  test('changes what is sent; null stays; at the page the next payer sees it', async () => {
    const link = await links.create({ redirectUrl: 'https://yoga.example/', maxPayments: 5 });
    const changed = await links.change(link, {
      amount: 380.5,
      allowedTerms: [1, 6],
      maxPayments: 9,
      redirectUrl: null,
      homepageUrl: 'https://yoga.example/home',
    });
    const now = { amount: 380.5, allowedTerms: [1, 6], homepageUrl: 'https://yoga.example/home' };
    expect(changed).toMatchObject({
      status: 200,
      body: { ...now, redirectUrl: 'https://yoga.example/', maxPayments: 9, description: 'Clase de yoga' },
    });
    expect(await links.view(link)).toMatchObject({
      status: 200,
      body: { id: link.id, status: 'ACTIVE', ...now, organization: { name: 'Café Tacuba' } },
    });
    expect(await links.change(link, {})).toMatchObject({ status: 200, body: changed.body as object });
  });

  test('of a product leaves the price to the product', async () => {
    const link = await links.create({ productId: await links.product() });
    expect(await links.change(link, { amount: 1 })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('amount: is the price of the product') },
    });
    await services.db('payments').run(sql`update product set price = 40000 where id = ${link.product?.id ?? ''}`);
    expect(await links.get(link)).toMatchObject({ amount: 400 });
    expect(codeOf(await links.pay(link, approvedCard(1)))).toBe('409 AMOUNT_CHANGED');
    expect(codeOf(await links.pay(link, approvedCard(1), { amount: 400 }))).toBe('201');
  });

  test('of an unknown one, and of another’s, is 404', async () => {
    const link = await links.create();
    for (const by of [
      other.change(link, { active: false }),
      links.change({ id: newId() }, { active: false }),
      other.merchant.call({ path: `/payment-link/${link.id}` }),
      other.merchant.call({ path: `/payment-link/${link.id}/payment` }),
    ]) {
      expect(codeOf(await by)).toBe('404 PAYMENT_LINK_NOT_FOUND');
    }
  });

  test('by somebody else waits for no lock of its payers, and keeps none from them', async () => {
    const link = await links.create();
    await services.db('payments').inTransaction(async (tx) => {
      await tx.one(sql`select id from payment_link where id = ${link.id} for no key update`);
      const strangers = Array.from({ length: 20 }, () => other.change(link, { active: false }));
      for (const answer of await Promise.all(strangers)) expect(codeOf(answer)).toBe('404 PAYMENT_LINK_NOT_FOUND');
      // Its owner waits until the lock's time limit.
      expect(codeOf(await links.change(link, { active: false }))).toBe('503 SERVICE_UNAVAILABLE');
    });
    expect(codeOf(await links.pay(link, approvedCard(2)))).toBe('201');
    expect(codeOf(await links.view({ id: newId() }))).toBe('404 PAYMENT_LINK_NOT_FOUND');
  });
});

test('a status is derived, INACTIVE before EXPIRED before SOLD_OUT, and the list filters by it', async () => {
  links = await testPaymentLinks(services);
  const expiresAt = new Date(services.now().getTime() + 60_000).toISOString();
  const [one, none] = [await links.product(1), await links.product(5)];
  const all = {
    active: await links.create(),
    off: await links.create({ expiresAt, maxPayments: 1 }),
    archived: await links.create({ productId: none }),
    expired: await links.create({ expiresAt, maxPayments: 1 }),
    full: await links.create({ maxPayments: 1 }),
    noStock: await links.create({ productId: one }),
  };
  for (const link of [all.off, all.expired, all.full, all.noStock]) await links.pay(link, approvedCard(2));
  await links.change(all.off, { active: false });
  await services.db('payments').run(sql`update product set status = 'ARCHIVED' where id = ${none}`);
  await services.moveClock(120_000);
  const statuses = {
    ACTIVE: [all.active],
    INACTIVE: [all.archived, all.off],
    EXPIRED: [all.expired],
    SOLD_OUT: [all.noStock, all.full],
  };
  for (const [status, of] of Object.entries(statuses)) {
    const { count, items } = await list(`?status=${status}`);
    expect([status, count, items.map(({ id }) => id)]).toEqual([status, of.length, of.map(({ id }) => id)]);
    for (const link of of) {
      expect(await links.get(link)).toMatchObject({ status });
      expect(await links.view(link)).toMatchObject({ body: { id: link.id, status } });
    }
  }
  const far = await links.merchant.call({ path: '/payment-link?status=ACTIVE&page=101' });
  expect(far).toMatchObject({
    status: 400,
    body: { message: 'page: must be within the first 10000 links where status is given.' },
  });
  expect((await list('?page=101')).items).toEqual([]);
  expect(Object.keys((await links.view(all.off)).body as object)).toEqual([
    'id',
    'status',
    'homepageUrl',
    'organization',
  ]);
  const walked = await links.merchant.call({
    path: '/developer/v1/payment-link?status=EXPIRED&status=SOLD_OUT&limit=2',
  });
  const { data, pagination } = walked.body as { data: PaymentLink[]; pagination: { nextCursor: string } };
  expect(data.map(({ id }) => id)).toEqual([all.noStock.id, all.full.id]);
  expect(data[0]).toEqual(await links.get(all.noStock));
  const rest = await links.merchant.call({
    path: `/developer/v1/payment-link?status=EXPIRED&status=SOLD_OUT&limit=2&cursor=${pagination.nextCursor}`,
  });
  expect(rest.body).toMatchObject({ data: [{ id: all.expired.id }], pagination: { hasMore: false } });
  const page = await list('?page=2&pageSize=4');
  expect([page.count, page.items.map(({ id }) => id)]).toEqual([6, [all.off.id, all.active.id]]);
  expect(codeOf(await links.merchant.call({ path: '/payment-link?status=PAID' }))).toBe('400 VALIDATION_ERROR');
});

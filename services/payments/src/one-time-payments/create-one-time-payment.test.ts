import { awake } from '@cobro/testing/awake.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestLinks, testLinks } from '@cobro/testing/test-links.ts';
import { sql } from '@cobro/postgres/database.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

let services: RunningServices;
let links: TestLinks;
let other: TestLinks;
beforeAll(async () => {
  services = await startServices({ services: ['payments'] });
  [links, other] = [await testLinks(services), await testLinks(services)];
});
afterAll(() => services.stop());

const post = (body: object, by = links) => by.merchant.call({ method: 'POST', path: '/one-time-payment', body });
const list = async (query = '', by = links) =>
  (await by.merchant.call({ path: `/one-time-payment${query}` })).body as { count: number; items: { id: string }[] };
const inDays = (days: number) => new Date(services.now().getTime() + days * 86_400_000).toISOString();

describe('creating a one-time payment', () => {
  test('answers the list item and the address of its page, with a day to pay and a single payment by default', async () => {
    const { status, body } = await post({ amount: 150.25, description: 'Café' });
    const created = body as Record<string, unknown>;
    expect(status).toBe(201);
    expect(created).toEqual({
      id: expect.any(String),
      status: 'PENDING',
      description: 'Café',
      amount: 150.25,
      currency: 'MXN',
      externalId: null,
      expiresAt: expect.any(String),
      redirectUrl: null,
      homepageUrl: null,
      allowedTerms: [1],
      createdAt: created['updatedAt'],
      updatedAt: expect.any(String),
      billingInformation: null,
      checkoutUrl: expect.stringMatching(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/checkout/${String(created['id'])}$`)),
    });
    const lifetime = Date.parse(String(created['expiresAt'])) - Date.parse(String(created['createdAt']));
    expect(lifetime).toBe(86_400_000);
    expect((await list()).items[0]).toMatchObject({ id: created['id'] });
  });

  test.each<[object, string]>([
    [{ description: 'x' }, 'amount: is required'],
    [{ amount: 1 }, 'description: is required'],
    [{ amount: 1, description: '' }, 'description: must not be empty'],
    [{ amount: 1, description: 'x'.repeat(501) }, 'description: must have at most 500 characters'],
    [{ amount: 0, description: 'x' }, 'amount: must be from 0.01'],
    [{ amount: 1, description: 'x', currency: 'USD' }, 'currency: must be MXN'],
    [{ amount: 1, description: 'x', allowedTerms: [2] }, 'allowedTerms.0: must be one of 1, 3, 6, 9, 12'],
    [{ amount: 1, description: 'x', allowedTerms: [] }, 'allowedTerms: must name at least one'],
    [{ amount: 1, description: 'x', allowedTerms: [3, 3] }, 'allowedTerms: must name each only once'],
    [{ amount: 1, description: 'x', redirectUrl: 'javascript:alert(1)' }, 'redirectUrl: must be an http or https URL'],
    [{ amount: 1, description: 'x', homepageUrl: 'tacuba' }, 'homepageUrl: must be an http or https URL'],
    [{ amount: 1, description: 'x', expiresAt: 'tomorrow' }, 'expiresAt: must be a date-time with offset'],
    [{ amount: 1, description: 'x', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt: must be in the future'],
    [{ amount: 1, description: 'x', expiresIn: 5 }, 'expiresIn: is not a known field'],
  ])('refuses %j', async (body, message) => {
    expect(await post(body)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', message: expect.stringContaining(message) },
    });
  });

  test('can be for 30 days, and not for more', async () => {
    expect(await post({ amount: 1, description: 'x', expiresAt: inDays(29.99) })).toMatchObject({ status: 201 });
    expect(await post({ amount: 1, description: 'x', expiresAt: inDays(30.01) })).toMatchObject({ status: 400 });
  });

  test('under an externalId makes one link, however often and at once it is sent', async () => {
    const body = { amount: 10, description: 'Pan', externalId: 'order-1', allowedTerms: [1, 3] };
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(body)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map((answer) => (answer.body as { id: string }).id)).size).toBe(1);
    expect((await post(body)).headers.get('idempotent-replayed')).toBe('true');
    expect(await post(body, other)).toMatchObject({ status: 201 });
    // A default that is sent makes another request, too.
    for (const changed of [{ amount: 11 }, { allowedTerms: [3, 1] }, { currency: 'MXN' }, { description: 'pan' }]) {
      expect(await post({ ...body, ...changed })).toMatchObject({
        status: 409,
        body: { code: 'EXTERNAL_ID_MISMATCH' },
      });
    }
  });
});

describe('the list', () => {
  test('is the organization’s, newest first, by page, status and currency', async () => {
    const [first, second] = [await other.create(), await other.create()];
    await other.cancel(first);
    expect((await list('?pageSize=1', other)).items.map(({ id }) => id)).toEqual([second.id]);
    expect((await list('?status=CANCELLED', other)).items.map(({ id }) => id)).toEqual([first.id]);
    expect((await list('?currency=MXN&status=CONFIRMED', other)).count).toBe(0);
    expect(await other.merchant.call({ path: '/one-time-payment?currency=USD' })).toMatchObject({ status: 400 });
    expect(await other.merchant.call({ path: '/one-time-payment?state=PENDING' })).toMatchObject({ status: 400 });
  });
});

test('a cancellation by somebody else waits for no lock of the link’s payers, and keeps none from them', async () => {
  const link = await links.create();
  await services.db('payments').inTransaction(async (tx) => {
    await tx.one(sql`select id from one_time_payment where id = ${link.id} for update`);
    expect(await awake(tx, other.cancel(link))).toMatchObject({
      status: 404,
      body: { code: 'ONE_TIME_PAYMENT_NOT_FOUND' },
    });
    // Its owner waits until the lock's time limit.
    expect(await awake(tx, links.cancel(link))).toMatchObject({ status: 503 });
  });
});

test('another organization’s link can be seen by its id', async () => {
  const link = await links.create({ billingInformation: { email: 'ana@example.com' } });
  expect((await other.view(link)).body).toEqual({
    status: 'PENDING',
    expired: false,
    id: link.id,
    amount: 900,
    currency: 'MXN',
    expiresAt: link.expiresAt,
    homepageUrl: null,
    organization: { name: 'Café Tacuba', business: { websiteURL: null } },
  });
});

describe('the record of a link', () => {
  const record = (id: string, by = links) => by.merchant.call({ path: `/one-time-payment/${id}/record` });

  test('is its list item with the address of its page, whether it has expired, and the payment that paid it', async () => {
    const { body: created } = await post({ amount: 10, description: 'Pan', allowedTerms: [1, 3] });
    const { id } = created as { id: string };
    expect((await record(id)).body).toEqual({
      ...(created as object),
      expired: false,
      payment: null,
      salesperson: null,
    });
    const paid = (await links.pay({ id })) as { status: number; body: { operationCode: number } };
    expect(paid.status).toBe(201);
    expect((await record(id)).body).toMatchObject({
      status: 'CONFIRMED',
      payment: { id: expect.any(String), status: 'CONFIRMED', operationCode: paid.body.operationCode },
    });
  });

  test('is 404 for everybody else', async () => {
    const { id } = await links.create();
    expect(await record(id, other)).toMatchObject({ status: 404, body: { code: 'ONE_TIME_PAYMENT_NOT_FOUND' } });
    expect(await record(crypto.randomUUID())).toMatchObject({ status: 404 });
  });
});

test('a merchant reads its own fee table, and another one its own', async () => {
  const fees = async (by = links) => (await by.merchant.call({ path: '/fee-channel' })).body as { items: object[] };
  const before = await fees(other);
  await services.db('payments').run(sql`
    insert into fee_channel (organization_id, type, network, funding_source, terms, fee_bps, promotion_fee_discount_bps,
      promotion_business_take_bps)
    values (${links.merchant.organizationId}, 'CARD_NOT_PRESENT', 'AMEX', 'CREDIT', 18, 425, 25, 0)`);
  expect((await fees()).items).toContainEqual({
    type: 'CARD_NOT_PRESENT',
    network: 'AMEX',
    fundingSource: 'CREDIT',
    terms: 18,
    feePercentage: 4.25,
    promotionFeeDiscount: 0.25,
    promotionBusinessTake: 0,
  });
  expect(await fees(other)).toEqual(before);
});

import { newEvent } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { sql } from '@cobro/postgres/database.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { testMerchant } from '@cobro/testing/test-merchant.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type TestPromotions, testPromotions } from '@cobro/testing/test-promotions.ts';

let services: RunningServices;
let shop: TestPromotions;
let other: TestPromotions;
beforeAll(async () => {
  services = await startServices({ services: ['payments'] });
  [shop, other] = [await testPromotions(services), await testPromotions(services)];
});
afterAll(() => services.stop());

const hours = (from: number) => new Date(services.now().getTime() + from * 3_600_000).toISOString();
const statusOf = async (id: string, of = shop) => (await of.read(id)).status;

describe('creating a promotion', () => {
  test('answers it, PENDING while its sponsor would bear a part of the fee', async () => {
    const [startsAt, endsAt] = [hours(-1), hours(48)];
    const asked = { name: 'Talavera', feeDiscount: 4.5, businessTake: 1.25, terms: [6], startsAt, endsAt };
    const { status, body } = await shop.post(asked);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      ...asked,
      status: 'PENDING',
      types: [],
      networks: [],
      issuingBanks: [],
      productIds: [],
      minimumAmount: null,
      maxPayments: null,
      paymentsCount: 0,
      sponsor: { id: shop.partnerId, name: 'Fabricante' },
      externalId: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(await shop.read((body as { id: string }).id)).toEqual(body);
  });

  test('without a discount is at once SCHEDULED, ACTIVE and ENDED by the clock', async () => {
    const asked = { startsAt: hours(2), endsAt: hours(4), minimumAmount: 300, maxPayments: 5, types: ['CARD_PRESENT'] };
    const made = await shop.create({ ...asked, networks: ['VISA'], issuingBanks: ['BBVA'] });
    expect(made).toMatchObject({ status: 'SCHEDULED', ...asked, networks: ['VISA'], issuingBanks: ['BBVA'] });
    await services.moveClock(2 * 3_600_000);
    expect(await statusOf(made.id)).toBe('ACTIVE');
    await services.moveClock(2 * 3_600_000);
    expect(await statusOf(made.id)).toBe('ENDED');
  });

  test.each<[object, string]>([
    [{ name: '' }, 'name: must not be empty'],
    [{ terms: undefined }, 'terms: is required'],
    [{ terms: [2] }, 'terms.0: must be one of 1, 3, 6, 9, 12, 18'],
    [{ terms: [1, 1] }, 'terms: must name each only once'],
    [{ startsAt: undefined }, 'startsAt: is required'],
    [{ endsAt: 'tomorrow' }, 'endsAt: must be a date-time with offset'],
    [{ endsAt: '2020-01-01T00:00:00Z' }, 'endsAt: must be in the future, and after startsAt'],
    [{ startsAt: '2099-01-01T00:00:00Z', endsAt: '2098-01-01T00:00:00Z' }, 'endsAt: must be in the future'],
    [{ feeDiscount: 20.01 }, 'feeDiscount: must be from 0 to 20, with at most two decimals'],
    [{ feeDiscount: 1.005 }, 'feeDiscount: must be from 0 to 20, with at most two decimals'],
    [{ feeDiscount: -1 }, 'feeDiscount: must be from 0 to 20'],
    [{ businessTake: 50.01 }, 'businessTake: must be from 0 to 50'],
    [{ businessTake: '1' }, 'businessTake: must be a number'],
    [{ businessTake: 0 }, 'feeDiscount: must be above 0 where businessTake is not'],
    [{ types: ['CARD'] }, 'types.0: must be one of CARD_PRESENT, CARD_NOT_PRESENT'],
    [{ networks: ['visa'] }, 'networks.0: must be one of VISA'],
    [{ issuingBanks: [''] }, 'issuingBanks.0: must not be empty'],
    [{ productIds: ['1'] }, 'productIds.0: must be a UUID'],
    [{ minimumAmount: 0 }, 'minimumAmount: must be from 0.01'],
    [{ maxPayments: 0 }, 'maxPayments: must be from 1 to 1000000'],
    [{ maxPayments: 1.5 }, 'maxPayments: must be a whole number'],
    [{ sponsor: 'x' }, 'sponsor: is not a known field'],
  ])('refuses %j', async (body, message) => {
    expect(await shop.post(body)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', message: expect.stringContaining(message) },
    });
  });

  test('under an externalId makes one promotion, however often and at once it is sent', async () => {
    const asked = { externalId: 'promotion-1', startsAt: hours(-1), endsAt: hours(5) };
    const answers = await Promise.all(Array.from({ length: 8 }, () => shop.post(asked)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ body }) => (body as { id: string }).id)).size).toBe(1);
    expect((await shop.post(asked)).headers.get('idempotent-replayed')).toBe('true');
    expect(await shop.post({ ...asked, businessTake: 1.26 })).toMatchObject({
      status: 409,
      body: { code: 'EXTERNAL_ID_MISMATCH' },
    });
    expect(await other.post(asked)).toMatchObject({ status: 201 });
    await services.moveClock(6 * 3_600_000);
    expect(await shop.post(asked)).toMatchObject({ status: 201, body: { status: 'ENDED' } });
  });

  test('needs the organization’s own products', async () => {
    const [ours, theirs] = [newId(), newId()];
    for (const [id, { merchant }] of [
      [ours, shop],
      [theirs, other],
    ] as const) {
      await services.db('payments').run(sql`
        insert into product (id, organization_id, request_digest, name, price, currency, created_at, updated_at)
        values (${id}, ${merchant.organizationId}, ${Buffer.from('digest')}, 'Talavera', 100, 'MXN', now(), now())`);
    }
    expect(await shop.post({ productIds: [ours] })).toMatchObject({ status: 201, body: { productIds: [ours] } });
    for (const productIds of [[ours, theirs], [newId()]]) {
      expect(await shop.post({ productIds })).toMatchObject({ status: 404, body: { code: 'PRODUCT_NOT_FOUND' } });
    }
  });

  test('needs a sponsor', async () => {
    const alone = await testMerchant(services);
    const path = '/promotion';
    const body = { name: 'x', businessTake: 1, terms: [1], startsAt: hours(-1), endsAt: hours(1) };
    const post = () => alone.call({ method: 'POST', path, body });
    expect(await post()).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    await services.db('payments').run(sql`
      insert into organization (id, name, sequence) values (${alone.organizationId}, 'Sin socio', 1)`);
    expect(await post()).toMatchObject({ status: 409, body: { code: 'PROMOTION_SPONSOR_MISSING' } });
  });

  test('is refused where fifty have not ended, also of many at once', async () => {
    const full = await testPromotions(services);
    const [first] = await Promise.all(Array.from({ length: 45 }, () => full.create()));
    const answers = await Promise.all(Array.from({ length: 12 }, () => full.post()));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(7);
    for (const answer of refused)
      expect(answer).toMatchObject({ status: 409, body: { code: 'PROMOTION_LIMIT_REACHED' } });
    await full.end(first?.id ?? '');
    expect(await full.post()).toMatchObject({ status: 201 });
    expect(await full.post()).toMatchObject({ status: 409 });
  });
});

describe('reading promotions', () => {
  test('the list is the organization’s, newest first, by page and status', async () => {
    const own = await testPromotions(services);
    const [pending] = [(await own.post({ feeDiscount: 1 })).body as { id: string }];
    const scheduled = await own.create({ startsAt: hours(1) });
    const active = await own.create();
    const ended = await own.create();
    await own.end(ended.id);
    const list = async (query: string) => {
      const { body } = await own.merchant.call({ path: `/promotion${query}` });
      const { items, ...rest } = body as { count: number; items: { id: string }[] };
      return { ...rest, ids: items.map(({ id }) => id) };
    };
    const all = [ended.id, active.id, scheduled.id, pending.id];
    expect(await list('')).toEqual({ count: 4, page: 1, pageSize: 100, ids: all });
    expect(await list('?page=2&pageSize=3')).toMatchObject({ count: 4, ids: [pending.id] });
    expect(await list('?status=PENDING')).toMatchObject({ count: 1, ids: [pending.id] });
    expect(await list('?status=SCHEDULED')).toMatchObject({ ids: [scheduled.id] });
    expect(await list('?status=ACTIVE')).toMatchObject({ ids: [active.id] });
    expect(await list('?status=ENDED')).toMatchObject({ ids: [ended.id] });
    expect(await own.merchant.call({ path: '/promotion?status=DONE' })).toMatchObject({ status: 400 });

    const walk = async (query: string) => {
      const { body } = await own.merchant.call({ path: `/developer/v1/promotion${query}` });
      return body as { data: { id: string }[]; pagination: { nextCursor: string | null } };
    };
    const { data, pagination } = await walk('?limit=3');
    expect(data.map(({ id }) => id)).toEqual(all.slice(0, 3));
    expect((await walk(`?limit=3&cursor=${pagination.nextCursor}`)).data).toEqual([await own.read(pending.id)]);
    expect((await walk('?status=ENDED&status=PENDING')).data.map(({ id }) => id)).toEqual([ended.id, pending.id]);
    expect((await own.merchant.call({ path: `/developer/v1/promotion/${active.id}` })).body).toEqual(active);
  });

  test('one of another organization, or none, is 404, and cannot be ended', async () => {
    const { id } = await other.create();
    for (const unknown of [id, newId()]) {
      const answer = { status: 404, body: { code: 'PROMOTION_NOT_FOUND' } };
      expect(await shop.merchant.call({ path: `/promotion/${unknown}` })).toMatchObject(answer);
      expect(await shop.end(unknown)).toMatchObject(answer);
    }
    expect(await statusOf(id, other)).toBe('ACTIVE');
  });
});

test('ending is for good, and answers the same again', async () => {
  const { id } = await shop.create();
  const first = await shop.end(id);
  expect(first).toMatchObject({ status: 200, body: { id, status: 'ENDED' } });
  expect((await shop.end(id)).body).toEqual(first.body);
  expect(await shop.accept(id)).toMatchObject({ status: 409, body: { code: 'PROMOTION_ENDED' } });
});

describe('the sponsor', () => {
  test('accepts, and accepts again', async () => {
    const { id } = (await shop.post({ feeDiscount: 3 })).body as { id: string };
    const accepted = await shop.accept(id);
    const organization = { id: shop.merchant.organizationId, name: 'Café Tacuba' };
    expect(accepted).toMatchObject({ status: 200, body: { id, status: 'ACTIVE', organization } });
    expect((await shop.accept(id)).body).toEqual(accepted.body);
    expect((await shop.ask('GET', `/developer/promotion/${id}`)).body).toEqual(accepted.body);
    expect(await statusOf(id)).toBe('ACTIVE');
  });

  test('of one that is accepted and ended at once sees one order of both', async () => {
    for (let i = 0; i < 10; i++) {
      const { id } = (await shop.post({ feeDiscount: 3 })).body as { id: string };
      const [accepted, ended] = await Promise.all([shop.accept(id), shop.end(id)]);
      expect(ended.status).toBe(200);
      expect([200, 409]).toContain(accepted.status);
      expect(await statusOf(id)).toBe('ENDED');
    }
  });

  test('ends one, and ends it again', async () => {
    const { id } = await shop.create({ feeDiscount: 1 });
    const ended = await shop.ask('POST', `/developer/promotion/${id}/end`);
    expect(ended).toMatchObject({ status: 200, body: { status: 'ENDED' } });
    expect((await shop.ask('POST', `/developer/promotion/${id}/end`)).body).toEqual(ended.body);
  });

  test('may not touch what another sponsors, or what does not exist', async () => {
    const { id } = (await other.post({ feeDiscount: 1 })).body as { id: string };
    for (const unknown of [id, newId()]) {
      expect(await shop.ask('GET', `/developer/promotion/${unknown}`)).toMatchObject({ status: 403 });
      for (const what of ['accept', 'end']) {
        expect(await shop.ask('POST', `/developer/promotion/${unknown}/${what}`)).toMatchObject({
          status: 403,
          body: { code: 'FORBIDDEN' },
        });
      }
    }
    expect(await statusOf(id, other)).toBe('PENDING');
  });

  test('lists what it sponsors, of each organization', async () => {
    const partnerId = newId();
    const [one, two] = [await testPromotions(services, { partnerId }), await testPromotions(services, { partnerId })];
    const [first, second] = [await one.create(), await two.create({ feeDiscount: 2 })];
    await one.end(first.id);
    const list = async (query: string) => (await one.ask('GET', `/developer/promotion${query}`)).body;
    const organization = { id: two.merchant.organizationId, name: 'Café Tacuba' };
    expect(await list('?limit=1')).toEqual({
      data: [{ ...second, organization }],
      pagination: { limit: 1, offset: 0, count: 2 },
    });
    expect(await list('?offset=1')).toMatchObject({ data: [{ id: first.id }], pagination: { count: 2 } });
    expect(await list('?status=ENDED')).toMatchObject({ data: [{ id: first.id }] });
    expect(await list('?status=ACTIVE&status=PENDING')).toMatchObject({ data: [{ id: second.id }] });
    for (const id of [two.merchant.organizationId, two.merchant.organizationId.toUpperCase()]) {
      expect(await list(`?organizationId=${id}`)).toMatchObject({ data: [{ id: second.id }] });
    }
    for (const id of [shop.merchant.organizationId, newId()]) {
      expect(await one.ask('GET', `/developer/promotion?organizationId=${id}`)).toMatchObject({ status: 403 });
    }
  });
});

describe('an organization that changes its sales partner', () => {
  test('ends what the one before has promised, at whatever time the event comes', async () => {
    const own = await testPromotions(services);
    const { organizationId } = own.merchant;
    const [active, scheduled] = [await own.create({ feeDiscount: 1 }), await own.create({ startsAt: hours(1) })];
    const { id: pending } = (await own.post({ feeDiscount: 1 })).body as { id: string };
    const partnerId = newId();
    const changed = (sequence: number, of: string, name: string) =>
      newEvent('OrganizationChanged', {
        subject: organizationId,
        sequence,
        time: new Date(),
        data: { organizationId, name: 'Café Tacuba', websiteURL: null, partnerId: of, partnerName: name },
      });
    const bring = async (body: ReturnType<typeof changed>) => {
      const caller = { kind: 'service', name: 'gateway' } as const;
      const answer = await services.call('payments', { method: 'POST', path: '/internal/events', body, caller });
      expect(answer.status).toBe(200);
    };
    await bring(changed(2, own.partnerId, 'Fabricante, S. A.'));
    expect(await statusOf(active.id, own)).toBe('ACTIVE');
    await bring(changed(4, partnerId, 'Otro'));
    for (const id of [active.id, scheduled.id, pending]) expect(await statusOf(id, own)).toBe('ENDED');
    expect(await own.accept(pending)).toMatchObject({ status: 409, body: { code: 'PROMOTION_ENDED' } });
    // The earlier partner still lists what it sponsored, and cannot accept the new promotion.
    const made = await own.post({ feeDiscount: 1 });
    const { id } = made.body as { id: string };
    expect(made).toMatchObject({ status: 201, body: { sponsor: { id: partnerId, name: 'Otro' } } });
    expect(await own.accept(id)).toMatchObject({ status: 403 });
    // A late event, and a repeated one.
    await bring(changed(3, own.partnerId, 'Fabricante'));
    await bring(changed(4, partnerId, 'Otro'));
    expect(await statusOf(id, own)).toBe('PENDING');
  });
});

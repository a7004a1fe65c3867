import type { Caller, CallerOf, Role } from '@cobro/contracts/caller.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { sql } from '@cobro/postgres/database.ts';
import { chargesSavedCard } from '@cobro/contracts/route.ts';
import { TOKEN_HEADER } from '@cobro/service-kit/internal-token.ts';
import '@cobro/testing/check-answers.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { testRedis } from '@cobro/testing/test-redis.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  mainRoutes,
  partnerRoutes,
  peopleRoutes,
  platformRoutes,
  type OutsideRoute as Route,
} from './outside-routes.ts';
import { call } from './test-client.ts';
import { startTestGateway, type TestGateway } from './test-gateway.ts';

let database: TestDatabase;
let gateway: TestGateway;

beforeAll(async () => {
  database = await testDatabase('gateway');
  gateway = await startTestGateway(database.url, { redis: testRedis() });
});
afterAll(async () => {
  await gateway.close();
  await database.drop();
});
beforeEach(() => {
  gateway.upstream.received.length = 0;
  gateway.logged.length = 0;
});

type Person = CallerOf<'person'>;
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const person = (change: Partial<Person> = {}): Person => ({
  kind: 'person',
  personId: newId(),
  scope: { kind: 'organization', organizationId: gateway.organizationId },
  role: 'owner',
  provedAt: minutesAgo(1),
  ...change,
});
const ofPartner = (change: Partial<Person> = {}) =>
  person({ scope: { kind: 'partner', partnerId: newId() }, ...change });
const scoped = ({ who }: Route, change: Partial<Person> = {}) =>
  who === 'partner' ? ofPartner(change) : person(change);

const pathOf = ({ path }: Route) => path.replaceAll(/:\w+/g, () => newId());
const ask = async (route: Route, token: string, url = gateway.peopleUrl) =>
  call(url, route.method, pathOf(route), { headers: { [TOKEN_HEADER]: token } });
const askAs = async (route: Route, caller: Caller, url?: string) =>
  ask(route, await gateway.signAsDashboard(caller, 'gateway'), url);

/** intents has no upstream here: 501 says that the door let the request in. Requests to the gateway's own routes have no body or key. */
const LET_IN = [200, 400, 404, 501];
const all = [...mainRoutes, ...partnerRoutes];
const routes = peopleRoutes.map((route) => ({ ...route }));
const find = (path: string, method = 'GET') =>
  all.find((route) => route.path === path && route.method === method) as Route;
const list = find('/api/payment-method');

describe('a person of the right role', () => {
  test.each(routes)('may $people: $method $path', async (route) => {
    const least: Role = route.people === 'own' ? 'owner' : route.people === 'operate' ? 'operator' : 'read-only';
    const caller = scoped(route, { role: route.who === 'partner' && least === 'read-only' ? 'viewer' : least });
    const answer = await askAs(route, caller);
    expect(LET_IN).toContain(answer.status);
    // The line is written once the connection is done with the answer, maybe after the caller has it.
    const lines = () => gateway.logged.filter((line) => 'personId' in line && line.personId === caller.personId);
    await until('the line is written', () => lines().length > 0);
    expect(lines()).toMatchObject([{ route: route.path, keyId: undefined }]);
  });

  test('is to a service the merchant for whom they act, with their name', async () => {
    const caller = person({ role: 'operator' });
    await askAs(list, caller);
    const [{ headers } = { headers: {} }] = gateway.upstream.received;
    const token = String((headers as Record<string, unknown>)[TOKEN_HEADER]);
    expect(await gateway.verifyToken(token)).toEqual({
      issuer: 'gateway',
      caller: {
        kind: 'merchant',
        organizationId: gateway.organizationId,
        by: { kind: 'person', id: caller.personId },
      },
    });
  });

  test('has the budget of a key where keys have one', async () => {
    const route = find('/api/developer/v1/payment');
    const caller = person();
    const remaining = async (by: Person) => (await askAs(route, by)).headers['x-ratelimit-remaining'];
    expect([await remaining(caller), await remaining(caller), await remaining(person())]).toEqual([
      '119',
      '118',
      '119',
    ]);
  });
});

describe('a person of a lesser role', () => {
  test.each(routes.filter(({ people }) => people !== 'read'))('may not $people: $method $path', async (route) => {
    const lesser: Role[] = route.people === 'own' ? ['read-only', 'viewer', 'operator'] : ['read-only', 'viewer'];
    for (const role of lesser) {
      expect(await askAs(route, scoped(route, { role }))).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    }
    expect(gateway.upstream.received).toEqual([]);
  });
});

test.each(routes.filter(({ who }) => who !== 'person'))(
  'a person of another kind of scope is refused: $method $path',
  async (route) => {
    const caller = route.who === 'partner' ? person() : ofPartner();
    expect(await askAs(route, caller)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect(gateway.upstream.received).toEqual([]);
  },
);

test('with an old factor an owner reads, and changes nothing that is the owner’s', async () => {
  const owned = routes.filter(({ people, method }) => people === 'own' && method !== 'GET');
  expect(owned.length).toBeGreaterThan(3);
  for (const route of owned) {
    const stale = scoped(route, { provedAt: minutesAgo(15.1) });
    expect(await askAs(route, stale)).toMatchObject({ status: 403, code: 'FACTOR_NEEDED' });
    expect(LET_IN).toContain((await askAs(route, scoped(route, { provedAt: minutesAgo(14.9) }))).status);
  }
  expect((await askAs(list, person({ provedAt: minutesAgo(700) }))).status).toBe(200);
});

test('the people of one organization get 60 refunds an hour, whoever they say they are, its keys more', async () => {
  const scope = { kind: 'organization', organizationId: gateway.otherOrganizationId } as const;
  const refunds = routes.filter(({ path }) => path.endsWith('/refund'));
  const one = refunds.find(({ service }) => service === 'payments') as Route;
  const answers = await Promise.all(Array.from({ length: 65 }, () => askAs(one, person({ scope, role: 'operator' }))));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
  expect(answers.filter(({ code }) => code === 'RATE_LIMIT_EXCEEDED')).toHaveLength(5);
  expect(gateway.upstream.received).toHaveLength(60);
  for (const other of refunds) {
    const answer = await askAs(other, person({ scope }));
    expect(answer.status).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3_000);
    expect(LET_IN).toContain((await askAs(other, person())).status);
  }
  const byKey = { headers: { 'x-api-key': gateway.otherApiKey } };
  expect((await call(gateway.url, 'POST', pathOf(one), byKey)).status).toBe(200);
});

test('they create, change and collect subscriptions 60 times an hour, besides their refunds', async () => {
  const organizationId = newId();
  const scope = { kind: 'organization', organizationId } as const;
  const charges = routes.filter((route) => chargesSavedCard(route));
  expect(charges.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
    'PATCH /api/subscription/:id',
    'POST /api/subscription',
    'POST /api/subscription/:id/period/:number/charge',
  ]);
  const at = (i: number) => charges[i % charges.length] as Route;
  const answers = await Promise.all(
    Array.from({ length: 65 }, (_, i) => askAs(at(i), person({ scope, role: 'operator' }))),
  );
  expect(answers.filter(({ code }) => code === 'RATE_LIMIT_EXCEEDED')).toHaveLength(5);
  expect(gateway.upstream.received).toHaveLength(60);
  const refund = routes.find(({ path, service }) => path.endsWith('/refund') && service === 'payments') as Route;
  expect((await askAs(refund, person({ scope }))).status).toBe(200);
});

test('a refund that was not sent uses none of the 60 up, whether a service or the door says so', async () => {
  const scope = { kind: 'organization', organizationId: newId() } as const;
  const refund = routes.find(({ path, service }) => path.endsWith('/refund') && service === 'payments') as Route;
  const refundNow = () => askAs(refund, person({ scope, role: 'operator' }));
  gateway.upstream.answer((_req, res) => void res.writeHead(503, { 'content-type': 'application/json' }).end('{}'));
  for (let i = 0; i < 62; i++) expect((await refundNow()).status).toBe(503);
  const headers = { [TOKEN_HEADER]: await gateway.signAsDashboard(person({ scope }), 'gateway') };
  const tooLarge = await call(gateway.peopleUrl, 'POST', pathOf(refund), { headers, body: 'x'.repeat(70_000) });
  expect(tooLarge.code).toBe('BODY_TOO_LARGE');
  // The last count is given back once its answer is on its way.
  await askAs(list, person());
  gateway.upstream.answer((_req, res) => void res.writeHead(402, { 'content-type': 'application/json' }).end('{}'));
  const asked = await Promise.all(Array.from({ length: 62 }, refundNow));
  expect(asked.filter(({ status }) => status === 402)).toHaveLength(60);
  expect(asked.filter(({ status }) => status === 429)).toHaveLength(2);
  gateway.upstream.answer((_req, res) => void res.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
});

describe('the listener for people', () => {
  test.each(all.filter(({ people }) => people === undefined))('does not have $method $path', async (route) => {
    const answer = await askAs(route, scoped(route));
    expect([404, 405]).toContain(answer.status);
    expect(gateway.upstream.received).toEqual([]);
  });

  test.each<[string, () => Promise<string>]>([
    ['no token', async () => ''],
    ['a person whom the gateway names', () => gateway.sign(person(), 'gateway')],
    ['a person at another service', () => gateway.signAsDashboard(person(), 'payments')],
    [
      'a merchant whom the dashboard names',
      () =>
        gateway.signAsDashboard(
          { kind: 'merchant', by: { kind: 'person', id: newId() }, organizationId: gateway.organizationId },
          'gateway',
        ),
    ],
    ['the dashboard itself', () => gateway.signAsDashboard({ kind: 'service', name: 'dashboard' }, 'gateway')],
    ['a role that is none', () => gateway.signAsDashboard({ ...person(), role: 'admin' as Role }, 'gateway')],
    ['a time that is none', () => gateway.signAsDashboard({ ...person(), provedAt: 'now' }, 'gateway')],
  ])('refuses %s', async (_what, tokenOf) => {
    expect(await ask(list, await tokenOf())).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    expect(gateway.upstream.received).toEqual([]);
  });

  test('takes no key', async () => {
    const answer = await call(gateway.peopleUrl, 'GET', list.path, { headers: { 'x-api-key': gateway.apiKey } });
    expect(answer).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
  });
});

test('a person’s token is refused on the listeners that the outside reaches, and no service sees it', async () => {
  const token = await gateway.signAsDashboard(person(), 'gateway');
  expect(await ask(list, token, gateway.url)).toMatchObject({ status: 401 });
  expect(await ask(find('/api/developer/payment'), token, gateway.partnerUrl)).toMatchObject({ status: 401 });
  await call(gateway.url, 'GET', list.path, { headers: { 'x-api-key': gateway.apiKey, [TOKEN_HEADER]: token } });
  const [{ headers } = { headers: {} }] = gateway.upstream.received;
  expect((headers as Record<string, unknown>)[TOKEN_HEADER]).not.toBe(token);
});

describe('whoever runs the platform', () => {
  const platform = (provedAt = minutesAgo(1)): CallerOf<'platform'> => ({
    kind: 'platform',
    by: { kind: 'person', id: newId() },
    provedAt,
  });
  const send = async (path: string, body: object, caller: Caller = platform()) => {
    const token = await gateway.signAsDashboard(caller, 'gateway');
    const headers = { [TOKEN_HEADER]: token, 'content-type': 'application/json' };
    const answer = await call(gateway.peopleUrl, 'POST', path, { headers, body: JSON.stringify(body) });
    return { status: answer.status, body: JSON.parse(answer.body) as object };
  };

  test.each(platformRoutes)('alone may $method $path', async (route) => {
    expect(LET_IN).toContain((await askAs(route, platform())).status);
    for (const caller of [person(), ofPartner()]) {
      expect(await askAs(route, caller)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    }
    const late = await askAs(route, platform(minutesAgo(15.1)));
    expect(late.code === 'FACTOR_NEEDED').toBe(route.method !== 'GET');
    const token = await gateway.sign(platform(), 'gateway');
    expect(await ask(route, token)).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    expect((await askAs(route, platform(), gateway.url)).status).toBe(404);
    expect((await askAs(route, platform(), gateway.partnerUrl)).status).toBe(404);
  });

  test.each(routes)('may not $method $path', async (route) => {
    expect(await askAs(route, platform())).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect(gateway.upstream.received).toEqual([]);
  });

  test('makes one partner and one organization of a form that is sent twice, and none of one that was changed', async () => {
    const [partnerId, id] = [newId(), newId()];
    const asked = { id, name: 'La Nueva', partnerId, websiteURL: 'https://nueva.example' };
    expect(await send('/api/platform/organization', asked)).toMatchObject({
      status: 400,
      body: { message: 'partnerId: there is no such sales partner.' },
    });
    const both = await Promise.all(
      [1, 2].map(() => send('/api/platform/partner', { id: partnerId, name: 'Ventas del Sur' })),
    );
    const partner = { id: partnerId, name: 'Ventas del Sur' };
    expect(both).toEqual([1, 2].map(() => ({ status: 201, body: partner })));
    const made = await Promise.all([1, 2].map(() => send('/api/platform/organization', asked)));
    const body = { id, name: asked.name, websiteURL: asked.websiteURL, partner };
    expect(made).toEqual([1, 2].map(() => ({ status: 201, body })));
    for (const [path, other] of [
      ['/api/platform/organization', { ...asked, name: 'Otra' }],
      ['/api/platform/partner', { id: partnerId, name: 'Otro' }],
    ] as const) {
      expect(await send(path, other)).toMatchObject({ status: 409, body: { code: 'EXTERNAL_ID_MISMATCH' } });
    }
    const events = await gateway.db.many(sql`select from outbox where aggregate_id = ${id}`);
    expect(events).toHaveLength(1);
    const route = platformRoutes.find(
      ({ path, method }) => path === '/api/platform/partner' && method === 'GET',
    ) as Route;
    const listed = await askAs(route, platform());
    expect((JSON.parse(listed.body) as { items: object[] }).items).toContainEqual(partner);
  });

  test('changes 200 things an hour at most, whoever it says it is', async () => {
    const fees = platformRoutes.find(({ path }) => path.endsWith('/remove')) as Route;
    const answers = await Promise.all(Array.from({ length: 205 }, () => askAs(fees, platform())));
    const refused = answers.filter(({ code }) => code === 'RATE_LIMIT_EXCEEDED');
    expect(refused.length).toBeGreaterThanOrEqual(5);
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(3_000);
  });
});

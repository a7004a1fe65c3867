import '@cobro/testing/check-answers.ts';
import { isMetered, outsidePath } from '@cobro/contracts/route.ts';
import { mainContracts } from '@cobro/contracts/routes.ts';
import { inFull } from '@cobro/testing/in-full.ts';
import { PATIENT_MS } from '@cobro/testing/redis-replicas.ts';
import { proxyTo, type TcpProxy } from '@cobro/testing/tcp-proxy.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { testRedis } from '@cobro/testing/test-redis.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createKey } from '../registry/create-key.ts';
import { createPartner } from '../registry/create-partner.ts';
import { call } from './test-client.ts';
import { startTestGateway, type TestGateway } from './test-gateway.ts';

const LIST = '/api/developer/v1/payment';
const DETAIL = `${LIST}/0197a5a0-0000-7000-8000-000000000001`;

let database: TestDatabase;
let redis: TcpProxy;
let gateway: TestGateway;
let key: string;

beforeAll(async () => {
  database = await testDatabase('gateway');
  const { url, prefix } = testRedis();
  redis = await proxyTo(url);
  await redis.restore();
  gateway = await startTestGateway(database.url, { redis: { url: redis.url, prefix } });
});
afterAll(async () => {
  await gateway.close();
  await redis.cut();
  await database.drop();
});
beforeEach(async () => {
  key = await newKey();
  gateway.upstream.received.length = 0;
  gateway.upstream.answer((_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
  });
});

const newKey = async () =>
  (
    await createKey(gateway.db, { kind: 'merchant', mode: 'test', organizationId: gateway.organizationId })
  ).key.reveal();
const get = (path = LIST, apiKey: string | undefined = key) =>
  call(gateway.url, 'GET', path, { headers: apiKey === undefined ? {} : { 'x-api-key': apiKey } });
const spend = async (requests: number) => {
  for (let i = 0; i < requests; i++) await get();
};
const limitHeaders = (headers: object) => Object.keys(headers).filter((name) => name.startsWith('x-ratelimit-'));

describe('an answer of the read API', () => {
  test('says what is left of the minute that begins with the first request', async () => {
    const begun = performance.now();
    const first = await get();
    expect(first.headers).toMatchObject({
      'x-ratelimit-limit': '120',
      'x-ratelimit-remaining': '119',
      'x-ratelimit-reset': '60',
    });
    const second = await get(DETAIL);
    const elapsedS = (performance.now() - begun) / 1_000;
    expect(second.headers['x-ratelimit-remaining']).toBe('118');
    expect(Number(second.headers['x-ratelimit-reset'])).toBeGreaterThanOrEqual(Math.floor(60 - elapsedS));
  });

  test('of any metered route spends the same limit', async () => {
    const metered = mainContracts.filter(isMetered).map(outsidePath);
    expect(metered.length).toBeGreaterThan(5);
    for (const [n, path] of metered.entries()) {
      const { headers } = await get(path.replace(':id', '0197a5a0-0000-7000-8000-000000000001'));
      expect([path, headers['x-ratelimit-remaining']]).toEqual([path, String(119 - n)]);
    }
  });

  test.each([200, 400, 404, 500, 503])('that is a %d of the service says so as well', async (status) => {
    gateway.upstream.answer((_req, res) => void res.writeHead(status).end('{"code":"X"}'));
    const answer = await get();
    expect(answer).toMatchObject({ status, headers: { 'x-ratelimit-remaining': '119' } });
  });

  test('that the gateway gives for a service says so as well', async () => {
    gateway.upstream.answer((req) => void req.socket.destroy());
    const answer = await get();
    expect(answer).toMatchObject({
      status: 502,
      headers: { 'x-ratelimit-remaining': '119', 'x-ratelimit-reset': '60' },
    });
  });

  test('that is the 403 of a known key counts, and says so', async () => {
    const { id: partnerId } = await createPartner(gateway.db, 'Otro');
    const partnerKey = (await createKey(gateway.db, { kind: 'partner', partnerId })).key.reveal();
    for (const remaining of ['119', '118']) {
      const answer = await get(LIST, partnerKey);
      expect(answer).toMatchObject({ status: 403, headers: { 'x-ratelimit-remaining': remaining } });
    }
  });

  test('that is a 405 of a known key counts, of whatever kind the key is, and says so', async () => {
    const { id: partnerId } = await createPartner(gateway.db, 'Otro');
    const partnerKey = (await createKey(gateway.db, { kind: 'partner', partnerId })).key.reveal();
    for (const apiKey of [key, partnerKey]) {
      for (const remaining of ['119', '118']) {
        const answer = await call(gateway.url, 'POST', DETAIL, { headers: { 'x-api-key': apiKey } });
        expect(answer).toMatchObject({
          status: 405,
          headers: { allow: 'GET, HEAD', 'x-ratelimit-limit': '120', 'x-ratelimit-remaining': remaining },
        });
        expect(Object.keys(JSON.parse(answer.body) as object)).toEqual(['message', 'code']);
      }
    }
    expect((await get()).headers['x-ratelimit-remaining']).toBe('117');
  });

  test.each(['no key', 'sk_test_nobodys'])('that is a 405 with %s has nobody to count for', async (given) => {
    const headers = given === 'no key' ? {} : { 'x-api-key': given };
    const answer = await call(gateway.url, 'DELETE', LIST, { headers });
    expect(answer.status).toBe(405);
    expect(limitHeaders(answer.headers)).toEqual([]);
  });

  test.each([
    ['a 401', LIST, 'no key', 401],
    ['an unknown path', '/api/developer/v1/nothing', 'key', 404],
    ['a list of saved cards', '/api/payment-method', 'key', 200],
    ['a document', '/developer/v1/openapi.json', 'no key', 200],
  ])('but not %s, which is not counted', async (_what, path, with_, status) => {
    const answer = await call(gateway.url, 'GET', path, { headers: with_ === 'key' ? { 'x-api-key': key } : {} });
    expect(answer.status).toBe(status);
    expect(limitHeaders(answer.headers)).toEqual([]);
    expect((await get()).headers['x-ratelimit-remaining']).toBe('119');
  });
});

describe('the request after 120', () => {
  test('is 429 with nothing but message and code, and goes to no service', async () => {
    await spend(119);
    await expect(get()).resolves.toMatchObject({ status: 200, headers: { 'x-ratelimit-remaining': '0' } });
    gateway.upstream.received.length = 0;
    const more = [
      () => get(LIST),
      () => get(DETAIL),
      () => call(gateway.url, 'PUT', LIST, { headers: { 'x-api-key': key } }),
    ];
    for (const ask of more) {
      const refused = await ask();
      expect(refused).toMatchObject({
        status: 429,
        headers: { 'x-ratelimit-limit': '120', 'x-ratelimit-remaining': '0' },
      });
      expect(JSON.parse(refused.body)).toEqual({
        message: 'Too many requests in this minute.',
        code: 'RATE_LIMIT_EXCEEDED',
      });
      expect(refused.headers['retry-after']).toBe(refused.headers['x-ratelimit-reset']);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    }
    expect(gateway.upstream.received).toEqual([]);
  });

  test('of another key of the same organization passes', async () => {
    await spend(121);
    await expect(get(LIST, await newKey())).resolves.toMatchObject({
      status: 200,
      headers: { 'x-ratelimit-remaining': '119' },
    });
  });

  test('passes everywhere else', async () => {
    await spend(121);
    await expect(get('/api/payment-method')).resolves.toMatchObject({ status: 200 });
  });

  test('is refused without Redis, too', async () => {
    await spend(100);
    await redis.cut();
    await spend(20);
    await expect(get()).resolves.toMatchObject({ status: 429, headers: { 'x-ratelimit-remaining': '0' } });
    await redis.restore();
  });
});

/** In the long form as in production; otherwise few enough requests to fit in the window on a slow machine. */
const [REQUESTS, WINDOW_S] = inFull ? [120, 60] : [4, 4];

describe('the next window', () => {
  test('begins when the answers said it would', async () => {
    const short = await startTestGateway(database.url, {
      redis: { ...testRedis(), url: redis.url, patienceMs: PATIENT_MS },
      limit: { requests: REQUESTS, windowMs: WINDOW_S * 1_000 },
    });
    const ask = () => call(short.url, 'GET', LIST, { headers: { 'x-api-key': key } });
    let waitS = 0;
    await until('a whole window that Redis counts is used up', async () => {
      key = await newKey();
      await ask();
      const second = await ask();
      await Promise.all(Array.from({ length: REQUESTS - 2 }, ask));
      const last = await ask();
      waitS = Number(last.headers['retry-after']);
      return second.headers['x-ratelimit-remaining'] === String(REQUESTS - 2) && last.status === 429;
    });
    await new Promise((done) => setTimeout(done, waitS * 1_000));
    await expect(ask()).resolves.toMatchObject({
      status: 200,
      headers: { 'x-ratelimit-remaining': String(REQUESTS - 1), 'x-ratelimit-reset': String(WINDOW_S) },
    });
    await short.close();
  });
});

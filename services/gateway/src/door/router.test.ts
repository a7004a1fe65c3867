import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { referencePolicy } from '@cobro/reference/policy.ts';
import '@cobro/testing/check-answers.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { testRedis } from '@cobro/testing/test-redis.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mainRoutes, partnerRoutes, type OutsideRoute as Route } from './outside-routes.ts';
import { type Answered, call, openRequest } from './test-client.ts';
import { startTestGateway, type TestGateway } from './test-gateway.ts';

let database: TestDatabase;
let gateway: TestGateway;
let keys: Record<'merchant' | 'partner', string>;

beforeAll(async () => {
  database = await testDatabase('gateway');
  gateway = await startTestGateway(database.url, { redis: testRedis() });
  keys = { merchant: gateway.apiKey, partner: gateway.partnerApiKey };
});
afterAll(async () => {
  await gateway.close();
  await database.drop();
});
beforeEach(() => {
  gateway.upstream.received.length = 0;
  gateway.logged.length = 0;
});

/** The id is no UUID, because the key is checked first. */
const pathOf = (route: Route) => route.path.replaceAll(/:\w+/g, 'no-id');
const ask = (route: Route, key: string | undefined): Promise<Answered> =>
  call(route.who === 'partner' ? gateway.partnerUrl : gateway.url, route.method, `${pathOf(route)}?limit=x`, {
    headers: key === undefined ? {} : { 'x-api-key': key },
  });

const routes = [...mainRoutes, ...partnerRoutes];
/** Routes of other services that a key of this registry reaches. Terminals' routes, and wrong keys: test/e2e/who-may-call.story.ts. */
const reachable = routes.filter(({ who, service }) => who !== 'terminal' && service !== 'gateway');
const isServed = ({ service }: Route) => service !== 'intents';
const rightKey = ({ who }: Route) => (who === 'merchant' || who === 'partner' ? keys[who] : undefined);

describe('the right key', () => {
  test.each(reachable.filter(isServed))('takes $method $path to its service', async (route) => {
    await expect(ask(route, rightKey(route))).resolves.toMatchObject({ status: 200 });
    const url = `${pathOf(route).replace(/^\/api/, '')}?limit=x`;
    expect(gateway.upstream.received).toMatchObject([{ method: route.method, url }]);
    expect(gateway.logged).toMatchObject([{ route: route.path, status: 200 }]);
  });

  test.each(reachable.filter((route) => !isServed(route)))('learns that nobody serves $method $path', async (route) => {
    await expect(ask(route, rightKey(route))).resolves.toMatchObject({ status: 501, code: 'NOT_IMPLEMENTED' });
    expect(gateway.upstream.received).toEqual([]);
    expect(gateway.logged).toMatchObject([{ route: route.path, status: 501 }]);
  });
});

describe('a path that is not there', () => {
  test.each(['/', '/internal/events', '/api/internal/clock', '/api/developer/payment', '/api/nothing'])(
    'is 404 without a key: %s',
    async (path) => {
      await expect(call(gateway.url, 'GET', path)).resolves.toMatchObject({ status: 404, code: 'NOT_FOUND' });
      expect(gateway.upstream.received).toEqual([]);
      expect(gateway.logged).toMatchObject([{ route: 'unknown' }]);
    },
  );

  test('is 404 on the partner API though the main API has it', async () => {
    const answer = await call(gateway.partnerUrl, 'GET', '/api/payment-method', {
      headers: { 'x-api-key': keys.partner },
    });
    expect(answer).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });

  test('for this method is 405 and names those that are', async () => {
    const answer = await call(gateway.url, 'PUT', '/api/payment-method/1');
    expect(answer).toMatchObject({
      status: 405,
      code: 'METHOD_NOT_ALLOWED',
      headers: { allow: 'GET, HEAD, DELETE' },
    });
  });

  test.each([
    '/API/payment-method',
    '/api/payment-method/',
    '/HEALTH/LIVE',
    '/health/ready/',
    '/OpenAPI.json',
    '/openapi.json/',
    '/developer/v1/openapi.json/',
    '/reference/',
    '/reference/index',
    '/reference/..%2fopenapi-main.json',
  ])('is 404 where case or a slash at the end differs: %s', async (path) => {
    for (const url of [gateway.url, gateway.partnerUrl]) {
      await expect(call(url, 'GET', path)).resolves.toMatchObject({ status: 404, code: 'NOT_FOUND' });
    }
  });
});

test('documents and the reference are served without a key, and no page of the reference runs what is not served beside it', async () => {
  const get = (path: string) => fetch(`${gateway.url}${path}`, { redirect: 'manual' });
  const documents = await Promise.all(['/openapi.json', '/developer/v1/openapi.json', '/asyncapi.json'].map(get));
  expect(documents.map(({ status }) => status)).toEqual([200, 200, 200]);
  const etag = documents[0]?.headers.get('etag') ?? '';
  const again = await call(gateway.url, 'GET', '/openapi.json', { headers: { 'if-none-match': etag } });
  expect(again.status).toBe(304);
  expect(await documents[0]?.json()).toMatchObject({ openapi: '3.1.0' });
  expect((await fetch(`${gateway.url}/openapi.json`, { method: 'HEAD' })).headers.get('content-length')).toMatch(
    /^\d{7}$/,
  );
  const page = await get('/reference/index.html');
  expect([page.status, page.headers.get('content-security-policy')]).toEqual([200, referencePolicy]);
  expect((await get('/reference')).headers.get('location')).toBe('/reference/index.html');
});

describe('a whole address as the target', () => {
  async function get(target: string): Promise<string> {
    const { port } = new URL(gateway.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`GET ${target} HTTP/1.1\r\nhost: a\r\nx-api-key: ${keys.merchant}\r\nconnection: close\r\n\r\n`);
    let answer = '';
    for await (const text of socket.setEncoding('utf8')) answer += String(text);
    return answer;
  }

  test('is served by its path, and its authority counts in place of Host', async () => {
    expect(await get('http://pay.example/api/payment-method?limit=1')).toMatch(/^HTTP\/1\.1 200 /);
    expect(gateway.upstream.received).toMatchObject([
      { url: '/payment-method?limit=1', headers: { 'x-forwarded-host': 'pay.example' } },
    ]);
    expect(await get('HTTPS://pay.example:8443/health/live')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await get('http://pay.example/openapi.json')).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.each([
    'http://pay.example',
    'http://pay.example?x=/api/payment-method',
    'http://pay.example//api/payment-method',
    'http://user@pay.example/api/payment-method',
    'http:///api/payment-method',
    'ftp://pay.example/api/payment-method',
    'http://pay.example/internal/events',
  ])('is 404 where nothing is: %s', async (target) => {
    expect(await get(target)).toMatch(/^HTTP\/1\.1 404 /);
    expect(gateway.upstream.received).toEqual([]);
  });
});

describe('a refusal of the door', () => {
  test.each([
    ['GET', '/nothing', 404],
    ['PUT', '/api/payment-method', 405],
    ['GET', '/api/payment-method', 401],
    ['GET', '/api/payment-intent/x', 501],
  ])('is kept by no cache: %s %s, %i', async (method, path, status) => {
    const headers = status === 501 ? { 'x-api-key': keys.merchant } : {};
    const answer = await call(gateway.url, method, path, { headers });
    expect(answer).toMatchObject({ status, headers: { 'cache-control': 'no-store' } });
  });

  test('for want of a key names the scheme, also in the partners’ plain text', async () => {
    const scheme = {
      status: 401,
      headers: { 'www-authenticate': 'ApiKey realm="cobro"', 'cache-control': 'no-store' },
    };
    for (const key of ['', 'no key', `${keys.merchant}x`, keys.merchant.replace('test', 'live')]) {
      const headers = { 'x-api-key': key };
      await expect(call(gateway.url, 'GET', '/api/payment-method', { headers })).resolves.toMatchObject(scheme);
      const [route] = partnerRoutes;
      const answer = await call(gateway.partnerUrl, 'GET', (route as Route).path, { headers });
      expect(answer).toMatchObject({ ...scheme, body: 'Unauthorized' });
    }
  });
});

describe('the order of the checks', () => {
  test('is the key before a body that is too large', async () => {
    const req = openRequest(gateway.url, 'POST', '/api/payment-method', { 'content-length': '100000' });
    req.flushHeaders();
    const [res] = (await once(req, 'response')) as [{ statusCode: number }];
    expect(res.statusCode).toBe(401);
    req.destroy();
  });

  test('takes no key from the query', async () => {
    const answer = await call(gateway.url, 'GET', `/api/payment-method?x-api-key=${keys.merchant}`);
    expect(answer.status).toBe(401);
  });

  test('takes two keys at once for none', async () => {
    const headers = { 'x-api-key': [keys.merchant, keys.merchant] };
    await expect(call(gateway.url, 'GET', '/api/payment-method', { headers })).resolves.toMatchObject({ status: 401 });
  });
});

describe('health', () => {
  test.each(['/health/live', '/health/ready'])('%s is 200 on both listeners, without a key', async (path) => {
    for (const url of [gateway.url, gateway.partnerUrl]) {
      await expect(call(url, 'GET', path)).resolves.toMatchObject({ status: 200 });
    }
  });

  test('tells nobody outside what does not work', async () => {
    for (const url of [gateway.url, gateway.partnerUrl]) {
      await expect(call(url, 'GET', '/health/ready')).resolves.toMatchObject({ body: '{"ready":true}' });
    }
  });
});

describe('a request that two servers might read in two ways', () => {
  const smuggled = 'GET /internal/events HTTP/1.1\r\nhost: a\r\n\r\n';
  test.each([
    ['both lengths', `content-length: ${smuggled.length}\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['two lengths', `content-length: 0\r\ncontent-length: ${smuggled.length}\r\n\r\n${smuggled}`],
    ['a coding before chunked', `transfer-encoding: identity, chunked, x\r\n\r\n0\r\n\r\n${smuggled}`],
    ['a space before the colon', `content-length : ${smuggled.length}\r\n\r\n${smuggled}`],
    ['a folded header', `x-a: b\r\n content-length: ${smuggled.length}\r\n\r\n${smuggled}`],
  ])('because of %s brings no second request to a service', async (_what, rest) => {
    const { port } = new URL(gateway.url);
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
    socket.write(`POST /api/payment-method HTTP/1.1\r\nhost: a\r\nx-api-key: ${keys.merchant}\r\n${rest}`);
    await once(socket.resume(), 'data');
    await sleep(50);
    socket.destroy();
    expect(gateway.upstream.received.map(({ url }) => url)).not.toContain('/internal/events');
    expect(gateway.upstream.received.length).toBeLessThanOrEqual(1);
  });
});

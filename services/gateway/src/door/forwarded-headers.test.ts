import '@cobro/testing/check-answers.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { testRedis } from '@cobro/testing/test-redis.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
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
});

const post = (headers: Record<string, string | string[]>) =>
  call(gateway.url, 'POST', '/api/payment-method', {
    headers: { 'x-api-key': gateway.apiKey, ...headers },
    body: '{}',
  });
const seen = () => gateway.upstream.received[0]?.headers ?? {};

describe('the request that a service gets', () => {
  test('has the headers that mean something to it', async () => {
    const headers = {
      accept: 'application/json',
      'accept-language': 'es-MX',
      'content-encoding': 'gzip',
      'content-type': 'application/json; charset=utf-8',
      'idempotency-key': 'a-1',
      'user-agent': 'tienda/1.0',
    };
    await post(headers);
    expect(seen()).toMatchObject(headers);
  });

  test('has no other header of the caller, the key above all', async () => {
    const strange = {
      cookie: 'a=b',
      authorization: 'Basic YTpi',
      te: 'trailers',
      'proxy-authorization': 'Basic YTpi',
      'x-internal-caller': 'payments',
      'x-forwarded-prefix': '/internal',
      forwarded: 'for=10.0.0.1',
      'x-original-url': '/internal/events',
      'x-http-method-override': 'DELETE',
      expect: '100-continue',
    };
    await post(strange);
    for (const name of ['x-api-key', 'x-terminal-key', ...Object.keys(strange)])
      expect(seen()).not.toHaveProperty(name);
    expect(JSON.stringify(gateway.upstream.received)).not.toContain(gateway.apiKey);
  });

  test('says how long we wait for it, whatever the caller claims', async () => {
    await post({ 'x-remaining-ms': '600000' });
    const remaining = Number(seen()['x-remaining-ms']);
    // The request may have waited a second for a connection.
    expect(remaining).toBeLessThanOrEqual(19_000);
    expect(remaining).toBeGreaterThan(18_000);
  });

  test('says where it came from, whatever the caller claims', async () => {
    await post({ 'x-forwarded-for': '10.1.2.3', 'x-forwarded-host': 'bank.example', host: 'api.example' });
    expect(seen()).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': 'api.example' });
  });

  test('has no header that Connection names', async () => {
    await post({ connection: 'close, Idempotency-Key,x-forwarded-for', 'idempotency-key': 'a-1' });
    expect(seen()).not.toHaveProperty('idempotency-key');
    expect(seen()).toMatchObject({ 'x-forwarded-for': '127.0.0.1', connection: 'keep-alive' });
  });

  test('says who the caller is in the gateway’s own words, not in the caller’s', async () => {
    await post({ 'x-internal-token': 'eyJhbGciOiJub25lIn0.e30.' });
    await expect(gateway.verifyToken(String(seen()['x-internal-token']))).resolves.toEqual({
      issuer: 'gateway',
      caller: {
        kind: 'merchant',
        by: { kind: 'key', id: expect.any(String) },
        organizationId: gateway.organizationId,
      },
    });
  });

  test.each(['req_1', 'a.b:C-9'])('takes over the request id %s', async (id) => {
    const answer = await post({ 'x-request-id': id });
    expect(answer.headers['x-request-id']).toBe(id);
    expect(seen()['x-request-id']).toBe(id);
  });

  test.each(['', 'a b', 'é', 'x'.repeat(129)])('makes a request id where the given one is %j', async (id) => {
    const answer = await post({ 'x-request-id': Buffer.from(id).toString('latin1') });
    expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
    expect(seen()['x-request-id']).toBe(answer.headers['x-request-id']);
  });
});

describe('the answer that a caller gets', () => {
  test('has the service’s headers but those of its connection and those that are ours alone', async () => {
    gateway.upstream.answer((_req, res) => {
      res.setHeader('Set-Cookie', ['a=1', 'b=2']);
      res.writeHead(202, {
        'Retry-After': '2',
        Location: '/payment-method/1',
        'Idempotent-Replayed': 'true',
        Connection: 'close, X-Hop',
        'X-Hop': '1',
        'Keep-Alive': 'timeout=9',
        'Proxy-Authenticate': 'Basic',
        'X-Internal-Node': 'payments-1',
        'X-Powered-By': 'Express',
        'x-request-id': 'another',
      });
      res.end('{}');
    });
    const { status, headers } = await post({ 'x-request-id': 'mine' });
    expect(status).toBe(202);
    expect(headers).toMatchObject({
      'retry-after': '2',
      location: '/payment-method/1',
      'idempotent-replayed': 'true',
      'set-cookie': ['a=1', 'b=2'],
      'x-request-id': 'mine',
    });
    for (const name of ['x-hop', 'proxy-authenticate', 'x-internal-node', 'x-powered-by']) {
      expect(headers).not.toHaveProperty(name);
    }
    expect(headers.connection).not.toContain('X-Hop');
  });

  test('tells browsers to keep, frame, sniff and script nothing', async () => {
    const { headers } = await post({});
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'strict-transport-security': expect.stringContaining('max-age='),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
    });
  });
});

import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { openTestMetrics } from '@cobro/testing/test-metrics.ts';
import { until } from '@cobro/testing/until.ts';
import { pino } from 'pino';
import { z } from 'zod';
import { idParams } from '@cobro/contracts/ids.ts';
import type { RouteContract } from '@cobro/contracts/route.ts';
import { listening } from '@cobro/testing/listening.ts';
import { ok } from './answer.ts';
import { type Degradation, measureDegradation } from './degradation.ts';
import { createHttpApp } from './http-app.ts';
import { route } from './serve-route.ts';

const ID = '0199c1d2-0000-7000-8000-000000000001';
const lines: Record<string, unknown>[] = [];
const log = pino({}, { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
const metrics = openTestMetrics();
let isReady = true;
let degraded: Degradation[] = [];
let moved: unknown;
let server: Awaited<ReturnType<typeof listening>>;
let url: string;

/** The token's text is the kind of caller. `untrusted` is a merchant's token that payments issued, which nobody should trust. */
const verifyToken = async (token: string) => {
  if (token === 'merchant' || token === 'untrusted') {
    const caller = { kind: 'merchant', by: { kind: 'key', id: ID }, organizationId: ID } as const;
    return { caller, issuer: token === 'merchant' ? 'gateway' : 'payments' };
  }
  return token === 'service' ? { caller: { kind: 'service', name: 'holds' } as const, issuer: 'holds' } : undefined;
};

const contract = {
  method: 'GET',
  path: '/',
  who: 'merchant',
  service: 'test',
  lane: 'read',
  timeLimitMs: 1_000,
  summary: 'A route of this test',
  answers: { 200: { means: 'Anything.', json: z.unknown() } },
  refusals: ['CHARGE_DECLINED'],
} as const satisfies RouteContract;
const thing = {
  ...contract,
  method: 'POST',
  path: '/thing/:id',
  params: idParams('id'),
  query: z.strictObject({ page: z.string().optional() }),
  body: { json: z.record(z.string(), z.unknown()) },
  answers: { 201: { means: 'Anything.', json: z.unknown() } },
} as const satisfies RouteContract;
const refusal = new Refusal('CHARGE_DECLINED', { fields: { paymentId: ID }, headers: { 'Retry-After': '1' } });

beforeAll(async () => {
  const app = createHttpApp({
    log,
    clock: { now: () => new Date(), move: (body) => (moved = body) },
    verifyToken,
    ready: async () => {
      if (!isReady) throw new Error('not ready');
      return degraded;
    },
    service: 'test',
    deps: {},
    routes: [
      route(thing, async (_deps, { readBody, ...input }) => ({
        status: 201 as const,
        body: { ...input, body: readBody() },
        headers: { 'X-Thing': '1' },
      })),
      route({ ...contract, path: '/developer/v1/thing/:id', params: idParams('id') }, async () => ok({})),
      route({ ...contract, path: '/refused' }, () => Promise.reject(refusal)),
      route({ ...contract, path: '/bug' }, () => Promise.reject(new Error('secret of row 17'))),
      route({ ...contract, path: '/internal', who: 'service' }, async (_deps, { caller }) => ok(caller)),
    ],
  });
  server = await listening(createServer(app));
  url = server.url;
});
afterAll(async () => {
  await metrics.stop();
  await server.close();
});

async function call(
  path: string,
  init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
  token = 'merchant',
) {
  const headers = { 'x-internal-token': token, ...init.headers };
  const answer = await fetch(`${url}${path}`, { ...init, headers });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
}
const post = (body: string | Buffer, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  call(`/thing/${ID}`, { method: 'POST', body: body as string, headers });

describe('what is counted', () => {
  test('is each request by route, method and class of status, and each refusal by its code; never a path', async () => {
    await Promise.all([post('{}'), post('{}'), call('/refused'), call('/bug'), call(`/nowhere/${ID}`)]);
    const counted = async () =>
      (await metrics.read('cobro.http.duration.seconds')).map(({ value, attributes }) => ({ value, ...attributes }));
    await until('all have been counted', async () => (await counted()).length === 4);
    expect(await counted()).toEqual(
      expect.arrayContaining([
        { value: 2, method: 'POST', route: '/thing/:id', status: '2xx' },
        { value: 1, method: 'GET', route: '/refused', status: '4xx' },
        { value: 1, method: 'GET', route: '/bug', status: '5xx' },
        { value: 1, method: 'GET', route: 'unknown', status: '4xx' },
      ]),
    );
    const refused = await metrics.read('cobro.http.refusals');
    expect(refused.map(({ value, attributes }) => ({ value, ...attributes }))).toEqual(
      expect.arrayContaining([
        { value: 1, route: '/refused', code: 'CHARGE_DECLINED' },
        { value: 1, route: '/bug', code: 'INTERNAL_ERROR' },
        { value: 1, route: 'unknown', code: 'NOT_FOUND' },
      ]),
    );
  });
});

describe('a route', () => {
  test('gets its caller, path, query and unread body, and answers', async () => {
    const answer = await call(`/thing/${ID}?page=2`, {
      method: 'POST',
      body: '{"amount":1}',
      headers: { 'content-type': 'application/json; charset=utf-8' },
    });
    expect(answer).toMatchObject({
      status: 201,
      body: { caller: { kind: 'merchant' }, params: { id: ID }, query: { page: '2' }, body: { amount: 1 } },
    });
    expect(answer.headers.get('x-thing')).toBe('1');
    expect(answer.headers.get('x-powered-by')).toBeNull();
  });

  test('knows how long its caller waits', async () => {
    const deadlineOf = async (headers: Record<string, string>) => {
      const { body } = await call(`/thing/${ID}`, { method: 'POST', headers });
      return (body['deadline'] as number) - performance.now();
    };
    const said = await deadlineOf({ 'x-remaining-ms': '70000' });
    expect(said).toBeGreaterThan(40_000);
    expect(said).toBeLessThanOrEqual(70_000);
    const unsaid = await deadlineOf({});
    expect(unsaid).toBeGreaterThan(10_000);
    expect(unsaid).toBeLessThanOrEqual(20_000);
  });

  test('is told where the request came from, as the gateway says', async () => {
    const seen = await call(`/thing/${ID}`, {
      method: 'POST',
      headers: { 'x-forwarded-for': '192.0.2.1', 'sec-fetch-site': 'same-origin', 'accept-language': 'es-MX' },
    });
    expect(seen.body['from']).toEqual({ address: '192.0.2.1', fetchSite: 'same-origin', languages: 'es-MX' });
    const direct = await call(`/thing/${ID}`, { method: 'POST', headers: { origin: 'https://pay.example' } });
    expect(direct.body['from']).toMatchObject({ address: '127.0.0.1', origin: 'https://pay.example' });
  });

  test('needs no body and no Content-Type', async () => {
    expect(await call(`/thing/${ID}`, { method: 'POST' })).toMatchObject({ status: 201, body: { query: {} } });
  });

  test('is logged by its template and status, with neither path nor body', async () => {
    lines.length = 0;
    await post('{"number":"4242424242424242"}', { 'content-type': 'application/json', 'x-request-id': 'r-1' });
    expect(lines).toMatchObject([{ requestId: 'r-1', method: 'POST', route: '/thing/:id', status: 201, keyId: ID }]);
    expect(JSON.stringify(lines).replaceAll(`"keyId":"${ID}"`, '')).not.toMatch(new RegExp(`42424242|${ID}`));
  });

  test('serves the kind of caller that it is for', async () => {
    expect(await call('/internal', {}, 'service')).toMatchObject({
      status: 200,
      body: { kind: 'service', name: 'holds' },
    });
    expect(await call('/internal')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    for (const token of ['', 'nobody', 'untrusted']) {
      expect(await call('/internal', {}, token)).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
    }
  });
});

describe('what is not taken:', () => {
  test('malformed JSON, and JSON that is no object', async () => {
    const refused = { status: 400, body: { code: 'VALIDATION_ERROR', details: [{ path: '' }] } };
    for (const body of ['{', '"text"', '1', '{"a":1}x']) expect(await post(body)).toMatchObject(refused);
  });

  test('a body of another type', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1']) {
      const refused = { status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } };
      expect(await post('{}', { 'content-type': type })).toMatchObject(refused);
    }
    const untyped = await call(`/thing/${ID}`, { method: 'POST', body: Buffer.from('{}') as never });
    expect(untyped.status).toBe(415);
    expect((await post('{}', { 'content-type': 'application/json', 'content-encoding': 'zip' })).status).toBe(415);
  });

  test('a body over 64 KiB', async () => {
    const bodyOf = (bytes: number) => JSON.stringify({ a: 'x'.repeat(bytes - 8) });
    expect(await post(bodyOf(64 * 1024))).toMatchObject({ status: 201 });
    expect(await post(bodyOf(64 * 1024 + 1))).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LARGE' } });
  });

  test('a bad path, query or route', async () => {
    const bad = await call('/thing/42', { method: 'POST' });
    expect(bad.body).toEqual({
      message: 'id: must be a UUID.',
      code: 'VALIDATION_ERROR',
      details: [{ path: 'id', message: 'must be a UUID' }],
    });
    const query = await call(`/thing/${ID}?pgae=1`, { method: 'POST' });
    expect(query).toMatchObject({ status: 400, body: { details: [{ path: 'pgae' }] } });
    expect((await call(`/thing/${ID}?page=1&page=2`, { method: 'POST' })).status).toBe(400);
    const bytes = await call(`/thing/${ID}?page=%e1`, { method: 'POST' });
    expect(bytes).toMatchObject({ status: 400, body: { details: [{ path: 'page' }] } });
    expect((await call('/thing/%ff', { method: 'POST' })).body['details']).toHaveLength(1);
    expect(await call('/nowhere')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    const others = ['/THING/x/y', '/REFUSED', '/refused/', '/health/ready/', '/Health/live'];
    for (const path of others) expect(await call(path)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  test('and /developer says so in exactly two fields', async () => {
    for (const id of ['42', '%ff']) {
      const { body } = await call(`/developer/v1/thing/${id}`);
      expect(body).toEqual({ message: expect.any(String), code: 'VALIDATION_ERROR' });
    }
  });
});

describe('an answer', () => {
  test('of a refusal has its status, code, fields and headers', async () => {
    const answer = await call('/refused');
    expect(answer.status).toBe(402);
    expect(answer.body).toEqual({ message: 'The charge was declined.', code: 'CHARGE_DECLINED', paymentId: ID });
    expect(answer.headers.get('retry-after')).toBe('1');
  });

  test('of a bug says nothing, and the log does', async () => {
    lines.length = 0;
    const answer = await call('/bug');
    expect(answer).toMatchObject({ status: 500, body: { code: 'INTERNAL_ERROR' } });
    expect(JSON.stringify(answer.body)).not.toContain('row 17');
    expect(lines.map(({ msg }) => msg)).toEqual(['unexpected error', 'request']);
    expect(lines[1]).toMatchObject({ status: 500, code: 'INTERNAL_ERROR' });
  });

  test('carries the request’s id, or one of our own where it is not sane', async () => {
    const idOf = async (given: string) => {
      const headers = { 'x-request-id': given };
      return (await call('/nowhere', { headers })).headers.get('x-request-id');
    };
    expect(await idOf('order:1.2-3_4')).toBe('order:1.2-3_4');
    for (const insane of ['', 'a b', '<script>', 'x'.repeat(129), 'r-4242424242424242', '4242-4242.4242-4242'])
      expect(await idOf(insane)).toMatch(/^[\da-f-]{36}$/);
  });
});

describe('the process', () => {
  test('is alive, and ready when it can work', async () => {
    const status = async (path: string) => (await fetch(`${url}/health/${path}`)).status;
    expect([await status('live'), await status('ready')]).toEqual([200, 200]);
    isReady = false;
    await until('it is not ready', async () => (await status('ready')) === 503);
    expect(await status('live')).toBe(200);
    isReady = true;
    await until('it is ready', async () => (await status('ready')) === 200);
  });

  test('stays ready and says so where it cannot do all of its work', async () => {
    const body = async () => (await fetch(`${url}/health/ready`)).text();
    expect(await body()).toBe('{"ready":true}');
    degraded = ['database_read_only'];
    const says = '{"ready":true,"degraded":["database_read_only"]}';
    await until('it says so', async () => (await body()) === says);
    degraded = [];
  });

  test('measures what it cannot do', async () => {
    measureDegradation(async () => ['events_wait']);
    const seen = await metrics.read('cobro.degraded');
    const reasons = ['database_read_only', 'events_wait', 'bank_away', 'redis_refuses', 'clock_wrong'];
    const valueOf = (reason: string) => ({ value: Number(reason === 'events_wait'), attributes: { reason } });
    expect(seen).toEqual(reasons.map(valueOf));
  });

  test('moves its clock, where it has one to move, for whoever has the token of a service', async () => {
    const headers = { 'content-type': 'application/json' };
    const move = (token: string) => call('/internal/clock', { method: 'PUT', body: '{"offsetMs":5}', headers }, token);
    expect(await move('')).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
    expect(await move('merchant')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(moved).toBeUndefined();
    expect(await move('service')).toMatchObject({ status: 200, body: {} });
    expect(moved).toEqual({ offsetMs: 5 });
  });
});

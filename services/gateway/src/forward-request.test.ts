import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from './test-gateway.ts';

let database: TestDatabase;
let gateway: TestGateway;

beforeAll(async () => {
  database = await testDatabase('gateway');
  gateway = await startTestGateway(database.url, { upstreamTimeoutMs: 1_000 });
});
afterAll(async () => {
  await gateway.close();
  await database.drop();
});
afterEach(async () => {
  await gateway.upstream.stop();
  await gateway.upstream.restart();
  gateway.upstream.received.length = 0;
});

const CHARGES = '/api/payment-method/0197a5a0-0000-7000-8000-000000000001/payment';

function open(method: string, path: string, headers: Record<string, string | string[]> = {}): ClientRequest {
  const { hostname, port } = new URL(gateway.url);
  const req = request({ method, path, hostname, port, headers: { 'x-api-key': gateway.apiKey, ...headers } });
  req.on('error', () => {});
  return req;
}

async function read(req: ClientRequest) {
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of res.setEncoding('utf8')) body += String(chunk);
  return { status: res.statusCode, headers: res.headers, body, code: codeIn(body) };
}

const codeIn = (body: string) => (body.startsWith('{') ? (JSON.parse(body) as { code?: string }).code : undefined);

function call(
  method: string,
  path: string,
  options: { headers?: Record<string, string | string[]>; body?: string } = {},
) {
  const req = open(method, path, options.headers);
  req.end(options.body);
  return read(req);
}

const charge = (options: { headers?: Record<string, string | string[]>; body?: string } = {}) =>
  call('POST', CHARGES, { body: '{"amount":10}', ...options });

describe('what goes to a service', () => {
  test('is the request without /api, its query and body as they came', async () => {
    const body = '{ "amount" : 150.25, "description": "café" }';
    await charge({ body, headers: { 'content-type': 'application/json' } });
    await call('GET', `${CHARGES}?page=2&status=A&status=%C3%B1`);
    const path = CHARGES.slice(4);
    expect(gateway.upstream.received).toMatchObject([
      { method: 'POST', url: path, body, headers: { 'content-type': 'application/json' } },
      { method: 'GET', url: `${path}?page=2&status=A&status=%C3%B1`, body: '' },
    ]);
  });
});

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import '@cobro/testing/check-answers.ts';
import { freePort } from '@cobro/testing/free-port.ts';
import { undisturbed } from '@cobro/testing/redis-replicas.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { testRedis } from '@cobro/testing/test-redis.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { answerTo, call, type CallOptions, openRequest } from './test-client.ts';
import { startTestGateway, type TestGateway } from './test-gateway.ts';

const SHORT_MS = 1_500;
const CHARGES = '/api/payment-method/0197a5a0-0000-7000-8000-000000000001/payment';

let database: TestDatabase;
let gateway: TestGateway;
/** A gateway that waits only a moment for a service. */
let hasty: TestGateway;

beforeAll(async () => {
  database = await testDatabase('gateway');
  gateway = await startTestGateway(database.url, { redis: testRedis(), upstreamPort: await freePort() });
  hasty = await startTestGateway(database.url, { redis: testRedis(), timeLimitMs: SHORT_MS });
});
afterAll(async () => {
  await Promise.all([gateway.close(), hasty.close()]);
  await database.drop();
});
afterEach(async () => {
  await gateway.upstream.stop();
  await gateway.upstream.restart();
  gateway.upstream.received.length = 0;
});

const open = (method: string, headers: CallOptions['headers'] = {}) =>
  openRequest(gateway.url, method, CHARGES, { 'x-api-key': gateway.apiKey, ...headers });
const charge = (body: string | Buffer = '{"amount":10}', headers: CallOptions['headers'] = {}) =>
  call(gateway.url, 'POST', CHARGES, { headers: { 'x-api-key': gateway.apiKey, ...headers }, body });
const list = (query = '', method = 'GET') =>
  call(gateway.url, method, CHARGES + query, { headers: { 'x-api-key': gateway.apiKey } });

describe('a request', () => {
  test('goes on without /api, its query and body as they came', async () => {
    const body = '{ "amount" : 150.25, "description": "café" }';
    await charge(body, { 'content-type': 'application/json' });
    await list('?page=2&status=A&status=%C3%B1');
    const path = CHARGES.slice(4);
    expect(gateway.upstream.received).toMatchObject([
      { method: 'POST', url: path, body, headers: { 'content-type': 'application/json' } },
      { method: 'GET', url: `${path}?page=2&status=A&status=%C3%B1`, body: '' },
    ]);
  });

  test('of 64 KiB goes on, chunked or not', async () => {
    const body = Buffer.alloc(64 * 1024, 'x');
    await expect(charge(body)).resolves.toMatchObject({ status: 200 });
    await expect(charge(body, { 'transfer-encoding': 'chunked' })).resolves.toMatchObject({ status: 200 });
    expect(gateway.upstream.received.map((request) => request.body.length)).toEqual([65_536, 65_536]);
  });

  test('that announces a body over 64 KiB is refused before the body comes', async () => {
    const req = open('POST', { 'content-length': String(64 * 1024 + 1) });
    req.flushHeaders();
    await expect(answerTo(req)).resolves.toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' });
    req.destroy();
    expect(gateway.upstream.received).toEqual([]);
  });

  test('that turns out to be over 64 KiB is refused and not sent on', async () => {
    const answer = charge(Buffer.alloc(64 * 1024 + 1, 'x'), { 'transfer-encoding': 'chunked' });
    await expect(answer).resolves.toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' });
    expect(gateway.upstream.received).toEqual([]);
  });

  test('whose upload breaks off is not sent on', async () => {
    const req = open('POST', { 'content-length': '100' });
    req.write('{"amount":');
    await sleep(50);
    req.destroy();
    await sleep(100);
    expect(gateway.upstream.received).toEqual([]);
  });
});

describe('an answer', () => {
  test('comes as it is made, not when it is complete', async () => {
    gateway.upstream.answer((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/plain' }).write('first');
    });
    const req = open('GET').end();
    const [res] = (await once(req, 'response')) as [IncomingMessage];
    const [chunk] = (await once(res.setEncoding('utf8'), 'data')) as [string];
    expect(chunk).toBe('first');
    req.destroy();
  });

  test('of many megabytes comes whole to a reader slower than the service', async () => {
    const part = Buffer.alloc(1_000_000, 'x');
    gateway.upstream.answer((_req, res) => {
      for (let i = 0; i < 8; i++) res.write(part);
      res.end();
    });
    const req = open('GET').end();
    const [res] = (await once(req, 'response')) as [IncomingMessage];
    await sleep(200);
    let size = 0;
    for await (const chunk of res) size += (chunk as Buffer).length;
    expect(size).toBe(8_000_000);
  });

  test('without a body stays without one', async () => {
    gateway.upstream.answer((_req, res) => void res.writeHead(204).end());
    await expect(list()).resolves.toMatchObject({ status: 204, body: '' });
    gateway.upstream.answer((_req, res) => void res.writeHead(200, { 'content-length': '11' }).end());
    await expect(list('', 'HEAD')).resolves.toMatchObject({
      status: 200,
      body: '',
      headers: { 'content-length': '11' },
    });
  });

  test('may be announced by early hints', async () => {
    gateway.upstream.answer((_req, res) => {
      res.writeEarlyHints({ link: '</a>; rel=preload' });
      res.end('{}');
    });
    await expect(list()).resolves.toMatchObject({ status: 200, body: '{}' });
  });

  test('of more requests at once than there are connections comes to each of them', async () => {
    gateway.upstream.answer((_req, res) => void setTimeout(() => res.end('{}'), 20));
    await undisturbed(async () => {
      const answers = await Promise.all(Array.from({ length: 80 }, () => list()));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    });
  });
});

describe('while all connections for charges are taken', () => {
  const CONNECTIONS = 320;

  test('reads go on, and one more charge is refused after a second and never sent', async () => {
    const running: (() => void)[] = [];
    gateway.upstream.answer((req, res) => {
      if (req.method === 'GET') res.end('{}');
      else running.push(() => void res.end('{}'));
    });
    const ofBoth = [gateway.apiKey, gateway.otherApiKey].flatMap((key) =>
      Array.from({ length: CONNECTIONS / 2 }, () => charge(undefined, { 'x-api-key': key })),
    );
    const answers = Promise.all(ofBoth);
    while (running.length < CONNECTIONS) await sleep(20);

    const begun = performance.now();
    const [reads, surplus] = await Promise.all([
      Promise.all(Array.from({ length: 50 }, () => list())),
      Promise.all(Array.from({ length: 5 }, () => charge('{"amount":5}'))),
    ]);
    const waited = performance.now() - begun;
    expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]));
    for (const answer of surplus) {
      expect(answer).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE', headers: { 'retry-after': '1' } });
    }
    expect(waited).toBeGreaterThan(950);
    expect(waited).toBeLessThan(10_000);

    for (const finish of running) finish();
    expect(new Set((await answers).map(({ status }) => status))).toEqual(new Set([200]));
    gateway.upstream.answer((_req, res) => void res.end('{}'));
    await expect(charge('{"amount":6}')).resolves.toMatchObject({ status: 200 });
    const bodies = gateway.upstream.received.map(({ body }) => body);
    expect(bodies).not.toContain('{"amount":5}');
    expect(bodies).toContain('{"amount":6}');
  });
});

describe('a caller who leaves', () => {
  const leave = async (method: string) => {
    const reached = Promise.withResolvers<{ closed: Promise<unknown>; finish: () => void }>();
    gateway.upstream.answer((_req, res) =>
      reached.resolve({ closed: once(res, 'close'), finish: () => void res.end('{}') }),
    );
    const req = open(method).end();
    const there = await reached.promise;
    req.destroy();
    return there;
  };

  test('ends a read at the service too', async () => {
    await expect((await leave('GET')).closed).resolves.toBeDefined();
  });

  test('does not end a charge: it may have moved money', async () => {
    const { closed, finish } = await leave('POST');
    await expect(Promise.race([closed, sleep(300, 'still running')])).resolves.toBe('still running');
    finish();
    await closed;
  });
});

describe('a service that does not answer', () => {
  const askHasty = (method: string) => call(hasty.url, method, CHARGES, { headers: { 'x-api-key': hasty.apiKey } });

  test.each(['GET', 'POST'])('in time: %s is 504', async (method) => {
    let closed: Promise<unknown> | undefined;
    hasty.upstream.received.length = 0;
    hasty.upstream.answer((_req, res) => void (closed = once(res, 'close')));
    const ask = async () => ({ from: performance.now(), answer: await askHasty(method), to: performance.now() });
    let asked = await ask();
    // On a slow machine a connection may not be made in time; then nothing was sent.
    while (hasty.upstream.received.length === 0) asked = await ask();
    expect(asked.answer).toMatchObject({ status: 504, code: 'GATEWAY_TIMEOUT' });
    expect(asked.to - asked.from).toBeGreaterThanOrEqual(SHORT_MS - 5);
    expect(hasty.upstream.received).toHaveLength(1);
    await closed;
  });

  test('completely in time breaks off', async () => {
    hasty.upstream.answer((_req, res) => {
      res.writeHead(200, { 'content-length': '100' }).write('{"half":');
    });
    await expect(askHasty('GET')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  test('whose connection dies halfway breaks off', async () => {
    gateway.upstream.answer((_req, res) => {
      res.writeHead(200, { 'content-length': '100' }).write('{"half":', () => res.destroy());
    });
    await expect(list()).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(gateway.upstream.received).toHaveLength(1);
  });

  test('whose connection dies before its answer: a charge is 502, sent once', async () => {
    gateway.upstream.answer((req) => void req.socket.destroy());
    await expect(charge()).resolves.toMatchObject({ status: 502, code: 'BAD_GATEWAY' });
    expect(gateway.upstream.received).toHaveLength(1);
  });

  test('whose connection dies before its answer: a read is tried once more', async () => {
    gateway.upstream.answer((req, res) => {
      if (gateway.upstream.received.length === 1) req.socket.destroy();
      else res.end('{}');
    });
    await expect(list()).resolves.toMatchObject({ status: 200 });
    gateway.upstream.answer((req) => void req.socket.destroy());
    await expect(list()).resolves.toMatchObject({ status: 502, code: 'BAD_GATEWAY' });
    expect(gateway.upstream.received).toHaveLength(4);
  });

  test('but with what is no HTTP: 502', async () => {
    gateway.upstream.answer((req) => void req.socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    await expect(charge()).resolves.toMatchObject({ status: 502, code: 'BAD_GATEWAY' });
  });

  test('because it refuses our token: 502, not the 401 of a bad key', async () => {
    gateway.upstream.answer((_req, res) => void res.writeHead(401).end('{"code":"UNAUTHORIZED"}'));
    await expect(charge()).resolves.toMatchObject({ status: 502, code: 'BAD_GATEWAY' });
  });

  test('because it is down: 503, safe to repeat', async () => {
    await gateway.upstream.stop();
    expect(await charge()).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE', headers: { 'retry-after': '1' } });
    await gateway.upstream.restart();
  });
});

describe('a service that is started again on its port', () => {
  test('loses no charge to the connections of before', async () => {
    const answerLater = () => gateway.upstream.answer((_req, res) => void setTimeout(() => res.end('{}'), 30));
    for (let round = 0; round < 3; round++) {
      answerLater();
      await Promise.all(Array.from({ length: 40 }, () => charge()));
      await gateway.upstream.stop();
      await gateway.upstream.restart();
      const answers = await Promise.all(Array.from({ length: 40 }, () => charge()));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    }
    expect(gateway.upstream.received).toHaveLength(240);
  });

  test('gets the charge that found it down for a second, which then has less time', async () => {
    const chargeLate = async () => {
      await gateway.upstream.stop();
      const over = charge();
      for (let refused = 0; refused < 4; refused++) await Promise.race([once(gateway.money, 'connectionError'), over]);
      await gateway.upstream.restart();
      return over;
    };
    let answer = await chargeLate();
    // If the machine stands still for two seconds, the gateway gives up.
    for (let tries = 1; tries < 5 && answer.status === 503; tries++) answer = await chargeLate();
    expect(answer).toMatchObject({ status: 200 });
    expect(gateway.upstream.received).toHaveLength(1);
    const remaining = Number(gateway.upstream.received[0]?.headers['x-remaining-ms']);
    expect(remaining).toBeLessThan(18_990);
    expect(remaining).toBeGreaterThan(10_000);
  });
});

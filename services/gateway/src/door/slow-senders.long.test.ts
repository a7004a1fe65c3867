import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import '@cobro/testing/check-answers.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { testRedis } from '@cobro/testing/test-redis.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from './test-gateway.ts';

const KB = 1_024;
const MB = KB * KB;
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n';
const MOST_OF_ONE = 3;

let database: TestDatabase;
/** Waits long, because this test sends much and machines may be slow. */
let gateway: TestGateway;
/** Waits a second or two at most. */
let hasty: TestGateway;
/** Two that take few bytes and few unfinished requests of an address; the second is behind a proxy of ours. */
let narrow: TestGateway;
let proxied: TestGateway;
const sockets: Socket[] = [];

beforeAll(async () => {
  database = await testDatabase('gateway');
  const start = (options: object) => startTestGateway(database.url, { redis: testRedis(), ...options });
  gateway = await start({
    bodies: { withinMs: 60_000 },
    timeLimits: { headersTimeout: 60_000, requestTimeout: 90_000 },
  });
  hasty = await start({ bodies: { withinMs: 1_000 }, timeLimits: { headersTimeout: 1_000, requestTimeout: 2_000 } });
  narrow = await start({ mostOfOne: MOST_OF_ONE });
  proxied = await start({ mostOfOne: MOST_OF_ONE, trustedProxyHops: 1, bodies: { mostBytes: 100 * KB } });
});
afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));
afterAll(async () => {
  await Promise.all([gateway, hasty, narrow, proxied].map((it) => it.close()));
  await database.drop();
});

/** Opens a connection, sends this much of a request, and keeps what comes back. */
async function send(to: TestGateway, text: string, localAddress = '127.0.0.1') {
  const { hostname, port } = new URL(to.url);
  const socket = connect({ port: Number(port), host: hostname, localAddress });
  sockets.push(socket);
  const sender = { socket, answer: '' };
  socket.on('error', () => {});
  socket.setEncoding('latin1').on('data', (more: string) => (sender.answer += more));
  await once(socket, 'connect');
  socket.write(text);
  return sender;
}

const head = (path: string, rest: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\n${rest}`;
const from = (address: string, rest: string) => head('/checkout/x', `X-Forwarded-For: ${address}\r\n${rest}`);
const open = (senders: { socket: Socket }[]) => senders.filter(({ socket }) => !socket.closed).length;

describe('a body of chunks of one byte', () => {
  const SENDERS = 10;
  const BYTES = 60_000;
  const heapUsed = () => {
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    return process.memoryUsage().heapUsed;
  };

  test.each([
    ['takes the memory of its bytes only', '/checkout/x', 200],
    ['takes no more where its sender has no key', '/api/payment-method', 401],
  ])('%s, until it has come whole and is answered', async (_what, path, status) => {
    gateway.upstream.received.length = 0;
    const before = heapUsed();
    const text = head(path, `${CHUNKED}${'1\r\nA\r\n'.repeat(BYTES)}`);
    const senders = await Promise.all(Array.from({ length: SENDERS }, () => send(gateway, text)));
    const read = () => [...gateway.sockets].reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    await until('the gateway has read it', () => read() === SENDERS * text.length);
    expect(heapUsed() - before).toBeLessThan(SENDERS * MB);
    for (const { socket } of senders) socket.write('0\r\n\r\n');
    await until('all are answered', () => senders.every(({ answer }) => answer.startsWith(`HTTP/1.1 ${status}`)));
    const bodies = gateway.upstream.received.map(({ body }) => body);
    expect(bodies).toEqual(Array(status === 200 ? SENDERS : 0).fill('A'.repeat(BYTES)));
  });
});

describe('a request that does not come whole in time', () => {
  test('is 408 where its body stalls, and its connection is closed', async () => {
    for (const rest of [`${CHUNKED}1\r\nA\r\n`, 'Content-Length: 10\r\n\r\nabc']) {
      const sender = await send(hasty, head('/checkout/x', rest));
      await until('it is closed', () => sender.socket.closed);
      expect(sender.answer).toMatch(/^HTTP\/1\.1 408 [^]*Connection: close[^]*"code":"REQUEST_TIMEOUT"/i);
    }
    expect(hasty.upstream.received).toEqual([]);
  });

  const CUT_OFF = /HTTP\/1\.1 408 Request Timeout\r\nConnection: close\r\n\r\n$/;
  test.each([
    ['its headers stall', 'GET /health/live HTTP/1.1\r\nHost: x\r\nX-A', CUT_OFF],
    ['it has no key', head('/api/payment-method', `${CHUNKED}1\r\nA\r\n`), /^HTTP\/1\.1 401 [^]*Connection: close/i],
    ['its path is not there', head('/no', 'Content-Length: 9\r\n\r\nab'), /^HTTP\/1\.1 404 [^]*Connection: close/i],
    ['it is too long', head('/checkout/x', 'Content-Length: 70000\r\n\r\nab'), CUT_OFF],
  ])('is cut off where %s', async (_where, text, answer) => {
    const sender = await send(hasty, text);
    await until('it is closed', () => sender.socket.closed);
    expect(sender.answer).toMatch(answer);
  });
});

describe('all bodies together', () => {
  test('take so many bytes at most: who has the most of them is refused with 503, and others are not', async () => {
    const greedy = (bytes: number) => from('192.0.2.1', `Content-Length: ${60 * KB}\r\n\r\n${'x'.repeat(bytes)}`);
    const modest = await send(proxied, from('192.0.2.2', `Content-Length: ${40 * KB}\r\n\r\n${'x'.repeat(20 * KB)}`));
    const first = await send(proxied, greedy(50 * KB));
    const second = await send(proxied, greedy(50 * KB));
    await until('the oldest of the greatest is refused', () => first.answer !== '');
    expect(first.answer).toMatch(/^HTTP\/1\.1 503 [^]*Retry-After: 1[^]*"code":"SERVICE_UNAVAILABLE"/i);
    modest.socket.write('x'.repeat(20 * KB));
    second.socket.write('x'.repeat(10 * KB));
    await until('both are answered', () => [modest, second].every(({ answer }) => answer.startsWith('HTTP/1.1 200')));
  });
});

describe('of one address only so many requests may be unfinished', () => {
  const MANY = 2 * MOST_OF_ONE;
  const times = <T>(make: () => Promise<T>) => Promise.all(Array.from({ length: MANY }, make));

  test.each([
    ['headers', 'POST /checkout/x HTTP/1.1\r\nHost'],
    ['body', head('/checkout/x', `${CHUNKED}1\r\nA\r\n`)],
    ['body, refused already', head('/checkout/x', 'Content-Length: 70000\r\n\r\nab')],
  ])('whose %s come: the oldest go, and another address is unaffected', async (_what, text) => {
    const other = await send(narrow, text, '127.0.0.3');
    const senders = await times(() => send(narrow, text, '127.0.0.2'));
    await until('the oldest are closed', () => open(senders) === MOST_OF_ONE);
    const last = await send(narrow, text, '127.0.0.2');
    await until('one more is', () => open(senders) === MOST_OF_ONE - 1);
    expect(open([other, last])).toBe(2);
  });

  test('but any number may wait for their answer, or send nothing', async () => {
    const idle = await times(() => send(narrow, '', '127.0.0.2'));
    const answers: (() => void)[] = [];
    narrow.upstream.answer((_req, res) => void answers.push(() => res.end()));
    const waiting = await times(() => send(narrow, 'GET /checkout/x HTTP/1.1\r\nHost: x\r\n\r\n', '127.0.0.2'));
    const cut = await times(() => send(narrow, 'GET / HT', '127.0.0.2'));
    await until('others are closed', () => open(cut) === MOST_OF_ONE);
    for (const answer of answers) answer();
    await until('all are answered', () => waiting.every(({ answer }) => answer.startsWith('HTTP/1.1 200')));
    expect(open(idle)).toBe(MANY);
  });

  test('which behind a proxy of ours is the one that it names, once its headers have come', async () => {
    const unnamed = await times(() => send(proxied, 'POST /checkout/x HTTP/1.1\r\nX-Forwarded-For: 192.0.2.1\r\n'));
    let address = 0;
    const others = await times(() => send(proxied, from(`192.0.2.${++address}`, `${CHUNKED}1\r\nA\r\n`)));
    const one = await times(() => send(proxied, from('2001:db8::1', `${CHUNKED}1\r\nA\r\n`)));
    await until('the oldest of one are closed', () => open(one) === MOST_OF_ONE);
    expect([open(unnamed), open(others)]).toEqual([MANY, MANY]);
  });
});

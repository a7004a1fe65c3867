import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import '@cobro/testing/check-answers.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { sendParts } from '@cobro/service-kit/send-parts.ts';
import { testRedis } from '@cobro/testing/test-redis.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from './test-gateway.ts';

const LIST = '/api/payment-method/0197a5a0-0000-7000-8000-000000000001/payment';
const EXPORT = '/api/report/payment.csv';
const MB = 1_000_000;
/** More than the system buffers for two sockets on one machine. */
const LONG = 32 * MB;
const SHORT_MS = 5_000;

let database: TestDatabase;
let gateway: TestGateway;
/** A gateway that gives its callers little time to read. */
let hasty: TestGateway;
const sockets: Socket[] = [];

beforeAll(async () => {
  database = await testDatabase('gateway');
  gateway = await startTestGateway(database.url, { redis: testRedis(), mostBacklogBytes: 40 * MB });
  hasty = await startTestGateway(database.url, { redis: testRedis(), timeLimitMs: SHORT_MS });
});
afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));
afterAll(async () => {
  await Promise.all([gateway.close(), hasty.close()]);
  await database.drop();
});

/** Asks for a list and reads nothing of the answer until `read` is called. */
async function askAndWait(of: TestGateway, apiKey = of.apiKey, path = LIST) {
  const { hostname, port } = new URL(of.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${apiKey}\r\nConnection: close\r\n\r\n`);
  return {
    /** How many bytes come until the connection ends. */
    read: async () => {
      let bytes = 0;
      socket.on('data', (chunk) => (bytes += chunk.length)).resume();
      if (!socket.closed) await once(socket, 'close');
      return bytes;
    },
  };
}

/** Answers with a long body, and counts the answers that the gateway has taken whole. */
function answerAtLength(of: TestGateway) {
  const taken: ServerResponse[] = [];
  const body = Buffer.alloc(LONG, 'x');
  of.upstream.answer((_req, res) => void res.end(body, () => taken.push(res)));
  return taken;
}

test('a caller that does not read holds no connection to the service, and gets the whole answer when it does', async () => {
  const taken = answerAtLength(gateway);
  const reader = await askAndWait(gateway);
  await until('the service has answered', () => taken.length === 1);
  expect(await reader.read()).toBeGreaterThan(LONG);
});

test('a caller that does not read in time is cut off', async () => {
  const taken = answerAtLength(hasty);
  const reader = await askAndWait(hasty);
  await until('the service has answered', () => taken.length === 1);
  await until('the gateway has given up', () =>
    hasty.logged.some((line) => (line as { status?: number }).status === 499),
  );
  expect(await reader.read()).toBeLessThan(LONG);
});

test('of all that is not read only so much is kept: who has the most of it loses the oldest', async () => {
  const taken = answerAtLength(gateway);
  const mine = await askAndWait(gateway);
  await until('the first answer is here', () => taken.length === 1);
  gateway.upstream.answer((_req, res) => void res.end(Buffer.alloc(LONG / 2), () => taken.push(res)));
  const others = await askAndWait(gateway, gateway.otherApiKey);
  await until('the second answer is here', () => taken.length === 2);
  const again = await askAndWait(gateway);
  await until('the third answer is here', () => taken.length === 3);
  expect(await mine.read()).toBeLessThan(LONG);
  expect(await others.read()).toBeGreaterThan(LONG / 2);
  expect(await again.read()).toBeGreaterThan(LONG / 2);
});

test('a stream of any length comes whole to a caller that does not read for a while, and little of it is kept', async () => {
  const PARTS = 3 * (LONG / MB);
  let made = 0;
  async function* parts() {
    for (; made < PARTS; made++) yield Buffer.alloc(MB, 'x');
  }
  gateway.upstream.answer((_req, res) => void sendParts(res, parts()));
  const reader = await askAndWait(gateway, gateway.apiKey, EXPORT);
  await until('the stream has begun', () => made > 1);
  // Gives a gateway that wrongly keeps all of it the time to fail.
  await sleep(500);
  expect(made).toBeLessThan(PARTS);
  expect(await reader.read()).toBeGreaterThan(PARTS * MB);
});

test('whoever leaves in the middle of a stream ends it at the service too', async () => {
  const ended = Promise.withResolvers<string>();
  let made = 0;
  async function* parts() {
    try {
      for (; ; made++) yield Buffer.alloc(MB, 'x');
    } finally {
      ended.resolve('ended');
    }
  }
  gateway.upstream.answer((_req, res) => void sendParts(res, parts()));
  await askAndWait(gateway, gateway.apiKey, EXPORT);
  await until('the stream has begun', () => made > 1);
  sockets.splice(0).forEach((socket) => socket.destroy());
  await expect(ended.promise).resolves.toBe('ended');
});

import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnvelope } from '@cobro/contracts/events.ts';
import { consumerQueue } from '@cobro/events/topology.ts';
import { type Database, openDatabase, sql } from '@cobro/postgres/database.ts';
import { NODE_ARGUMENTS } from '@cobro/service-kit/node-arguments.ts';
import { freePort } from '@cobro/testing/free-port.ts';
import { type TcpProxy, proxyTo } from '@cobro/testing/tcp-proxy.ts';
import { type TestBroker, testBroker } from '@cobro/testing/test-broker.ts';
import { packedFile } from '@cobro/testing/test-process.ts';
import { testRedis } from '@cobro/testing/test-redis.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connect } from 'amqplib';
import { bootstrap } from './registry/bootstrap.ts';
import { listAllKeys } from './registry/key.store.ts';
import { revokeKey } from './registry/revoke-key.ts';
import { call } from './door/test-client.ts';
import { startTestUpstream, type TestUpstream } from './door/test-upstream.ts';

let database: TestDatabase;
let proxy: TcpProxy;
let broker: TestBroker;
let upstream: TestUpstream;
const redis = testRedis();
let db: Database;
let merchants: Awaited<ReturnType<typeof bootstrap>>;
/** Killed at the end, so that none outlives a failed test. */
const children: ChildProcess[] = [];

beforeAll(async () => {
  [database, broker, upstream] = await Promise.all([testDatabase('gateway'), testBroker(), startTestUpstream()]);
  proxy = await proxyTo(database.url);
  await proxy.restore();
  db = openDatabase({ url: database.url, schema: 'gateway' });
  merchants = await bootstrap(db);
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await db.close();
  await Promise.all([upstream.stop(), proxy.cut(), broker.drop()]);
  await database.drop();
});

interface Gateway {
  url: string;
  partnerUrl: string;
  process: ChildProcess;
  exited: Promise<unknown[]>;
  errors: () => string;
}

async function start(env: Record<string, string | undefined> = {}): Promise<Gateway> {
  const [port, partnerPort, peoplePort] = [await freePort(), await freePort(), await freePort()];
  const signingKey = { ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }), kid: 'gateway' };
  const child = spawn(process.execPath, [...NODE_ARGUMENTS, packedFile('services/gateway/src/main.ts')], {
    env: {
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      HOST: '127.0.0.1',
      PORT: String(port),
      PARTNER_PORT: String(partnerPort),
      PEOPLE_PORT: String(peoplePort),
      KEY_MODE: 'test',
      DATABASE_URL: proxy.url,
      AMQP_URL: broker.url,
      EVENTS_PREFIX: broker.prefix,
      REDIS_URL: redis.url,
      REDIS_PREFIX: redis.prefix,
      PAYMENTS_URL: upstream.url,
      INTERNAL_SIGNING_KEY: JSON.stringify(signingKey),
      INTERNAL_VERIFY_KEYS: JSON.stringify({ keys: [{ ...signingKey, d: undefined }] }),
      DRAIN_DELAY_MS: '0',
      LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text));
  return {
    url: `http://127.0.0.1:${port}`,
    partnerUrl: `http://127.0.0.1:${partnerPort}`,
    process: child,
    // Not 'exit', because its output may still be on its way then.
    exited: once(child, 'close'),
    errors: () => errors,
  };
}

/** Polls until it is so; only the test's own time limit ends it. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo().catch(() => false))) await sleep(50);
}

const statusOf = async (url: string, key?: string, path = '/api/payment-method') =>
  (await call(url, 'GET', path, key === undefined ? {} : { headers: { 'x-api-key': key } })).status;
const isReady =
  ({ url }: Gateway) =>
  async () =>
    (await statusOf(url, undefined, '/health/ready')) === 200;

describe('the gateway', () => {
  test('serves both listeners, publishes what operators did, and refuses a key soon after it was revoked', async () => {
    const gateway = await start();
    await until(isReady(gateway));
    await expect(statusOf(gateway.url, merchants.apiKey)).resolves.toBe(200);
    await expect(statusOf(gateway.partnerUrl, merchants.apiKey, '/api/developer/payment')).resolves.toBe(403);

    const key = (await listAllKeys(db)).find(({ organizationId }) => organizationId === merchants.organizationId);
    await revokeKey(db, key?.id ?? '');
    await until(async () => (await statusOf(gateway.url, merchants.apiKey)) === 401);

    const rolled = (await listAllKeys(db)).find(({ partnerId }) => partnerId !== null)?.id ?? '';
    await db.run(sql`update api_keys set revoke_at = now() where id = ${rolled}`);
    await until(async () => (await listAllKeys(db)).some(({ id, revokedAt }) => id === rolled && revokedAt !== null));

    const connection = await connect(broker.url);
    const channel = await connection.createChannel();
    const registered = new Set<string>();
    await until(async () => {
      const message = await channel.get(consumerQueue(broker.prefix, 'payments'), { noAck: true });
      if (message !== false) registered.add(parseEnvelope(JSON.parse(message.content.toString())).subject);
      return registered.size === 2;
    });
    await connection.close();
    expect(registered).toEqual(new Set([merchants.organizationId, merchants.otherOrganizationId]));

    gateway.process.kill('SIGTERM');
    await expect(gateway.exited).resolves.toEqual([0, null]);
    expect(gateway.errors()).toBe('');
  });

  test('is not ready while Postgres is away, and answers 503, not 401, to a key that it cannot look up', async () => {
    await proxy.cut();
    const gateway = await start();
    await until(async () => (await statusOf(gateway.url, undefined, '/health/ready')) === 503);
    const answer = await call(gateway.url, 'GET', '/api/payment-method', {
      headers: { 'x-api-key': merchants.otherApiKey },
    });
    expect(answer).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE', headers: { 'retry-after': '1' } });
    await expect(statusOf(gateway.url, undefined, '/health/live')).resolves.toBe(200);
    await proxy.restore();
    await until(isReady(gateway));
    await expect(statusOf(gateway.url, merchants.otherApiKey)).resolves.toBe(200);
    gateway.process.kill('SIGTERM');
    await gateway.exited;
  });

  test('answers what it has taken on before it ends', async () => {
    const gateway = await start();
    await until(isReady(gateway));
    const arrived = Promise.withResolvers<() => void>();
    upstream.answer((_req, res) => arrived.resolve(() => void res.end('{"late":true}')));
    const answer = call(gateway.url, 'POST', '/api/payment-method', {
      headers: { 'x-api-key': merchants.otherApiKey },
      body: '{}',
    });
    const finish = await arrived.promise;
    gateway.process.kill('SIGTERM');
    await until(
      async () => (await statusOf(gateway.url).catch((error: { code?: string }) => error.code)) === 'ECONNREFUSED',
    );
    finish();
    await expect(answer).resolves.toMatchObject({ status: 200, body: '{"late":true}' });
    await expect(gateway.exited).resolves.toEqual([0, null]);
  });

  test.each([
    ['is recorded in a trace of ours, whatever the caller’s says', undefined, false],
    ['is recorded in the caller’s trace only behind a proxy of ours', 'true', true],
  ])('%s', async (_what, TRUST_TRACEPARENT, goesOn) => {
    const theirs = '0af7651916cd43dd8448eb211c80319c';
    const gateway = await start({
      TRUST_TRACEPARENT,
      NODE_OPTIONS: `--import=${packedFile('libs/service-kit/src/telemetry.ts')}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: upstream.url,
    });
    await until(isReady(gateway));
    upstream.received.length = 0;
    upstream.answer((_req, res) => void res.end('{}'));
    const headers = {
      'x-api-key': merchants.otherApiKey,
      traceparent: `00-${theirs}-b7ad6b7169203331-0${Number(goesOn)}`,
    };
    await expect(call(gateway.url, 'GET', '/api/payment-method', { headers })).resolves.toMatchObject({ status: 200 });
    const [sent] = upstream.received.filter(({ url }) => url === '/payment-method');
    expect(sent?.headers['traceparent']).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/);
    expect(String(sent?.headers['traceparent']).includes(theirs)).toBe(goesOn);
    gateway.process.kill('SIGTERM');
    await gateway.exited;
  });

  test.each([
    ['PORT', '0'],
    ['PARTNER_PORT', undefined],
    ['PEOPLE_PORT', undefined],
    ['INTERNAL_VERIFY_KEYS', undefined],
    ['PAYMENTS_URL', 'payments'],
    ['INTERNAL_SIGNING_KEY', '{'],
    ['KEY_MODE', 'demo'],
    ['REDIS_URL', undefined],
    ['REDIS_URL', 'http://127.0.0.1:6379'],
    ['TRUSTED_PROXY_HOPS', '-1'],
    ['TRUST_TRACEPARENT', 'yes'],
  ])('does not start with %s=%s, and says so', async (name, value) => {
    const gateway = await start({ [name]: value });
    await expect(gateway.exited).resolves.toEqual([78, null]);
    expect(gateway.errors()).toContain(`${name}: `);
  });
});

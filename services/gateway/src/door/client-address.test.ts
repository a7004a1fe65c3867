import type { ServerResponse } from 'node:http';
import '@cobro/testing/check-answers.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { testRedis } from '@cobro/testing/test-redis.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { call } from './test-client.ts';
import { startTestGateway, type TestGateway } from './test-gateway.ts';

let database: TestDatabase;
/** By the number of our proxies before each. */
let gateways: TestGateway[];

beforeAll(async () => {
  database = await testDatabase('gateway');
  gateways = [];
  for (const trustedProxyHops of [0, 1, 2]) {
    gateways.push(await startTestGateway(database.url, { redis: testRedis(), trustedProxyHops }));
  }
});
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.close()));
  await database.drop();
});

/** The payer's address as the service receives it. */
async function addressSeen(hops: number, forwardedFor: string | string[] | undefined): Promise<unknown> {
  const { url, upstream } = gateways[hops] as TestGateway;
  upstream.received.length = 0;
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  await call(url, 'GET', '/checkout/abc', { headers });
  return upstream.received[0]?.headers['x-forwarded-for'];
}

const PEER = '127.0.0.1';

describe('without a proxy of ours the caller is who connects', () => {
  test.each([undefined, '198.51.100.1', '198.51.100.1, 192.0.2.1', ['198.51.100.1', '192.0.2.1'], ''])(
    'whatever X-Forwarded-For says: %j',
    async (given) => {
      await expect(addressSeen(0, given)).resolves.toBe(PEER);
    },
  );
});

describe('behind one proxy of ours the caller is whom that one saw', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['198.51.100.1, 192.0.2.1', '192.0.2.1'],
    ['198.51.100.1,127.0.0.1 ,  192.0.2.1  ', '192.0.2.1'],
    [['198.51.100.1', '192.0.2.1'], '192.0.2.1'],
    ['192.0.2.1:50123', '192.0.2.1'],
    ['2001:db8::7', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['[2001:db8::7]:443', '2001:db8::7'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
  ])('%j', async (given, seen) => {
    await expect(addressSeen(1, given)).resolves.toBe(seen);
  });

  test.each([undefined, '', ',', '198.51.100.1,', '198.51.100.1, unknown', '192.0.2.300', '192.0.2.1:x', '[192.0.2.1'])(
    'or the proxy itself where that entry is no address: %j',
    async (given) => {
      await expect(addressSeen(1, given)).resolves.toBe(PEER);
    },
  );
});

describe('behind two proxies of ours the caller is whom the first one saw', () => {
  test.each([
    ['192.0.2.1, 10.0.0.1', '192.0.2.1'],
    ['198.51.100.1, 192.0.2.1, 10.0.0.1', '192.0.2.1'],
    ['unknown, 192.0.2.1, unknown', '192.0.2.1'],
  ])('%j', async (given, seen) => {
    await expect(addressSeen(2, given)).resolves.toBe(seen);
  });

  test.each([undefined, '192.0.2.1', '198.51.100.1, nonsense, 10.0.0.1'])(
    'or who connects where there is no such entry: %j',
    async (given) => {
      await expect(addressSeen(2, given)).resolves.toBe(PEER);
    },
  );

  test('also where Connection names the header', async () => {
    const { url, upstream } = gateways[2] as TestGateway;
    upstream.received.length = 0;
    const headers = { 'x-forwarded-for': '192.0.2.1, 10.0.0.1', connection: 'close, x-forwarded-for' };
    await call(url, 'GET', '/checkout/abc', { headers });
    expect(upstream.received[0]?.headers['x-forwarded-for']).toBe('192.0.2.1');
  });
});

describe('what a browser says of the page that a form came from', () => {
  const sent = { origin: 'https://pay.example', 'sec-fetch-site': 'same-origin', 'accept-language': 'es-MX' };

  test.each(['GET', 'POST'])('reaches the checkout: %s', async (method) => {
    const { url, upstream } = gateways[0] as TestGateway;
    upstream.received.length = 0;
    await call(url, method, '/checkout/abc', { headers: sent });
    expect(upstream.received[0]?.headers).toMatchObject(sent);
  });

  test('reaches no other route', async () => {
    const { url, upstream, apiKey } = gateways[0] as TestGateway;
    for (const path of ['/api/one-time-payment/abc', '/api/payment-method']) {
      upstream.received.length = 0;
      await call(url, 'GET', path, { headers: { ...sent, 'x-api-key': apiKey } });
      expect(upstream.received[0]?.headers).toMatchObject({ 'accept-language': 'es-MX' });
      expect(upstream.received[0]?.headers).not.toHaveProperty('origin');
      expect(upstream.received[0]?.headers).not.toHaveProperty('sec-fetch-site');
    }
  });
});

test('payers of one IPv6 network have half of the connections for reads together, as one address has', async () => {
  const { url, upstream } = gateways[1] as TestGateway;
  const [waiting, statuses]: [ServerResponse[], unknown[]] = [[], []];
  upstream.answer((_req, res) => void waiting.push(res));
  const look = async (address: string) =>
    statuses.push((await call(url, 'GET', '/checkout/abc', { headers: { 'x-forwarded-for': address } })).status);
  const looks = Array.from({ length: 70 }, (_, n) => look(`2001:db8::${(n + 1).toString(16)}`));
  await until('the surplus is refused', async () => statuses.length === 6);
  looks.push(look('2001:db8:0:1::1'));
  await until('another network is served', async () => waiting.length === 65);
  waiting.forEach((res) => res.end());
  await Promise.all(looks);
  expect(statuses).toEqual([...Array<number>(6).fill(503), ...Array<number>(65).fill(200)]);
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { timed } from '@cobro/testing/redis-replicas.ts';
import { testPeer } from '@cobro/testing/test-peer.ts';
import type { ServiceClient } from './service-client.ts';

let peer: Awaited<ReturnType<typeof testPeer>>;
let client: ServiceClient;
let seen: { method: string | undefined; url: string | undefined; token: unknown }[] = [];
let remaining: unknown;
/** How the other side answers: a status, or not at all. */
let answer: number | 'never' = 200;
const soon = () => performance.now() + 20_000;

beforeAll(async () => {
  peer = await testPeer((request, response) => {
    remaining = request.headers['x-remaining-ms'];
    seen.push({ method: request.method, url: request.url, token: request.headers['x-internal-token'] });
    if (answer !== 'never') response.writeHead(answer, { 'content-type': 'application/json' }).end('{"here":true}');
  });
  ({ client } = peer);
});
beforeEach(() => {
  seen = [];
  answer = 200;
});
afterAll(() => peer.stop());

describe('a question to another service', () => {
  test('is asked in our own name', async () => {
    expect(await client.get('/internal/payments/1', soon())).toEqual({ here: true });
    expect(seen).toEqual([{ method: 'GET', url: '/internal/payments/1', token: '{"kind":"service","name":"holds"}' }]);
  });

  test('is answered with nothing by a 404, and refused where there is no answer', async () => {
    answer = 404;
    expect(await client.get('/internal/payments/1', soon())).toBeUndefined();
    for (const other of [500, 503, 400, 'never'] as const) {
      answer = other;
      await expect(client.get('/internal/payments/1', soon())).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        extras: { headers: { 'Retry-After': '1' } },
      });
    }
  });
});

describe('the time of a question', () => {
  test('is three seconds, or what is left to the request that asks it; the other side is told', async () => {
    await client.get('/internal/payments/1', soon());
    expect(remaining).toBe('3000');
    await client.get('/internal/payments/1', performance.now() + 2_000);
    expect(Number(remaining)).toBeGreaterThan(1_500);
    expect(Number(remaining)).toBeLessThanOrEqual(2_000);
    await client.get('/internal/payments/1', soon(), 8_000);
    expect(remaining).toBe('8000');
    answer = 'never';
    const unavailable = { code: 'SERVICE_UNAVAILABLE' };
    const { ms } = await timed(async () => {
      await expect(client.get('/internal/payments/1', performance.now() + 500, 60_000)).rejects.toMatchObject(
        unavailable,
      );
      await expect(client.get('/internal/payments/1', performance.now() - 1, 60_000)).rejects.toMatchObject(
        unavailable,
      );
    });
    expect(ms).toBeLessThan(10_000);
  });
});

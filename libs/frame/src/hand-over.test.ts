import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { testEvent } from '@cobro/testing/test-event.ts';
import { pino } from 'pino';
import { openServiceClient, type ServiceClient } from '@cobro/service-kit/service-client.ts';
import { createHandOver } from './hand-over.ts';

let server: Server;
let client: ServiceClient;
let seen: { method: string | undefined; url: string | undefined; token: unknown }[] = [];
let remaining: unknown;
/** How the other side answers: a status, or not at all. */
let answer: number | 'never' = 200;
const soon = () => performance.now() + 20_000;

beforeAll(async () => {
  server = createServer((request, response) => {
    remaining = request.headers['x-remaining-ms'];
    seen.push({ method: request.method, url: request.url, token: request.headers['x-internal-token'] });
    if (answer !== 'never') response.writeHead(answer, { 'content-type': 'application/json' }).end('{"here":true}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = openServiceClient({
    baseUrl,
    service: 'holds',
    to: 'payments',
    sign: async (caller) => JSON.stringify(caller),
  });
});
beforeEach(() => {
  seen = [];
  answer = 200;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

describe('a hand-over', () => {
  const handOver = () => createHandOver({ client, log: pino({ enabled: false }), target: 'payments' });
  /** With a client that takes as long as it needs, for what a slow machine would not manage in 150 ms. */
  const patientHandOver = () => {
    const patient = { ...client, post: (path: string, body: unknown) => client.post(path, body, 60_000) };
    return createHandOver({ client: patient, log: pino({ enabled: false }), target: 'payments' });
  };

  test('brings the event', async () => {
    await patientHandOver()(testEvent('HoldCaptured'));
    expect(seen).toMatchObject([{ method: 'POST', url: '/internal/events' }]);
  });

  test('takes 150 ms at most and never fails', async () => {
    answer = 'never';
    const begun = performance.now();
    await handOver()(testEvent('HoldCaptured'));
    // Nobody else would have ended it: the server never does.
    expect(performance.now() - begun).toBeLessThan(10_000);
    answer = 500;
    seen = [];
    await patientHandOver()(testEvent('HoldCaptured'));
    expect(seen).toHaveLength(1);
  });

  test('is left out for a second after five failures', async () => {
    answer = 500;
    const tell = patientHandOver();
    for (let n = 0; n < 8; n++) await tell(testEvent('HoldCaptured'));
    expect(seen).toHaveLength(5);
    answer = 200;
    await new Promise((later) => setTimeout(later, 1_050));
    await tell(testEvent('HoldCaptured'));
    expect(seen).toHaveLength(6);
  });
});

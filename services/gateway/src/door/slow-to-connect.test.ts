import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { NEEDED_ANSWER_MS, openServiceClient, type ServiceClient } from '@cobro/service-kit/service-client.ts';
import { listening } from '@cobro/testing/listening.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createBacklog, MOST_BYTES } from './backlog.ts';
import { type Failure, forwardRequest } from './forward-request.ts';
import { openUpstream, type Upstream } from './upstream.ts';

/** A service with a backlog of two connections that it has not accepted yet. Answers with the number of requests so far. */
const SERVICE = `
  let came = 0;
  const server = require('node:http').createServer((_req, res) => res.end(String(++came)));
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port));
`;

let service: ChildProcess;
let port: number;
let upstream: Upstream;
let client: ServiceClient;
let door: Awaited<ReturnType<typeof listening>>;
const failures: (Failure | undefined)[] = [];

beforeAll(async () => {
  service = spawn(process.execPath, ['-e', SERVICE], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed] = (await once(service.stdout!, 'data')) as [Buffer];
  port = Number(printed);
  upstream = openUpstream(`http://127.0.0.1:${port}`);
  const sign = () => Promise.resolve('token');
  client = openServiceClient({ baseUrl: `http://127.0.0.1:${port}`, service: 'holds', to: 'payments', sign });
  const backlog = createBacklog(MOST_BYTES);
  const request = { caller: 'somebody', method: 'POST', path: '/', headers: [], body: Buffer.from('{}') };
  door = await listening(
    createServer((_req, res) => {
      const answer = async () => {
        const failure = await forwardRequest(upstream.money, request, res, {
          timeoutMs: 20_000,
          backlog,
          isStream: false,
        });
        failures.push(failure);
        if (failure !== undefined) res.writeHead(503).end();
      };
      void answer();
    }),
  );
});
afterAll(async () => {
  service.kill('SIGKILL');
  await Promise.all([door.close(), upstream.destroy(), client.close()]);
});

/** Fills the backlog, as connections do that a busy machine has not accepted yet. */
async function takePlaces(): Promise<Socket[]> {
  const places = Array.from({ length: 2 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  await Promise.all(places.map((place) => once(place, 'connect')));
  return places;
}

test('a charge, and a question that it needs, wait for a service that takes no connection for some seconds, and are sent once', async () => {
  service.kill('SIGSTOP');
  const places = await takePlaces();
  let timedOut = 0;
  const thrice = new Promise<void>((resolve) => {
    upstream.money.on('connectionError', (_origin, _targets, { code }) => {
      if (code === 'UND_ERR_CONNECT_TIMEOUT' && ++timedOut === 3) resolve();
    });
  });
  const charged = fetch(`${door.url}/`, { method: 'POST' });
  const asked = client.get('/', performance.now() + 20_000, NEEDED_ANSWER_MS);
  await Promise.race([thrice, charged, asked]);
  service.kill('SIGCONT');
  const [{ status }, answer] = await Promise.all([charged, asked]);
  for (const place of places) place.destroy();
  expect([status, failures]).toEqual([200, [undefined]]);
  expect([1, 2]).toContain(answer);
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('3');
});

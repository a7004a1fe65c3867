import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readDashboardAssets } from '@cobro/dashboard/assets.ts';
import { createLog } from '@cobro/service-kit/log.ts';
import { createRequestBodies } from '@cobro/service-kit/request-bodies.ts';
import { sendParts } from '@cobro/service-kit/send-parts.ts';
import { listening } from '@cobro/testing/listening.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, expect, test } from '@jest/globals';
import type { Deps } from '../deps.ts';
import { openApi } from '../http/api.ts';
import { forAnybody, type SignedIn } from '../http/screen.ts';
import { createPages } from '../http/serve-screens.ts';
import { exportFile } from './export-file.ts';

const MB = 1_000_000;
/** More than the system's buffers of four sockets on one machine hold. */
const PARTS = 96;
const servers: Awaited<ReturnType<typeof listening>>[] = [];
const api = { close: async () => {} };
afterAll(async () => {
  for (const server of servers) await server.close();
  await api.close();
});

const opened = async (server: Server) => {
  const one = await listening(server);
  servers.push(one);
  return one;
};

test('a file that a browser does not read is not fetched ahead, and comes whole once it reads', async () => {
  let made = 0;
  async function* parts() {
    for (; made < PARTS; made++) yield Buffer.alloc(MB, 'x');
  }
  const gateway = await opened(createServer((_req, res) => void sendParts(res, parts())));
  const { openStream, close } = openApi({ peopleUrl: gateway.url, sign: async () => 'token', tls: undefined });
  api.close = close;
  const answered: unknown[] = [];
  const clock = { now: () => new Date() };
  const deps = {
    log: createLog({ service: 'dashboard', level: 'error' }),
    assets: readDashboardAssets(),
    bodies: createRequestBodies(),
    clock,
    trustedProxyHops: 0,
    baseUrl: 'http://localhost',
  } as unknown as Deps;
  const screen = forAnybody('GET', '/payments.csv', async (_deps, visit) => {
    const { body } = await openStream({ kind: 'public' } as never, visit.requestId)('/report/payment.csv');
    return exportFile(deps, visit as SignedIn, body, async (...outcome) => answered.push(outcome));
  });
  const { port } = await opened(createServer(createPages(deps, [screen])));
  const socket = connect(port, '127.0.0.1').pause();
  socket.write('GET /payments.csv HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await until('the file has begun', () => made > 1);
  // In this time a dashboard that does not wait for its reader would make all of it.
  await sleep(1_000);
  expect(made).toBeLessThan(PARTS / 2);
  expect(answered).toEqual([]);
  let bytes = 0;
  socket.on('data', (chunk) => (bytes += chunk.length)).resume();
  await once(socket, 'close');
  expect(bytes).toBeGreaterThan(PARTS * MB);
  expect(answered).toEqual([[200, undefined]]);
});

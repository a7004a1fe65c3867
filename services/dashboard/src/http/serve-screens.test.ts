import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { readDashboardAssets } from '@cobro/dashboard/assets.ts';
import { createLog } from '@cobro/service-kit/log.ts';
import { createRequestBodies } from '@cobro/service-kit/request-bodies.ts';
import { listening } from '@cobro/testing/listening.ts';
import { expect, test } from '@jest/globals';
import type { Deps } from '../deps.ts';
import { forAnybody } from './screen.ts';
import { createPages } from './serve-screens.ts';

test.each(['/page?x=1', 'http://dashboard.example/page?x=1', 'http://[::zz]/page?x=1'])(
  'a page that is asked for as %s is shown',
  async (target) => {
    const deps = {
      log: createLog({ service: 'dashboard', level: 'silent' }),
      assets: readDashboardAssets(),
      bodies: createRequestBodies(),
      trustedProxyHops: 0,
      baseUrl: 'http://localhost',
    } as unknown as Deps;
    const page = forAnybody('GET', '/page', async (_deps, { address }) => ({ status: 200, html: `at ${address}` }));
    const server = await listening(createServer(createPages(deps, [page])));
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    let answer = '';
    socket.on('data', (chunk) => (answer += String(chunk)));
    await once(socket, 'close');
    await server.close();
    expect(answer).toMatch(/^HTTP\/1\.1 200 .*at \/page\?x=1$/s);
  },
);

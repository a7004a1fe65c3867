import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request, type RequestOptions } from 'node:https';
import { connect as connectTcp, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { Worker } from 'node:worker_threads';
import { listening } from '@cobro/testing/listening.ts';
import { type TestAuthority, testAuthority } from '@cobro/testing/test-authority.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Pool } from 'undici';
import { createHttpServer } from './http-server.ts';
import { connectToOwn } from './own-certificate.ts';

let authority: TestAuthority;
let other: TestAuthority;
let folder = '';
let server: Awaited<ReturnType<typeof listening>>;
let port = 0;

beforeAll(() => {
  [authority, other] = [testAuthority(), testAuthority()];
});
afterAll(() => [authority, other].forEach((one) => one.remove()));
beforeEach(() => authority.write((folder = mkdtempSync(join(tmpdir(), 'cobro-tls-')))));
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

async function listen({ required = true, servesStrangers = false } = {}): Promise<void> {
  const options = { tls: { folder, required, servesStrangers } };
  server = await listening(createHttpServer((req, res) => void res.end(`served ${req.url}`), options));
  ({ port } = server);
}

/** Sends a request on its own connection, and gives its status or its error. */
const ask = (path: string, options: RequestOptions = {}) =>
  new Promise<number | string>((resolve) => {
    request({ host: 'localhost', port, path, agent: false, ca: authority.certificate, ...options }, (res) => {
      res.resume().once('end', () => resolve(res.statusCode ?? 0));
    })
      .once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      .end();
  });

describe('who shows', () => {
  test('a certificate of our authority is served', async () => {
    await listen();
    expect(await ask('/payments', authority.issue())).toBe(200);
  });

  test('none gets the health of the process only, as the kubelet does', async () => {
    await listen();
    expect(await ask('/health/ready')).toBe(200);
    expect(await ask('/health/live')).toBe(200);
    for (const path of ['/payments', '/health', '/health/ready/x', '/health/live?x']) expect(await ask(path)).toBe(403);
  });

  test('one of another authority is not served', async () => {
    await listen();
    expect(await ask('/payments', other.issue())).toBe(403);
  });

  test('none is not served on a session that it goes on with either', async () => {
    await listen();
    const session = await new Promise<Buffer>((resolve) => {
      const socket = connect({ host: 'localhost', port, ca: authority.certificate }, () => {
        socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
      });
      socket.once('session', resolve).on('error', () => {});
    });
    const onSession: ConnectionOptions = { host: 'localhost', port, ca: authority.certificate, session };
    const socket = await new Promise<TLSSocket>((resolve) => {
      const resumed = connect(onSession, () => resolve(resumed));
    });
    expect(socket.isSessionReused()).toBe(true);
    socket.write('GET /payments HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await new Promise((resolve) => socket.once('data', (data) => resolve(String(data))))).toMatch(
      /^HTTP\/1.1 403/,
    );
  });

  test('none is served at the door, whose callers show keys', async () => {
    await listen({ servesStrangers: true });
    expect(await ask('/payments')).toBe(200);
  });
});

/** Requests of one of our clients, each on its own connection. */
function ours(of: string, at = port) {
  const pool = new Pool(`https://localhost:${at}`, {
    pipelining: 0,
    connect: connectToOwn({ folder: of, required: true }),
  });
  return {
    get: () =>
      pool.request({ method: 'GET', path: '/', reset: true }).then(
        async ({ statusCode, body }) => {
          await body.dump();
          return statusCode;
        },
        (error: { code: string }) => error.code,
      ),
    close: () => pool.destroy(),
  };
}

const STUCK = `
  const { parentPort } = require('node:worker_threads');
  const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000));
  });
`;

const shownSerial = () =>
  new Promise<string>((resolve) => {
    const socket = connect({ host: 'localhost', port, ca: authority.certificate, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
  });

describe('a client of ours', () => {
  test('believes no server of another authority', async () => {
    await listen();
    const stranger = mkdtempSync(join(tmpdir(), 'cobro-tls-'));
    other.write(stranger);
    const client = ours(stranger);
    expect(await client.get()).toMatch(/UNABLE_TO_VERIFY|SELF_SIGNED/);
    await client.close();
    rmSync(stranger, { recursive: true });
  });

  test('waits for the proof of a server that took its connection', async () => {
    await listen();
    const slow = await listening(
      createServer((socket) => {
        setTimeout(() => socket.pipe(connectTcp(port, '127.0.0.1')).pipe(socket), 2_000);
      }),
    );
    const client = ours(folder, slow.port);
    expect(await client.get()).toBe(200);
    await client.close();
    await slow.close();
  });

  test('gives up after a second where no connection is taken', async () => {
    await listen();
    // Its thread accepts no connections, so the kernel's queue is full after a few.
    const stuck = new Worker(STUCK, { eval: true });
    const [stuckPort] = (await once(stuck, 'message')) as [number];
    const before = Array.from({ length: 8 }, () => connectTcp(stuckPort, '127.0.0.1').on('error', () => {}));
    await sleep(200);
    const client = ours(folder, stuckPort);
    const begun = performance.now();
    expect(await client.get()).toBe('UND_ERR_CONNECT_TIMEOUT');
    expect(performance.now() - begun).toBeLessThan(8_000);
    await client.close();
    for (const socket of before) socket.destroy();
    await stuck.terminate();
  });

  test('has each request answered while certificate and authority are turned on both sides', async () => {
    await listen();
    const client = ours(folder);
    const answers: (number | string)[] = [];
    const load = { isOn: true };
    const asking = (async () => {
      while (load.isOn) answers.push(await client.get());
    })();
    const turn = async (by: TestAuthority, believed: TestAuthority[]) => {
      const before = await shownSerial();
      by.write(folder, 'tls', believed);
      await until('the server shows another certificate', async () => (await shownSerial()) !== before);
      const asked = answers.length;
      await until('requests go on', () => answers.slice(asked).filter((answer) => answer === 200).length > 5);
    };
    await turn(authority, [authority]);
    // An authority is replaced in three steps: both are believed before the new one issues anything.
    await turn(authority, [authority, other]);
    await turn(other, [authority, other]);
    await turn(other, [other]);
    load.isOn = false;
    await asking;
    // A late connection only means that the machine stood still.
    const late = 'UND_ERR_CONNECT_TIMEOUT';
    expect(answers.filter((answer) => answer !== 200 && answer !== late)).toEqual([]);
    expect(await ask('/payments', { ...authority.issue(), rejectUnauthorized: false })).toBe(403);
    await client.close();
  });
});

test('files that are no certificate change nothing', async () => {
  await listen();
  const before = await shownSerial();
  writeFileSync(join(folder, 'tls.crt'), 'rubbish');
  const client = authority.issue();
  for (let i = 0; i < 5; i++) expect(await ask('/payments', client)).toBe(200);
  expect(await shownSerial()).toBe(before);
});

test('while TLS is being switched on, requests in clear are served too, and strangers by TLS are not', async () => {
  await listen({ required: false });
  const clear = await fetch(`http://127.0.0.1:${port}/payments`, { method: 'POST', body: 'x'.repeat(100_000) });
  expect([clear.status, await clear.text()]).toEqual([200, 'served /payments']);
  expect(await ask('/payments', authority.issue())).toBe(200);
  expect(await ask('/payments')).toBe(403);
});

test('once it is required, nothing is answered in clear', async () => {
  await listen();
  await expect(fetch(`http://127.0.0.1:${port}/health/live`)).rejects.toThrow('fetch failed');
});

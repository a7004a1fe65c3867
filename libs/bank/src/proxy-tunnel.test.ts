import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { newId } from '@cobro/contracts/ids.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import { freePort } from '@cobro/testing/free-port.ts';
import { testCertificate } from '@cobro/testing/test-certificate.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { openBank } from './bank-client.ts';
import type { Bank, BankRequest } from './bank.ts';

const charged = { token: new Secret('tok_1'), amount: 100n, initiatedBy: 'customer', organizationId: newId() } as const;
const request: BankRequest = { kind: 'sale', ...charged, terms: 1 };
const said = {
  outcome: 'approved',
  reference: 'sal_1',
  time: '2026-05-05T12:00:00.000Z',
  authCode: 'A1',
  resultCode: '00',
  text: 'APROBADA',
};
const authorities = getCACertificates('default');
const servers: Server[] = [];
const sockets = new Set<Socket>();
let calls = 0;
let bankPort = 0;

async function listening(server: Server): Promise<number> {
  servers.push(server);
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

beforeAll(() => setDefaultCACertificates([...authorities, testCertificate.cert]));
afterAll(() => setDefaultCACertificates(authorities));
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
  sockets.clear();
  calls = 0;
});

/** What the proxy does when a tunnel is asked for. */
type Behaviour = (socket: Socket, tunnel: () => Socket) => void;

const honest: Behaviour = (socket, tunnel) => {
  socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
  socket.pipe(tunnel()).pipe(socket);
};

const silent: Behaviour = () => {};

interface Seen {
  target?: string | undefined;
  authorization?: string | undefined;
}

/** A bank with TLS, behind a proxy that behaves like this. */
async function behind(behave: Behaviour, seen: Seen = {}): Promise<Bank> {
  bankPort = await listening(
    createServer(testCertificate, (req, res) => {
      calls++;
      req.resume().on('end', () => res.end(JSON.stringify(said)));
    }),
  );
  const proxy = createHttpServer().on('connect', (req, socket: Socket) => {
    Object.assign(seen, { target: req.url, authorization: req.headers['proxy-authorization'] });
    socket.on('error', () => {});
    behave(socket, () => {
      const tunnel = connect(bankPort, '127.0.0.1').on('error', () => socket.destroy());
      sockets.add(tunnel);
      return tunnel;
    });
  });
  return open(`http://ana:p%40ss@127.0.0.1:${await listening(proxy)}`, behave === silent ? 1_000 : 30_000);
}

const open = (proxyUrl: string, connectTimeoutMs = 30_000) =>
  openBank({
    url: `https://localhost:${bankPort}`,
    proxyUrl: new Secret(proxyUrl),
    connections: 1,
    connectTimeoutMs,
    callTimeoutMs: 60_000,
  });

const send = (bank: Bank) => bank.send(newId(), request, performance.now() + 90_000, 'live');

test('an https bank is reached through the proxy, which sees an address, its credentials, and nothing else', async () => {
  const seen: Seen = {};
  const bank = await behind(honest, seen);
  expect(await send(bank)).toEqual({ ...said, time: new Date(said.time) });
  expect(seen).toEqual({ target: `localhost:${bankPort}`, authorization: `Basic ${btoa('ana:p@ss')}` });
});

describe('nothing was sent to the bank where the proxy', () => {
  test.each<[string, Behaviour]>([
    ['refuses', (socket) => socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n')],
    ['cannot reach the bank', (socket) => socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n')],
    ['hangs up before it answers', (socket) => socket.destroy()],
    ['never answers', silent],
    ['answers something else', (socket) => socket.end('rubbish\r\n\r\n')],
  ])('%s', async (_what, behave) => {
    const bank = await behind(behave);
    expect(await send(bank)).toEqual({ outcome: 'unreachable' });
    expect(await bank.inquire(newId(), 'sale', true)).toEqual({ outcome: 'unreachable' });
    expect(calls).toBe(0);
  });

  test('is not there', async () => {
    expect(await send(open(`http://127.0.0.1:${await freePort()}`))).toEqual({ outcome: 'unreachable' });
  });
});

describe('the outcome is unknown where the tunnel stood and', () => {
  test.each<[string, Behaviour]>([
    [
      'is cut before the bank has shown its certificate',
      (socket) => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.once('data', () => socket.destroy());
      },
    ],
    [
      'is cut while the bank answers',
      (socket, tunnel) => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        const toBank = tunnel();
        socket.pipe(toBank);
        // The bank's part of the handshake passes; its answer is held back, and the connection is cut.
        toBank.on('data', (bytes: Buffer) => (calls > 0 ? socket.destroy() : void socket.write(bytes)));
      },
    ],
  ])('%s', async (_what, behave) => {
    expect(await send(await behind(behave))).toEqual({ outcome: 'unknown' });
  });
});

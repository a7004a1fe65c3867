import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect as connectInClear, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { openBank } from '@cobro/bank/bank-client.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import { openBroker } from '@cobro/events/broker.ts';
import { luaScript, openRedis } from '@cobro/limits/redis.ts';
import { openDatabase, sql } from '@cobro/postgres/database.ts';
import { type TestAuthority, testAuthority } from '@cobro/testing/test-authority.ts';
import { silentLog } from '@cobro/testing/silent-log.ts';
import { testBroker } from '@cobro/testing/test-broker.ts';
import { testEnvironment } from '@cobro/testing/test-environment.ts';
import { testRedis } from '@cobro/testing/test-redis.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';

const authorities = getCACertificates('default');
let authority: TestAuthority;
let folder = '';
const fronts: Front[] = [];

/** Stands before a server that asks for no certificate, and asks for one of the authority. */
interface Front {
  url: string;
  /** The serial number of the certificate that each connection showed. */
  shown: string[];
  refused: number;
  /** Breaks off all connections. */
  cut(): void;
  close(): void;
}

beforeAll(() => {
  authority = testAuthority();
  setDefaultCACertificates([...authorities, authority.certificate]);
});
afterAll(() => {
  setDefaultCACertificates(authorities);
  authority.remove();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cobro-client-'));
  process.env['CLIENT_CERTIFICATES'] = folder;
});
afterEach(() => {
  delete process.env['CLIENT_CERTIFICATES'];
  for (const front of fronts.splice(0)) front.close();
  rmSync(folder, { recursive: true });
});

const TLS_WANTED = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** Puts a front before the server at `url`. Postgres clients ask for TLS first, in clear. */
async function putBefore(url: string, protocol: string): Promise<Front> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const keep = <S extends Socket>(socket: S): S => {
    sockets.add(socket.on('error', () => {}));
    return socket;
  };
  const it: Front = { url: '', shown: [], refused: 0, cut: () => {}, close: () => {} };
  const check = { requestCert: true, rejectUnauthorized: true, ca: authority.certificate };
  const shaking = createTlsServer({ ...check, ...authority.issue() }, (secure) => {
    it.shown.push(keep(secure).getPeerCertificate().serialNumber);
    const server = keep(connectInClear(Number(target.port), target.hostname));
    secure.pipe(server).pipe(secure);
    secure.once('close', () => server.destroy());
    server.once('close', () => secure.destroy());
  }).on('tlsClientError', () => it.refused++);
  const server = createServer((socket) => {
    keep(socket);
    if (protocol !== 'postgres') return void shaking.emit('connection', socket);
    socket.once('data', (first) => {
      expect(TLS_WANTED.equals(first)).toBe(true);
      socket.pause();
      socket.write('S');
      shaking.emit('connection', socket);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = new URL(url.replace(/^\w+:/, `${protocol}:`));
  address.hostname = 'localhost';
  address.port = String((server.address() as AddressInfo).port);
  it.url = address.href;
  it.cut = () => sockets.forEach((socket) => socket.destroy());
  it.close = () => {
    it.cut();
    server.close();
  };
  fronts.push(it);
  return it;
}

/** The client works with the first certificate, and with the next one after it was turned over and connections broke. */
async function worksAndTurns(server: string, { shown, cut }: Front, works: () => Promise<boolean>): Promise<void> {
  await until('it works', works);
  const [first] = shown;
  expect(new Set(shown)).toEqual(new Set([first]));
  authority.write(folder, server);
  cut();
  await until('it works with the certificate that was turned', async () => (await works()) && shown.at(-1) !== first);
}

const yes = () => true;
const no = () => false;

test('Postgres is shown a certificate, and again when it has been turned', async () => {
  authority.write(folder, 'postgres');
  const server = await putBefore(testEnvironment().postgres.url, 'postgres');
  const db = openDatabase({ url: `${server.url}?sslmode=verify-full`, schema: 'public' });
  await worksAndTurns('postgres', server, () => db.run(sql`select 1`).then(yes, no));
  expect(server.refused).toBe(0);
  await db.close();
});

test('RabbitMQ is shown a certificate, and again when it has been turned', async () => {
  authority.write(folder, 'rabbitmq');
  const broker = await testBroker();
  const server = await putBefore(broker.url, 'amqps');
  const opened = openBroker({ url: server.url, name: 'test', log: silentLog });
  await worksAndTurns('rabbitmq', server, async () => opened.canPublish());
  expect(server.refused).toBe(0);
  await opened.close();
  await broker.drop();
});

test('Redis is shown a certificate, and again when it has been turned', async () => {
  authority.write(folder, 'redis');
  const { url, prefix } = testRedis();
  const server = await putBefore(url, 'rediss');
  const redis = openRedis({ url: server.url, prefix, log: silentLog, patienceMs: 5_000 });
  const script = luaScript(`return redis.call('incr', KEYS[1])`);
  await worksAndTurns('redis', server, async () => (await redis.run(script, 'n', [])) !== undefined);
  expect(server.refused).toBe(0);
  redis.close();
});

test('the bank is shown a certificate, and again when it has been turned; without one it learns nothing', async () => {
  const shown: string[] = [];
  let refused = 0;
  const sockets = new Set<Socket>();
  const check = { requestCert: true, rejectUnauthorized: true, ca: authority.certificate };
  const server = createHttpsServer({ ...check, ...authority.issue() }, (req, res) => {
    shown.push((req.socket as TLSSocket).getPeerCertificate().serialNumber);
    req.resume().on('end', () => res.end('{}'));
  });
  server.on('secureConnection', (socket) => sockets.add(socket)).on('tlsClientError', () => refused++);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  const open = () => openBank({ url, connections: 1, connectTimeoutMs: 30_000, callTimeoutMs: 30_000 });
  const call = async (bank: ReturnType<typeof open>) => {
    const request = {
      kind: 'sale',
      token: new Secret('tok_1'),
      amount: 100n,
      terms: 1,
      initiatedBy: 'customer',
      organizationId: newId(),
    } as const;
    await bank.send(newId(), request, performance.now() + 30_000, 'live');
    return true;
  };
  const stranger = open();
  await call(stranger);
  expect([refused > 0, shown]).toEqual([true, []]);
  authority.write(folder, 'bank');
  const bank = open();
  await worksAndTurns(
    'bank',
    { url, shown, refused, cut: () => sockets.forEach((socket) => socket.destroy()), close: () => {} },
    () => call(bank),
  );
  await Promise.all([bank.close(), stranger.close()]);
  server.close();
});

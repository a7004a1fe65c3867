import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { testAuthority } from '@cobro/testing/test-authority.ts';
import { afterAll, describe, expect, test } from '@jest/globals';
import { isGlobal } from './global-address.ts';
import { openLookUp } from './look-up.ts';
import { AddressRefused, openOutbound, type OutboundOptions } from './outbound.ts';

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

function open(options: Partial<OutboundOptions> = {}) {
  const outbound = openOutbound({ allowsLoopback: false, ...options });
  closing.push(outbound.close);
  return outbound;
}

async function listen(answer: RequestListener): Promise<{ server: Server; port: number; asked: () => number }> {
  let asked = 0;
  const server = createServer((req, res) => {
    asked++;
    answer(req, res);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  return { server, port: (server.address() as AddressInfo).port, asked: () => asked };
}

const send = (outbound: ReturnType<typeof openOutbound>, url: string, withinMs = 30_000) =>
  outbound.post({ url: new URL(url), headers: { 'content-type': 'application/json' }, body: '{}', withinMs });

/** Each look-up of any name gives the next of these answers. */
const resolving =
  (...answers: string[][]): NonNullable<OutboundOptions['lookUp']> =>
  (_name, _options, callback) => {
    const addresses = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };

/** One of each kind of inner address, and other ways to write it. */
const inner = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.254',
  '127.0.0.1',
  '127.255.0.9',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:a9fe:a9fe]',
  '[::7f00:1]',
  '[64:ff9b::a00:1]',
  '[64:ff9b:1::1]',
  '[100::1]',
  '[2001::1]',
  '[2001:db8::1]',
  '[2002:7f00:1::]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[3fff::1]',
  '[5f00::1]',
  // 127.0.0.1, 169.254.169.254 and 10.0.0.1 in other notations.
  '2130706433',
  '0x7f000001',
  '017700000001',
  '127.1',
  '0x7f.1',
  '127.0.0.1.',
  '2852039166',
  '0xa9fea9fe',
  '012.0.0.1',
  '１２７.０.０.１',
];

describe('an inner address', () => {
  test.each(inner)('%s is refused before anything is sent', async (host) => {
    expect(inner.length).toBeGreaterThan(40);
    const outbound = open();
    expect(await outbound.refusalOf(new URL(`https://${host}/`))).toBe('must lead to a public address');
    await expect(send(outbound, `https://${host}/`)).rejects.toThrow(AddressRefused);
  });

  test.each(
    inner
      .filter((host) => /^[\d.]+$|^\[/.test(host) && !/^\d+$/.test(host))
      .map((host) => new URL(`https://${host}/`).hostname),
  )('a name that leads to %s is refused', async (host) => {
    const outbound = open({ lookUp: resolving([host.replace(/^\[(.*)\]$/, '$1')]) });
    expect(await outbound.refusalOf(new URL('https://shop.example.com/'))).toBe('must lead to a public address');
    await expect(send(outbound, 'https://shop.example.com/')).rejects.toThrow('must lead to a public address');
  });

  test('is refused also where the name leads to public ones besides', async () => {
    const outbound = open({ lookUp: resolving(['93.184.215.14', '10.0.0.1']) });
    await expect(send(outbound, 'https://shop.example.com/')).rejects.toThrow(AddressRefused);
  });

  test('is refused where the name led to a public one when it was checked', async () => {
    const outbound = open({ lookUp: resolving(['93.184.215.14'], ['127.0.0.1']) });
    const url = 'https://rebinding.example.com/';
    expect(await outbound.refusalOf(new URL(url))).toBeUndefined();
    await expect(send(outbound, url)).rejects.toThrow(AddressRefused);
  });

  test('is not reached through a redirect', async () => {
    const { port: secret, asked } = await listen((_req, res) => res.end('secret'));
    const { port } = await listen((_req, res) => res.writeHead(307, { location: `http://127.0.0.1:${secret}/` }).end());
    const answer = await send(open({ allowsLoopback: true }), `http://127.0.0.1:${port}/`);
    expect([answer.status, asked()]).toEqual([307, 0]);
  });

  test.each(['http://example.com/', 'ftp://example.com/', 'file:///etc/passwd', 'https://user:secret@example.com/'])(
    '%s is refused, as all that is not plain https',
    async (url) => {
      expect(await open().refusalOf(new URL(url))).toMatch(/^must/);
      await expect(send(open(), url)).rejects.toThrow(AddressRefused);
    },
  );
});

test('public addresses are let through', () => {
  for (const address of [
    '1.1.1.1',
    '8.8.8.8',
    '93.184.215.14',
    '172.32.0.1',
    '192.0.1.1',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
  ]) {
    expect([address, isGlobal(address)]).toEqual([address, true]);
  }
  expect(isGlobal('shop.example.com')).toBe(false);
});

describe('in a demo', () => {
  test('loopback may be reached, by number and by name, and no other inner address', async () => {
    const { port } = await listen((_req, res) => res.writeHead(201, { 'retry-after': '7' }).end('x'.repeat(5_000)));
    const outbound = open({ allowsLoopback: true, lookUp: resolving(['127.0.0.1']) });
    for (const host of ['127.0.0.1', 'receiver.test']) {
      const answer = await send(outbound, `http://${host}:${port}/hook?a=1`);
      expect(answer).toEqual({ status: 201, retryAfter: '7', text: 'x'.repeat(1_024) });
    }
    for (const host of ['10.0.0.1', '[::ffff:127.0.0.1]', '169.254.169.254', '0.0.0.0']) {
      await expect(send(outbound, `http://${host}:${port}/`)).rejects.toThrow(AddressRefused);
    }
  });

  test('an answer that does not begin in time fails, and one that does not end is what has come of it', async () => {
    const outbound = open({ allowsLoopback: true });
    const { port: silent } = await listen(() => {});
    await expect(send(outbound, `http://127.0.0.1:${silent}/`, 100)).rejects.toThrow('not in time');
    const { port: endless } = await listen((_req, res) => void res.writeHead(200).write('begun'));
    expect(await send(outbound, `http://127.0.0.1:${endless}/`, 3_000)).toMatchObject({ status: 200 });
    const { port: breaking } = await listen((req) => req.socket.destroy());
    await expect(send(outbound, `http://127.0.0.1:${breaking}/`)).rejects.toThrow('other side closed');
  });
});

test('an answer in chunks of one byte is read as quickly as another, and no further than asked', async () => {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(60_000)}`);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const begun = process.cpuUsage();
  const asked = { url, method: 'GET', headers: {}, body: '', withinMs: 60_000 } as const;
  const answer = await open({ allowsLoopback: true }).request({ ...asked, mostBytes: 50_000 });
  expect(answer.text.length).toBe(50_000);
  const { user, system } = process.cpuUsage(begun);
  expect((user + system) / 1_000).toBeLessThan(1_500);
});

describe('through a proxy', () => {
  /** A proxy that connects to any address, by CONNECT. */
  async function startProxy(answer = '200 Connection established') {
    const asked: { target: string; authorization: string | undefined }[] = [];
    const { server, port } = await listen((_req, res) => void res.writeHead(405).end());
    server.on('connect', (req, socket: Socket) => {
      asked.push({ target: req.url ?? '', authorization: req.headers['proxy-authorization'] });
      const [host, to] = (req.url ?? '').split(':');
      socket.write(`HTTP/1.1 ${answer}\r\n\r\n`);
      socket.on('error', () => {});
      if (!answer.startsWith('200')) return void socket.end();
      const onward = connect(Number(to), host);
      onward.on('error', () => socket.destroy());
      closing.push(() => onward.destroy());
      onward.pipe(socket).pipe(onward);
    });
    return { proxy: new URL(`http://us:se%20cret@127.0.0.1:${port}`), asked };
  }

  test('it is asked for the address that was checked, and never for the name', async () => {
    const { proxy, asked } = await startProxy();
    const { port } = await listen((_req, res) => res.writeHead(204).end());
    const outbound = open({ allowsLoopback: true, proxy, lookUp: resolving(['127.0.0.1'], ['10.0.0.1']) });
    expect(await send(outbound, `http://receiver.test:${port}/`)).toMatchObject({ status: 204 });
    const authorization = `Basic ${Buffer.from('us:se cret').toString('base64')}`;
    expect(asked).toEqual([{ target: `127.0.0.1:${port}`, authorization }]);
    await expect(send(outbound, 'https://receiver.test/')).rejects.toThrow(AddressRefused);
    expect(asked).toHaveLength(1);
  });

  test('an address in digits is reached without a name server', async () => {
    const { proxy } = await startProxy();
    const { port } = await listen((_req, res) => res.writeHead(204).end());
    const outbound = open({ allowsLoopback: true, proxy, lookUp: openLookUp(['127.0.0.1:9']) });
    expect(await send(outbound, `http://127.0.0.1:${port}/`)).toMatchObject({ status: 204 });
  });

  test('the receiver, and not the proxy, has to show the certificate', async () => {
    const { proxy, asked } = await startProxy();
    const authority = testAuthority();
    closing.push(authority.remove);
    const server = createTlsServer(authority.issue(), () => {}).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const outbound = open({ allowsLoopback: true, proxy, lookUp: resolving(['127.0.0.1']) });
    await expect(send(outbound, `https://localhost:${port}/`)).rejects.toThrow('certificate');
    expect(asked.map(({ target }) => target)).toEqual([`127.0.0.1:${port}`]);
  });

  test('one that refuses, or is not there, is a connection that failed', async () => {
    const { proxy } = await startProxy('403 Forbidden');
    await expect(send(open({ allowsLoopback: true, proxy }), 'http://127.0.0.1:9/')).rejects.toThrow('refuses');
    const nobody = open({ allowsLoopback: true, proxy: new URL('http://127.0.0.1:9') });
    await expect(send(nobody, 'http://127.0.0.1:9/')).rejects.toThrow('ECONNREFUSED');
  });
});

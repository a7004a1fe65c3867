import { createSocket, type Socket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { afterEach, expect, test } from '@jest/globals';
import { openLookUp } from './look-up.ts';

const servers: Socket[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

/** A name server that gives these addresses, or says nothing. */
async function nameServer(addresses: { A?: string; AAAA?: string } | 'silent') {
  const server = createSocket('udp4');
  servers.push(server);
  server.on('message', (question, { port }) => {
    if (addresses !== 'silent') server.send(answerTo(question, addresses), port, '127.0.0.1');
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${server.address().port}`;
}

/** RFC 1035: the question again, followed by the record that it asks for. */
function answerTo(question: Buffer, { A, AAAA }: { A?: string; AAAA?: string }): Buffer {
  const nameEnds = question.indexOf(0, 12) + 1;
  const isFour = question.readUInt16BE(nameEnds) === 1;
  const asked = question.subarray(0, nameEnds + 4);
  const address = isFour ? A : AAAA;
  const bytes = isFour
    ? Buffer.from((A ?? '').split('.').map(Number))
    : Buffer.from((AAAA ?? '').replaceAll(':', ''), 'hex');
  const head = Buffer.from(asked);
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(address === undefined ? 0 : 1, 6);
  head.writeUInt32BE(0, 8);
  const record = Buffer.from([0xc0, 12, 0, isFour ? 1 : 28, 0, 1, 0, 0, 0, 60, 0, bytes.length]);
  return address === undefined ? head : Buffer.concat([head, record, bytes]);
}

const lookUp = (server: string, name: string) =>
  new Promise<LookupAddress[]>((resolve, reject) => {
    openLookUp([server])(name, { all: true }, (error, addresses) =>
      error === null ? resolve(addresses) : reject(error),
    );
  });

test('gives every address of a name, of both families or of one', async () => {
  const six = '2606:4700:0000:0000:0000:0000:0000:1111';
  await expect(lookUp(await nameServer({ A: '93.184.215.14', AAAA: six }), 'shop.example.com')).resolves.toEqual([
    { address: '93.184.215.14', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ]);
  await expect(lookUp(await nameServer({ A: '93.184.215.14' }), 'shop.example.com')).resolves.toEqual([
    { address: '93.184.215.14', family: 4 },
  ]);
});

test('fails where the name has no address, and where its name server never answers', async () => {
  await expect(lookUp(await nameServer({}), 'shop.example.com')).rejects.toMatchObject({ code: 'ENODATA' });
  const silent = await nameServer('silent');
  const many = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => lookUp(silent, `${n}.example.com`)));
  expect(new Set(many.map((one) => one.status === 'rejected' && (one.reason as { code: string }).code))).toEqual(
    new Set(['ETIMEOUT']),
  );
});

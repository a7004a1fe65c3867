import { createServer, type RequestListener } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import { freePort } from '@cobro/testing/free-port.ts';
import { listening } from '@cobro/testing/listening.ts';
import { openBank } from './bank-client.ts';
import type { BankRequest } from './bank.ts';

const charged = {
  token: new Secret('tok_1'),
  amount: 99_999_999_999n,
  initiatedBy: 'customer',
  organizationId: newId(),
} as const;
const request: BankRequest = { kind: 'sale', ...charged, terms: 1, recurring: true };
const time = '2026-05-05T12:00:00.000Z';
const said = { outcome: 'approved', reference: 'sal_1', time, authCode: 'A1', resultCode: '00', text: 'APROBADA' };

let server: Awaited<ReturnType<typeof listening>> | undefined;
afterEach(() => server?.close());

/** A bank that answers as no bank should. `callTimeoutMs` matters only if it does not answer. */
async function bankThat(answer: RequestListener, callTimeoutMs = 30_000) {
  server = await listening(createServer(answer));
  const { url } = server;
  const token = new Secret('token-of-ours');
  return openBank({ url, token, connections: 4, connectTimeoutMs: 30_000, callTimeoutMs });
}
const within = (ms: number) => performance.now() + ms;

describe('an answer of the bank', () => {
  test('is read as it is, and the request is what the bank expects', async () => {
    let seen: unknown;
    const key = newId();
    const bank = await bankThat((req, res) => {
      req.setEncoding('utf8').on('data', (body: string) => {
        seen = [req.method, req.url, req.headers['idempotency-key'], req.headers.authorization, JSON.parse(body)];
        res.end(JSON.stringify(said));
      });
    });
    expect(await bank.send(key, request, within(30_000), 'live')).toEqual({ ...said, time: new Date(time) });
    expect(seen).toEqual([
      'POST',
      '/v1/sales',
      key,
      'Bearer token-of-ours',
      {
        token: 'tok_1',
        amount: 99_999_999_999,
        currency: 'MXN',
        initiatedBy: 'customer',
        merchant: { id: charged.organizationId, descriptor: null },
        terms: 1,
        recurring: true,
      },
    ]);
  });

  test.each<[string, RequestListener]>([
    ['500', (_req, res) => res.writeHead(500).end(JSON.stringify(said))],
    ['a redirect', (_req, res) => res.writeHead(302, { location: '/' }).end()],
    ['a refusal of the key', (_req, res) => res.writeHead(422).end('{"error":"key_reused"}')],
    [
      'busy, with the status of something else',
      (_req, res) => res.writeHead(500).end('{"error":"retry","message":""}'),
    ],
    ['busy, as no bank says it', (_req, res) => res.writeHead(503).end('{"error":"busy","message":"retry"}')],
    ['a refusal with a page', (_req, res) => res.writeHead(400).end('<html>refused</html>')],
    ['a page', (_req, res) => res.end('<html>maintenance</html>')],
    ['nothing', (_req, res) => res.end()],
    ['null', (_req, res) => res.end('null')],
    ['another word', (_req, res) => res.end('{"outcome":"accepted"}')],
    ['an approval without a reference', (_req, res) => res.end(`{"outcome":"approved","time":"${time}"}`)],
    ['an approval with an empty reference', (_req, res) => res.end(JSON.stringify({ ...said, reference: '' }))],
    [
      'an approval from another century',
      (_req, res) => res.end(JSON.stringify({ ...said, time: '0026-05-05T12:00:00Z' })),
    ],
    ['longer than any answer', (_req, res) => res.end(JSON.stringify({ ...said, text: 'A'.repeat(100_000) }))],
    ['an approval without a time', (_req, res) => res.end('{"outcome":"approved","reference":"sal_1"}')],
    ['a decline without a reason', (_req, res) => res.end(`{"outcome":"declined","time":"${time}"}`)],
    ['a cut connection', (req) => req.socket.destroy()],
  ])('that is %s is unknown, never a decline', async (_name, answer) => {
    const bank = await bankThat(answer);
    expect(await bank.send(newId(), request, within(30_000), 'live')).toEqual({ outcome: 'unknown' });
    expect(await bank.inquire(newId(), 'sale', true)).toEqual({ outcome: 'unknown' });
  });

  test('that nothing was done is not unknown: the request may be sent again, or it is declined', async () => {
    const busy = await bankThat((_req, res) => res.writeHead(503).end('{"error":"retry","message":"busy"}'));
    expect(await busy.send(newId(), request, within(30_000), 'live')).toEqual({ outcome: 'retry' });
    expect(await busy.inquire(newId(), 'sale', true)).toEqual({ outcome: 'unknown' });
    await server?.close();
    const strict = await bankThat((_req, res) =>
      res.writeHead(400).end('{"error":"refused","message":"terms\\u0000"}'),
    );
    expect(await strict.send(newId(), request, within(30_000), 'live')).toMatchObject({
      outcome: 'declined',
      declineCode: 'refused',
      reference: null,
      text: 'terms',
    });
    expect(await strict.inquire(newId(), 'sale', true)).toEqual({ outcome: 'unknown' });
  });

  test('is kept without what no database takes, and not longer than it may be', async () => {
    const odd = { ...said, text: `\0 \ud800 ${'ñ'.repeat(600)}`, authCode: 7, resultCode: '\u0007' };
    const bank = await bankThat((_req, res) => res.end(JSON.stringify(odd)));
    expect(await bank.send(newId(), request, within(30_000), 'live')).toEqual({
      ...said,
      time: new Date(time),
      text: `\ufffd ${'ñ'.repeat(496)}`,
      authCode: null,
      resultCode: null,
    });
  });

  test.each([
    ['a time', '2026-05-10T06:00:00.000Z', new Date('2026-05-10T06:00:00.000Z')],
    ['nothing', undefined, null],
    ['null', null, null],
    ['no time', 'tomorrow', null],
  ])('to an authorization has %s as captureBefore, and holds in any case', async (_name, captureBefore, read) => {
    const bank = await bankThat((_req, res) => res.end(JSON.stringify({ ...said, captureBefore })));
    const authorize = { kind: 'authorize', ...charged } as const;
    const answer = { outcome: 'approved', captureBefore: read };
    expect(await bank.send(newId(), authorize, within(30_000), 'live')).toMatchObject(answer);
    expect(await bank.inquire(newId(), 'authorize', true)).toMatchObject(answer);
  });

  test('says what was charged, and which card, of a sale alone', async () => {
    const card = { lastFourDigits: '4242', network: 'VISA', fundingSource: 'CREDIT', issuingBank: 'BBVA' };
    const bank = await bankThat((_req, res) => res.end(JSON.stringify({ ...said, amount: 700, card })));
    expect(await bank.send(newId(), request, within(30_000), 'live')).toMatchObject({ amount: 700, card });
    const authorize = { kind: 'authorize', ...charged } as const;
    const answer = await bank.send(newId(), authorize, within(30_000), 'live');
    expect(Object.keys(answer)).not.toEqual(expect.arrayContaining(['amount']));
    expect(Object.keys(answer)).not.toEqual(expect.arrayContaining(['card']));
  });

  test('of a sale that names a card which is none is an approval of the card that was asked for', async () => {
    const bank = await bankThat((_req, res) => res.end(JSON.stringify({ ...said, card: { lastFourDigits: '42' } })));
    const answer = await bank.send(newId(), request, within(30_000), 'live');
    expect(answer).toMatchObject({ outcome: 'approved', card: undefined });
  });

  test('with a broken decline code is a decline, with no code that we know', async () => {
    const odd = { outcome: 'declined', time, declineCode: 'already_voided\0' };
    const bank = await bankThat((_req, res) => res.end(JSON.stringify(odd)));
    expect(await bank.send(newId(), request, within(30_000), 'live')).toMatchObject({
      outcome: 'declined',
      declineCode: 'already_voided_',
    });
  });

  test('to a card that is to be saved needs a token', async () => {
    const card = { expirationMonth: 12, expirationYear: 2032, holderName: 'Ana', cvc: new Secret('123') };
    const tokenize = {
      kind: 'tokenize',
      use: 'saved',
      card: { ...card, number: new Secret('4242424242424242') },
    } as const;
    const bank = await bankThat((_req, res) => res.end(JSON.stringify(said)));
    expect(await bank.send(newId(), tokenize, within(30_000), 'live')).toEqual({ outcome: 'unknown' });
    expect(await bank.inquire(newId(), 'tokenize', true)).toEqual({ outcome: 'unknown' });
  });

  test.each<[string, RequestListener]>([
    ['half a body', (_req, res) => res.writeHead(200, { 'content-length': '999' }).write('{"outcome":"appr')],
    ['silence', () => {}],
  ])('that is %s is unknown in time', async (_name, answer) => {
    const bank = await bankThat(answer, 400);
    const begun = performance.now();
    expect(await bank.send(newId(), request, within(400), 'live')).toEqual({ outcome: 'unknown' });
    expect(await bank.inquire(newId(), 'sale', true)).toEqual({ outcome: 'unknown' });
    expect(performance.now() - begun).toBeLessThan(20_000);
  });

  test('to an inquiry may be that it has not seen the key', async () => {
    const bank = await bankThat((_req, res) => res.end('{"outcome":"not_found","closed":true}'));
    expect(await bank.inquire(newId(), 'sale', true)).toEqual({ outcome: 'not_found', closed: true });
    expect(await bank.send(newId(), request, within(30_000), 'live')).toEqual({ outcome: 'unknown' });
  });
});

describe('a bank that is not there', () => {
  test.each(['127.0.0.1', 'localhost', 'bank.invalid'])('at %s was provably sent nothing', async (host) => {
    const url = `http://${host}:${await freePort()}`;
    const bank = openBank({ url, connections: 4, connectTimeoutMs: 300, callTimeoutMs: 30_000 });
    expect(await bank.send(newId(), request, within(30_000), 'live')).toEqual({ outcome: 'unreachable' });
    expect(await bank.inquire(newId(), 'sale', true)).toEqual({ outcome: 'unreachable' });
  });
});

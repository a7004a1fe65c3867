import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as requestByTls, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { freePort } from '@cobro/testing/free-port.ts';
import {
  adapterCard as card,
  adapterCharge as charge,
  adapterTokens as tokens,
  type RunningStripeAdapter,
  settledAt,
  startStripeAdapter,
} from '@cobro/testing/start-stripe-adapter.ts';
import { testAuthority } from '@cobro/testing/test-authority.ts';
import { until } from '@cobro/testing/until.ts';
import { withClient } from '@cobro/postgres/with-client.ts';
import { sentences, tryAll } from '../../../ops/conformance/conformance.ts';
import { findLocalstripe, findStripeMock } from '../../../simulators/localstripe/src/find-programs.ts';
import type { Fault } from '../../../simulators/localstripe/src/stripe-rules.ts';

const [python, mock] = await Promise.all([findLocalstripe(), findStripeMock()]);
if (python === undefined) {
  process.stderr.write(
    'The Stripe adapter is not tried, because there is no Python, or it cannot install localstripe.\n',
  );
} else if (mock === undefined) {
  process.stderr.write(
    'The Stripe adapter is not held against stripe-mock, because there is no Go, or it cannot install it.\n',
  );
}

type Json = Record<string, unknown>;

(python === undefined ? describe.skip : describe)('the adapter in front of localstripe', () => {
  let adapter: RunningStripeAdapter;
  const post: RunningStripeAdapter['post'] = (...request) => adapter.post(...request);
  const inquire: RunningStripeAdapter['inquire'] = (...asked) => adapter.inquire(...asked);
  const tokenOf: RunningStripeAdapter['tokenOf'] = (number) => adapter.tokenOf(number);

  beforeAll(async () => {
    adapter = await startStripeAdapter(python as string);
  });
  afterAll(() => adapter?.close());
  beforeEach(() => void (adapter.rules.faults.length = 0));

  test('keeps every sentence of the protocol that can be tried without a terminal', async () => {
    const restart = async () => {
      await adapter.kill();
      await adapter.start();
    };
    const moveClock = async (to: Date | undefined) => {
      const offsetMs = to === undefined ? 0 : to.getTime() - Date.now();
      await fetch(`${adapter.rules.url}/clock`, { method: 'PUT', body: JSON.stringify({ offsetMs }) });
    };
    const all = [];
    for await (const one of tryAll({ url: adapter.url, tokens, only: [], restart, moveClock })) all.push(one);
    const notPassed = all.filter(({ outcome }) => outcome !== 'passed');
    expect(notPassed.map(({ name, outcome }) => [name, outcome])).toEqual([]);
    expect(all).toHaveLength(sentences.length);
  });

  test('charges in installments that Stripe offers for the card, and refuses others', async () => {
    const token = await tokenOf();
    const sold = await post('/v1/sales', { ...charge(token, 90_000), terms: 3 }, randomUUID());
    expect(sold).toMatchObject({ status: 200, body: { outcome: 'approved' } });
    adapter.rules.plans.length = 2;
    const refused = await post('/v1/sales', { ...charge(token, 900_000), terms: 18 }, randomUUID());
    expect(refused).toMatchObject({ status: 400, body: { error: 'refused' } });
  });

  test('declines what the issuer wants the cardholder to confirm', async () => {
    const saved = await post('/v1/tokens', { ...card, number: '4000002500003155' }, randomUUID());
    expect(saved.body).toMatchObject({ outcome: 'declined', declineCode: 'authentication_required' });
    const single = await post('/v1/tokens', { ...card, number: '4000002500003155', use: 'once' }, randomUUID());
    const key = randomUUID();
    const sold = await post('/v1/sales', { ...charge(String(single.body['token']), 5_000), terms: 1 }, key);
    expect(sold.body).toMatchObject({ outcome: 'declined', declineCode: 'authentication_required' });
    expect(await adapter.rules.truthOf(key)).toEqual({ held: 0, moved: 0, refunded: 0 });
  });

  test.each([
    ['4000000000009979', 'do_not_try_again'],
    ['4000000000009987', 'do_not_try_again'],
    ['4000000000009995', 'insufficient_funds'],
    ['4000000000000002', 'do_not_honor'],
  ])('what Stripe says of the card %s is declined %s', async (number, declineCode) => {
    const saved = await post('/v1/tokens', { ...card, number }, randomUUID());
    expect(saved.body).toMatchObject({ outcome: 'declined', declineCode });
  });

  test('a key that Stripe knows by another request is not closed, and nothing is charged again under it', async () => {
    const token = await tokenOf();
    const key = randomUUID();
    const sale = (amount: number) => post('/v1/sales', { ...charge(token, amount), terms: 1 }, key);
    const loseRow = () =>
      withClient({ connectionString: adapter.database.adminUrl }, (client) =>
        client.query(`delete from stripe.operation where key = '${key}'`),
      );
    expect((await sale(7_000)).body).toMatchObject({ outcome: 'approved', amount: 7_000 });
    await loseRow();
    expect(await sale(8_000)).toMatchObject({ status: 500, body: { error: 'internal' } });
    expect(await inquire(key)).toMatchObject({ outcome: 'in_progress' });
    expect(await sale(8_000)).toMatchObject({ status: 500 });
    await loseRow();
    expect((await sale(7_000)).body).toMatchObject({ outcome: 'approved', amount: 7_000 });
    expect((await sale(8_000)).status).toBe(422);
    expect(await inquire(key)).toMatchObject({ outcome: 'approved', amount: 7_000 });
    expect(await adapter.rules.truthOf(key)).toMatchObject({ moved: 7_000 });
  });

  /** Stripe's client repeats a cut request once, so a cut has to come twice. */
  const breakNext = (fault: Fault) => adapter.rules.faults.push(...(fault.how === 'cut' ? [fault, fault] : [fault]));
  const create = /^POST \/v1\/payment_intents$/;
  const confirm = /\/confirm$/;
  test.each<[string, Fault, Json, Json, { moved: number }]>([
    [
      'making the intent is cut off before',
      { path: create, at: 'before', how: 'cut' },
      { error: 'retry' },
      { outcome: 'not_found', closed: true },
      { moved: 0 },
    ],
    [
      'making the intent is cut off after',
      { path: create, at: 'after', how: 'cut' },
      { error: 'retry' },
      { outcome: 'not_found', closed: true },
      { moved: 0 },
    ],
    [
      'making the intent meets the rate limit',
      { path: create, at: 'before', how: 429 },
      { error: 'retry' },
      { outcome: 'not_found', closed: true },
      { moved: 0 },
    ],
    [
      'confirming is cut off before',
      { path: confirm, at: 'before', how: 'cut' },
      { error: 'internal' },
      { outcome: 'not_found', closed: true },
      { moved: 0 },
    ],
    [
      'confirming is cut off after',
      { path: confirm, at: 'after', how: 'cut' },
      { error: 'internal' },
      { outcome: 'approved' },
      { moved: 7_000 },
    ],
    [
      'confirming answers 500 before',
      { path: confirm, at: 'before', how: 500 },
      { error: 'internal' },
      { outcome: 'not_found', closed: true },
      { moved: 0 },
    ],
    [
      'confirming answers 500 after',
      { path: confirm, at: 'after', how: 500 },
      { error: 'internal' },
      { outcome: 'approved' },
      { moved: 7_000 },
    ],
    [
      'confirming meets the rate limit',
      { path: confirm, at: 'before', how: 429 },
      { error: 'internal' },
      { outcome: 'not_found', closed: true },
      { moved: 0 },
    ],
  ])('knows what became of a sale where %s', async (_name, fault, answered, found, truth) => {
    const token = await tokenOf();
    const key = randomUUID();
    breakNext(fault);
    expect((await post('/v1/sales', { ...charge(token, 7_000), terms: 1 }, key)).body).toMatchObject(answered);
    expect(await inquire(key)).toMatchObject(found);
    expect(await adapter.rules.truthOf(key)).toMatchObject(truth);
  });

  test.each<[string, Fault['at'], Json, number]>([
    ['Stripe has not done', 'before', { outcome: 'in_progress' }, 0],
    ['Stripe has done', 'after', { outcome: 'approved' }, 2_000],
  ])(
    'sends a refund that %s no second time once Stripe may have forgotten its key',
    async (_name, at, found, refunded) => {
      const sale = randomUUID();
      const sold = await post('/v1/sales', { ...charge(await tokenOf(), 7_000), terms: 1 }, sale);
      const [key, body] = [randomUUID(), { original: sold.body['reference'], amount: 2_000 }];
      breakNext({ path: /^POST \/v1\/refunds$/, at, how: 'cut' });
      expect(await post('/v1/refunds', body, key)).toMatchObject({ status: 500 });
      await withClient({ connectionString: adapter.database.adminUrl }, (client) =>
        client.query(`update stripe.operation set sent_at = sent_at - interval '25 hours' where key = '${key}'`),
      );
      adapter.rules.forgetKeys();
      expect(await inquire(key)).toMatchObject(found);
      expect(await post('/v1/refunds', body, key)).toMatchObject({ status: refunded === 0 ? 500 : 200 });
      expect(await adapter.rules.truthOf(sale)).toEqual({ held: 0, moved: 7_000, refunded });
    },
  );

  test('answers while Stripe is silent, and an inquiry knows what became of it', async () => {
    const token = await tokenOf();
    await adapter.kill();
    await adapter.start({ STRIPE_TIMEOUT_MS: '1000' });
    for (const at of ['before', 'after'] as const) {
      const key = randomUUID();
      adapter.rules.faults.push({ path: confirm, at, how: 'silent' });
      const { status } = await post('/v1/sales', { ...charge(token, 7_000), terms: 1 }, key);
      expect(status).toBeGreaterThanOrEqual(500);
      const { outcome } = await settledAt(adapter, key);
      expect(await adapter.rules.truthOf(key)).toMatchObject({ moved: outcome === 'approved' ? 7_000 : 0 });
    }
    await adapter.kill();
    await adapter.start();
  });

  test('starts, stays and answers where Stripe is nowhere, and says that nothing was sent', async () => {
    const token = await tokenOf();
    for (const at of ['http://stripe.invalid', `https://127.0.0.1:${await freePort()}`]) {
      await adapter.kill();
      await adapter.start({ STRIPE_URL: at });
      const sold = await post('/v1/sales', { ...charge(token, 7_000), terms: 1 }, randomUUID());
      expect(sold.body).toMatchObject({ error: 'retry' });
      expect((await fetch(`${adapter.url}/health/ready`)).status).toBe(200);
    }
    await adapter.kill();
    const inClear = adapter.start({ STRIPE_URL: 'http://stripe.invalid', STRIPE_SECRET_KEY: 'sk_live_adapter' });
    await expect(inClear).rejects.toThrow('STRIPE_URL: must be https, because STRIPE_SECRET_KEY is live');
    await adapter.start();
  });

  test('by TLS of our own it answers who shows a token and no certificate, as a Job of the chart does', async () => {
    const authority = testAuthority();
    const folder = mkdtempSync(join(tmpdir(), 'cobro-stripe-tls-'));
    authority.write(folder);
    await adapter.kill();
    // The test asks for the health in clear.
    await adapter.start({ TLS_FOLDER: folder, TLS_REQUIRED: 'false' });
    const ask = (options: RequestOptions) =>
      new Promise<number | string | undefined>((resolve) => {
        const url = new URL('/v1/capabilities', adapter.url.replace('http://127.0.0.1', 'https://localhost'));
        requestByTls(url, options, (answer) => resolve(answer.resume().statusCode))
          .once('error', ({ code }: NodeJS.ErrnoException) => resolve(code))
          .end();
      });
    const headers = { authorization: `Bearer ${tokens[0]}` };
    expect(await ask({ ca: authority.certificate, headers })).toBe(200);
    expect(await ask({ ca: authority.certificate })).toBe(401);
    expect(await ask({ headers })).toMatch(/UNABLE_TO_VERIFY|SELF_SIGNED/);
    authority.remove();
    rmSync(folder, { recursive: true });
    await adapter.kill();
    await adapter.start();
  });

  (mock === undefined ? describe.skip : describe)('and stripe-mock', () => {
    test('sends only requests that Stripe’s own document allows', async () => {
      const port = await freePort();
      const stripe = spawn(mock as string, ['-http-port', String(port)], { stdio: 'ignore' });
      try {
        const url = `http://127.0.0.1:${port}`;
        await until('stripe-mock answers', () =>
          fetch(url).then(
            () => true,
            () => false,
          ),
        );
        const formOf = ({ method, path, body }: (typeof adapter.rules.recorded)[number]) =>
          [
            method,
            path.replace(/\/(?:pi|seti|pm)_\w+/, '/ID').replace(/\?.*/, ''),
            [...new URLSearchParams(body).keys()].join(),
          ].join(' ');
        const forms = new Map(adapter.rules.recorded.map((one) => [formOf(one), one]));
        expect(forms.size).toBeGreaterThan(12);
        for (const { method, path, body } of forms.values()) {
          const headers = { authorization: 'Bearer sk_test_123', 'content-type': 'application/x-www-form-urlencoded' };
          const answer = await fetch(url + path, { method, headers, ...(method === 'POST' && { body }) });
          expect([method, path, answer.status, answer.status === 200 ? '' : await answer.text()]).toEqual([
            method,
            path,
            200,
            '',
          ]);
        }
      } finally {
        const gone = once(stripe, 'exit');
        stripe.kill('SIGKILL');
        await gone;
      }
    });
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { TestDatabase } from '@cobro/testing/test-database.ts';
import { withClient } from '@cobro/postgres/with-client.ts';
import fc from 'fast-check';
import { tryAll } from '../../../ops/conformance/conformance.ts';
import { findLocalstripe, findStripeMock, type Started, startListening } from './test-localstripe.ts';
import { prepare } from './test-adapter.ts';
import type { Fault, StripeRules } from './test-stripe-rules.ts';

const tokens = ['the-token-until-now', 'the-token-from-now-on'];
const inFull = process.env['TEST_ALL'] === '1';
const python = findLocalstripe();
const mock = findStripeMock();
if (python === undefined) console.warn('Without Python and localstripe the Stripe adapter is not tested.');
if (mock === undefined)
  console.warn('Without Go and stripe-mock no request of the Stripe adapter is held against Stripe’s own document.');

type Json = Record<string, unknown>;
const what = python === undefined ? describe.skip : describe;

what('the adapter in front of localstripe', () => {
  let local: Started;
  let rules: StripeRules;
  let database: TestDatabase;
  let adapter: Started;
  let start: () => Promise<Started>;

  beforeAll(async () => {
    ({ database, local, rules, start } = await prepare(python as string, tokens));
    adapter = await start();
  });
  afterAll(async () => {
    await adapter.kill();
    rules.close();
    await local.kill();
    await database.drop();
  });
  beforeEach(() => void (rules.faults.length = 0));

  const post = async (path: string, body: Json, key?: string): Promise<{ status: number; body: Json }> => {
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${tokens[0]}`,
      ...(key && { 'idempotency-key': key }),
    };
    const answer = await fetch(adapter.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: answer.status, body: (await answer.json()) as Json };
  };
  const inquire = async (idempotencyKey: string, close = true) =>
    (await post('/v1/inquiries', { idempotencyKey, close })).body;
  const card = { expirationMonth: 12, expirationYear: 2040, cvc: '123', holderName: 'Ana Torres', use: 'saved' };
  const tokenOf = async (number = '4242424242424242') =>
    String((await post('/v1/tokens', { ...card, number }, randomUUID())).body['token']);
  const merchant = { id: randomUUID(), descriptor: null };
  const charge = (token: string, amount: number) => ({
    token,
    amount,
    currency: 'MXN',
    initiatedBy: 'merchant',
    merchant,
  });

  test('keeps every sentence of the protocol that can be tried there', async () => {
    const restart = async () => {
      await adapter.kill();
      adapter = await start();
    };
    const all = [];
    for await (const one of tryAll({ url: adapter.url, tokens, only: [], restart, moveClock: undefined }))
      all.push(one);
    expect(all.filter(({ outcome }) => outcome === 'FAILED')).toEqual([]);
    // Nobody moves the clock of localstripe.
    expect(all.filter(({ outcome }) => outcome === 'NOT TRIED').map(({ because }) => because)).toEqual(
      all.filter(({ outcome }) => outcome === 'NOT TRIED').map(() => expect.stringMatching(/clock|terminal|present/)),
    );
  });

  test('charges in installments that Stripe offers for the card, and refuses others', async () => {
    const token = await tokenOf();
    const sold = await post('/v1/sales', { ...charge(token, 90_000), terms: 3 }, randomUUID());
    expect(sold).toMatchObject({ status: 200, body: { outcome: 'approved' } });
    rules.plans.length = 2;
    const refused = await post('/v1/sales', { ...charge(token, 900_000), terms: 18 }, randomUUID());
    expect(refused).toMatchObject({ status: 400, body: { error: 'refused' } });
  });

  test('declines what the issuer wants the cardholder to confirm', async () => {
    const saved = await post('/v1/tokens', { ...card, number: '4000002500003155' }, randomUUID());
    expect(saved.body).toMatchObject({ outcome: 'declined', declineCode: 'authentication_required' });
    const once = await post('/v1/tokens', { ...card, number: '4000002500003155', use: 'once' }, randomUUID());
    const key = randomUUID();
    const sold = await post('/v1/sales', { ...charge(String(once.body['token']), 5_000), terms: 1 }, key);
    expect(sold.body).toMatchObject({ outcome: 'declined', declineCode: 'authentication_required' });
    expect(await rules.truthOf(key)).toEqual({ held: 0, moved: 0, refunded: 0 });
  });

  /** Stripe's client repeats once what a closed connection cut off, so a cut has to come twice. */
  const breakNext = (fault: Fault) => rules.faults.push(...(fault.how === 'cut' ? [fault, fault] : [fault]));
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
    expect(await rules.truthOf(key)).toMatchObject(truth);
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
      breakNext({ path: paths.refund, at, how: 'cut' });
      expect(await post('/v1/refunds', body, key)).toMatchObject({ status: 500 });
      await withClient({ connectionString: database.adminUrl }, (client) =>
        client.query(`update stripe.operation set sent_at = sent_at - interval '25 hours' where key = '${key}'`),
      );
      rules.forgetKeys();
      expect(await inquire(key)).toMatchObject(found);
      expect(await post('/v1/refunds', body, key)).toMatchObject({ status: refunded === 0 ? 500 : 200 });
      expect(await rules.truthOf(sale)).toEqual({ held: 0, moved: 7_000, refunded });
    },
  );

  const paths = { capture: /\/capture$/, void: /\/cancel$/, refund: /^POST \/v1\/refunds$/ };
  const fault = fc.option(
    fc.record({
      at: fc.constantFrom('before' as const, 'after' as const),
      how: fc.constantFrom('cut' as const, 500 as const, 429 as const),
    }),
  );
  const step = fc.record({
    kind: fc.constantFrom('capture' as const, 'void' as const, 'refund' as const),
    fault,
    part: fc.integer({ min: 1, max: 12 }),
    isAskedAtOnce: fc.boolean(),
  });
  const history = fc.record({
    first: fc.constantFrom('authorizations', 'sales'),
    fault,
    isAskedAtOnce: fc.boolean(),
    steps: fc.array(step, { maxLength: 5 }),
  });

  test('believes neither less nor more than what Stripe did, whatever is lost and in whatever order it is asked', async () => {
    const token = await tokenOf();
    await fc.assert(
      fc.asyncProperty(history, async ({ first, fault: lost, isAskedAtOnce, steps }) => {
        rules.faults.length = 0;
        if (lost !== null) breakNext({ path: confirm, ...lost });
        const key = randomUUID();
        const body = { ...charge(token, 10_000), ...(first === 'sales' && { terms: 1 }) };
        await Promise.all([post(`/v1/${first}`, body, key), isAskedAtOnce ? inquire(key) : undefined]);
        const asked: { kind: string; key: string; amount: number }[] = [];
        const begun = await inquire(key);
        let moved = begun['reference'];
        for (const { kind, fault: how, part, isAskedAtOnce: both } of begun['outcome'] === 'approved' ? steps : []) {
          const one = { kind, key: randomUUID(), amount: part * 1_000 };
          asked.push(one);
          if (how !== null) breakNext({ path: paths[kind], ...how });
          const sent =
            kind === 'refund'
              ? { original: moved, amount: one.amount }
              : kind === 'capture'
                ? { authorization: begun['reference'], amount: one.amount }
                : { authorization: begun['reference'] };
          const [answer] = await Promise.all([
            post(`/v1/${kind}s`, sent, one.key),
            both ? inquire(one.key) : undefined,
          ]);
          if (kind === 'capture' && answer.body['outcome'] === 'approved') moved = answer.body['reference'];
        }
        rules.faults.length = 0;
        const done: typeof asked = [];
        for (const one of asked) {
          const { outcome } = await inquire(one.key);
          // A 500 that Stripe has saved under the key of a capture, void or refund leaves it open, and nothing is believed.
          if (outcome === 'approved') done.push(one);
        }
        const sum = (kind: string) =>
          done.filter((one) => one.kind === kind).reduce((total, { amount }) => total + amount, 0);
        const isApproved = begun['outcome'] === 'approved';
        const isVoid = done.some(({ kind }) => kind === 'void');
        const believed =
          first === 'sales'
            ? { held: 0, moved: isApproved ? 10_000 : 0, refunded: sum('refund') }
            : {
                held: isApproved && !isVoid && sum('capture') === 0 ? 10_000 : 0,
                moved: sum('capture'),
                refunded: sum('refund'),
              };
        expect(await rules.truthOf(key)).toEqual(believed);
      }),
      { numRuns: inFull ? 200 : 10, endOnFailure: true },
    );
  });

  (mock === undefined ? test.skip : test)('sends only requests that Stripe’s own document allows', async () => {
    const stripe = await startListening(mock as string, (port) => ['-http-port', String(port)]);
    try {
      const formOf = ({ method, path, body }: (typeof rules.recorded)[number]) =>
        [
          method,
          path.replace(/\/(?:pi|seti|pm)_\w+/, '/ID').replace(/\?.*/, ''),
          [...new URLSearchParams(body).keys()].join(),
        ].join(' ');
      const forms = new Map(rules.recorded.map((one) => [formOf(one), one]));
      expect(forms.size).toBeGreaterThan(12);
      for (const { method, path, body } of forms.values()) {
        const headers = { authorization: 'Bearer sk_test_123', 'content-type': 'application/x-www-form-urlencoded' };
        const answer = await fetch(stripe.url + path, { method, headers, ...(method === 'POST' && { body }) });
        expect([method, path, answer.status, answer.status === 200 ? '' : await answer.text()]).toEqual([
          method,
          path,
          200,
          '',
        ]);
      }
    } finally {
      await stripe.kill();
    }
  });
});

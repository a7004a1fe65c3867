import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { dayInMexicoCity } from '@cobro/domain/mexico-city.ts';
import { withClient } from '@cobro/postgres/with-client.ts';
import {
  adapterCard,
  adapterCharge as charge,
  adapterTokens as tokens,
  type RunningStripeAdapter,
  settledAt,
  startStripeAdapter,
} from '@cobro/testing/start-stripe-adapter.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { findLocalstripe } from '../../../simulators/localstripe/src/find-programs.ts';
import type { Fault } from '../../../simulators/localstripe/src/stripe-rules.ts';

jest.setTimeout(60_000);

const python = await findLocalstripe();
const AMOUNT = 7_000;

type Json = Record<string, unknown>;
interface Asked {
  /** The operation whose money the request is about. */
  of: string;
  path: string;
  body: Json;
  key: string;
}
const keyClosed = { outcome: 'declined', declineCode: 'key_closed' };
const notFound = { outcome: 'not_found', closed: true };

(python === undefined ? describe.skip : describe)('where an answer of Stripe is lost or a failure', () => {
  let adapter: RunningStripeAdapter;
  let token: string;
  beforeAll(async () => {
    adapter = await startStripeAdapter(python as string);
    token = await adapter.tokenOf();
  });
  afterAll(() => adapter?.close());
  beforeEach(() => void (adapter.rules.faults.length = 0));

  const send = ({ path, body, key }: Asked) => adapter.post(path, body, key);
  const run = (text: string) =>
    withClient({ connectionString: adapter.database.adminUrl }, (client) => client.query(text));
  const charging = (path: '/v1/sales' | '/v1/authorizations'): Asked => {
    const key = randomUUID();
    return { of: key, path, key, body: { ...charge(token, AMOUNT), ...(path === '/v1/sales' && { terms: 1 }) } };
  };
  const charged = async (path: '/v1/sales' | '/v1/authorizations') => {
    const made = charging(path);
    return { of: made.key, reference: (await send(made)).body['reference'] };
  };
  type Charged = Awaited<ReturnType<typeof charged>>;
  const capturing = ({ of, reference }: Charged, amount = AMOUNT): Asked => ({
    of,
    path: '/v1/captures',
    key: randomUUID(),
    body: { authorization: reference, amount },
  });
  const voiding = ({ of, reference }: Charged): Asked => ({
    of,
    path: '/v1/voids',
    key: randomUUID(),
    body: { authorization: reference },
  });
  const refunding = ({ of, reference }: Charged, amount = AMOUNT): Asked => ({
    of,
    path: '/v1/refunds',
    key: randomUUID(),
    body: { original: reference, amount },
  });
  const asked = {
    'a capture': async () => capturing(await charged('/v1/authorizations')),
    'a void': async () => voiding(await charged('/v1/authorizations')),
    'a refund': async () => refunding(await charged('/v1/sales')),
    'a sale': () => Promise.resolve(charging('/v1/sales')),
    'an authorization': () => Promise.resolve(charging('/v1/authorizations')),
  };
  const requestOf = {
    'a capture': /\/capture$/,
    'a void': /\/cancel$/,
    'a refund': /^POST \/v1\/refunds$/,
    'a sale': /\/confirm$/,
    'an authorization': /\/confirm$/,
  };
  const saved = (path: RegExp): Fault => ({ path, at: 'inside', how: 500 });
  /** Two cuts, because Stripe's client repeats a cut request once. */
  const cut = (path: RegExp, at: 'before' | 'after') => [1, 2].map(() => ({ path, at, how: 'cut' as const }));

  test.each<['a capture' | 'a void' | 'a refund', Json]>([
    ['a capture', { held: 0, moved: AMOUNT, refunded: 0 }],
    ['a void', { held: 0, moved: 0, refunded: 0 }],
    ['a refund', { held: 0, moved: AMOUNT, refunded: AMOUNT }],
  ])('%s whose failure Stripe has saved under its key is done once, whoever inquires', async (name, truth) => {
    const one = await asked[name]();
    adapter.rules.faults.push(saved(requestOf[name]));
    expect(await send(one)).toMatchObject({ status: 500, body: { error: 'internal' } });
    // Concurrent inquiries stand for replicas, which know as little of each other.
    await Promise.all([1, 2, 3].map(() => adapter.inquire(one.key)));
    const found = await settledAt(adapter, one.key);
    expect(found).toMatchObject({ outcome: 'approved' });
    expect(await send(one)).toEqual({ status: 200, body: found });
    expect(await adapter.rules.truthOf(one.of)).toEqual(truth);
  });

  test('a card that our own database does not take is not known to be saved, and saved by a repeat', async () => {
    const body = { ...adapterCard, number: '4242424242424242' };
    const saving = { of: '', path: '/v1/tokens', key: randomUUID(), body };
    await run('alter table stripe.card rename to away');
    const failed = await send(saving);
    await run('alter table stripe.away rename to card');
    expect(failed).toMatchObject({ status: 500, body: { error: 'internal' } });
    expect(await send(saving)).toMatchObject({ status: 200, body: { outcome: 'approved' } });
  });

  test('Stripe is asked under a fresh key once more each time that it saves a failure', async () => {
    const one = await asked['a capture']();
    const recorded = adapter.rules.recorded.length;
    // A repeat meets the second failure, and does nothing in any case.
    adapter.rules.faults.push(...[1, 2, 3].map(() => saved(/\/capture$/)));
    await send(one);
    expect(await adapter.inquire(one.key)).toMatchObject({ outcome: 'in_progress' });
    expect(await adapter.inquire(one.key)).toMatchObject({ outcome: 'approved' });
    const captures = adapter.rules.recorded.slice(recorded).filter(({ path }) => path.endsWith('/capture'));
    expect(captures).toHaveLength(5);
    expect(await adapter.rules.truthOf(one.of)).toEqual({ held: 0, moved: AMOUNT, refunded: 0 });
  });

  test('a capture that the release before this one sent, asking Stripe to show less, is done under a fresh key', async () => {
    const one = await asked['a capture']();
    adapter.rules.faults.push(...cut(/\/capture$/, 'before'));
    await send(one);
    const { rows } = await run(`select intent_id as id from stripe.operation where key = '${one.key}'`);
    const [{ id }] = rows as [{ id: string }];
    adapter.rules.faults.push(saved(/\/capture$/));
    await fetch(`${adapter.rules.url}/v1/payment_intents/${id}/capture`, {
      method: 'POST',
      headers: { 'idempotency-key': `${one.key}:capture` },
      body: new URLSearchParams({ amount_to_capture: String(AMOUNT), 'expand[0]': 'latest_charge' }),
    });
    expect(await settledAt(adapter, one.key)).toMatchObject({ outcome: 'approved' });
    expect(await adapter.rules.truthOf(one.of)).toEqual({ held: 0, moved: AMOUNT, refunded: 0 });
  });

  test.each(['a capture', 'a void', 'a refund'] as const)(
    '%s is not sent again for somebody who only asks, as reconciliation does',
    async (name) => {
      const one = await asked[name]();
      adapter.rules.faults.push(...cut(requestOf[name], 'before'));
      await send(one);
      const before = await adapter.rules.truthOf(one.of);
      expect(await adapter.inquire(one.key, false)).toEqual({ outcome: 'in_progress' });
      expect(await adapter.rules.truthOf(one.of)).toEqual(before);
      expect(await settledAt(adapter, one.key)).toMatchObject({ outcome: 'approved' });
    },
  );

  test('a part of a charge is given back under no other key, because Stripe would do that twice', async () => {
    const one = refunding(await charged('/v1/sales'), 2_000);
    adapter.rules.faults.push(saved(requestOf['a refund']));
    await send(one);
    for (let inquiry = 1; inquiry <= 3; inquiry++) {
      expect(await adapter.inquire(one.key)).toEqual({ outcome: 'in_progress' });
    }
    expect(await adapter.rules.truthOf(one.of)).toEqual({ held: 0, moved: AMOUNT, refunded: 0 });
  });

  test('a capture that an operator has resolved as not done, and that Stripe never got, lets the next one at the hold', async () => {
    const held = await charged('/v1/authorizations');
    const lost = capturing(held);
    adapter.rules.faults.push(...cut(/\/capture$/, 'before'));
    expect(await send(lost)).toMatchObject({ status: 500 });
    // While a request may be running at Stripe, no other gets the hold.
    expect(await send(voiding(held))).toMatchObject({ status: 503, body: { error: 'retry' } });
    await run(`update stripe.operation set sent_at = sent_at - interval '11 minutes' where key = '${lost.key}'`);
    const next = voiding(held);
    expect(await send(next)).toMatchObject({ status: 200, body: { outcome: 'approved' } });
    expect((await send(lost)).body).toMatchObject(keyClosed);
    expect(await adapter.inquire(lost.key)).toEqual(notFound);
    expect(await adapter.rules.truthOf(held.of)).toEqual({ held: 0, moved: 0, refunded: 0 });
  });

  test('a capture that an operator has resolved as not done, and that Stripe did, stays done', async () => {
    const held = await charged('/v1/authorizations');
    const lost = capturing(held, 4_000);
    adapter.rules.faults.push(...cut(/\/capture$/, 'after'));
    expect(await send(lost)).toMatchObject({ status: 500 });
    expect((await send(voiding(held))).body).toMatchObject({ outcome: 'declined', declineCode: 'already_captured' });
    expect(await send(lost)).toMatchObject({ status: 200, body: { outcome: 'approved' } });
    expect(await adapter.rules.truthOf(held.of)).toEqual({ held: 0, moved: 4_000, refunded: 0 });
  });

  test('an answer has the time at which Stripe did it, whenever the adapter learns that', async () => {
    const names = Object.keys(asked) as (keyof typeof asked)[];
    const ones = [];
    for (const name of names) {
      const one = await asked[name]();
      adapter.rules.faults.push(...cut(requestOf[name], 'after'));
      const begun = Date.now();
      expect(await send(one)).toMatchObject({ status: 500 });
      ones.push({ name, key: one.key, begun, sent: Date.now() });
    }
    // Stripe has whole seconds.
    await sleep(1_100);
    for (const { name, key, begun, sent } of ones) {
      const { time } = await settledAt(adapter, key);
      const decided = Date.parse(String(time));
      expect({ name, isThen: decided > begun - 1_000 && decided <= sent }).toEqual({ name, isThen: true });
    }
  });

  const reportOf = async (rest: string) => {
    const headers = { authorization: `Bearer ${tokens[0]}` };
    const url = `${adapter.url}/v1/settlement-report?day=${dayInMexicoCity(new Date())}${rest}`;
    return (await (await fetch(url, { headers })).json()) as {
      data: { id: string; kind: string; about: string | null }[];
      next: string | null;
    };
  };

  test('the pages of a report are cut from one listing of Stripe’s, and the first page lists anew', async () => {
    for (let n = 0; n < 3; n++) await charged('/v1/sales');
    const recorded = adapter.rules.recorded.length;
    const listings = () =>
      adapter.rules.recorded
        .slice(recorded)
        .filter(({ path }) => /balance_transactions(?!.*starting_after)/.test(path));
    let pages = 1;
    for (let { next } = await reportOf('&limit=1'); next !== null; pages++) {
      ({ next } = await reportOf(`&limit=1&after=${next}`));
    }
    expect([pages > 2, listings().length]).toEqual([true, 1]);
    const later = await charged('/v1/sales');
    expect((await reportOf('')).data.map(({ id }) => id)).toContain(later.of);
  });

  test('a refund that Stripe has failed with is declined, and the report has neither it nor what came back', async () => {
    const sale = await charged('/v1/sales');
    const one = refunding(sale);
    adapter.rules.failedRefunds.add(one.key);
    adapter.rules.faults.push(...cut(requestOf['a refund'], 'after'));
    await send(one);
    expect(await settledAt(adapter, one.key)).toMatchObject({ outcome: 'declined', declineCode: 'refund_failed' });
    const again = refunding(sale);
    expect((await send(again)).body).toMatchObject({ outcome: 'approved' });
    expect(await adapter.rules.truthOf(sale.of)).toEqual({ held: 0, moved: AMOUNT, refunded: AMOUNT });

    const later = refunding(await charged('/v1/sales'));
    expect((await send(later)).body).toMatchObject({ outcome: 'approved' });
    adapter.rules.failedRefunds.add(later.key);
    const { data } = await reportOf('');
    const of = (key: string) => data.filter(({ id, about }) => id === key || about === key).map(({ kind }) => kind);
    expect([sale.of, one.key, again.key].map(of)).toEqual([['charge'], [], ['refund']]);
    expect(of(later.key).toSorted()).toEqual(['refund', 'refund_failed']);
  });
});

import { describe, expect, test } from '@jest/globals';
import { createClient, createPartner, createTerminal, NoAnswerError, NotSettledError, RefusalError } from './client.ts';
import { type Line, scriptedFetch } from './test-fetch.ts';

const baseUrl = 'https://api.example.mx/api';
const id = 'c1';
const held = { id: 'p1', status: 'HELD', amount: 100 };
const pending = { ...held, status: 'PENDING' };
const confirmed = { ...held, status: 'CONFIRMED' };
const soon = { 'retry-after': '0' };
const unavailable: Line = { status: 503, body: { code: 'BANK_UNAVAILABLE', message: 'no' }, headers: soon };
const declined = { code: 'CHARGE_DECLINED', message: 'no', declineCode: 'do_not_honor', paymentId: 'p1' };
const cut = new Error('fetch failed', { cause: { code: 'ECONNRESET' } });

function merchantAt(...lines: Line[]) {
  const { fetch, heard } = scriptedFetch(...lines);
  return { merchant: createClient({ baseUrl, apiKey: 'sk_test_1', fetch }), heard };
}
const order = { amount: 100, externalId: 'order-1' };

describe('what is sent', () => {
  test('a hold is a charge with holdFunds, and has the key', async () => {
    const { merchant, heard } = merchantAt({ status: 201, body: held });
    expect(await merchant.payments.hold('a/b', order)).toEqual(held);
    expect(heard).toEqual([
      {
        method: 'POST',
        url: `${baseUrl}/payment-method/a%2Fb/payment`,
        headers: { 'x-api-key': 'sk_test_1', 'content-type': 'application/json' },
        body: { ...order, holdFunds: true },
      },
    ]);
  });

  test('a program that stands before the API shows its own headers in the place of a key', async () => {
    const { fetch, heard } = scriptedFetch({ status: 200, body: held }, { status: 200, body: { data: [] } });
    const headers = { 'x-internal-token': 'a.b.c' };
    await createClient({ baseUrl, headers, fetch }).payments.get('c1', 'p1');
    await createPartner({ baseUrl, headers, fetch }).payments();
    expect(heard.map((one) => one.headers)).toEqual([headers, headers]);
  });

  test('a filter with several values is repeated, and one without a value is left out', async () => {
    const { merchant, heard } = merchantAt({ status: 200, body: { data: [], pagination: { hasMore: false } } });
    const query = {
      status: ['HELD', 'CONFIRMED'],
      operationCode: undefined,
      createdAtTo: '2026-11-24T00:00:00+00:00',
    } as const;
    const listed: unknown[] = [];
    for await (const payment of merchant.developer.list(query)) listed.push(payment);
    expect(listed).toEqual([]);
    expect(heard.map(({ url }) => url)).toEqual([
      `${baseUrl}/developer/v1/payment?status=HELD&status=CONFIRMED&createdAtTo=2026-11-24T00%3A00%3A00%2B00%3A00`,
    ]);
  });

  test('a charge, a hold, a link and an intent need an externalId', () => {
    const check = ({ payments, oneTimePayments, paymentIntents }: ReturnType<typeof merchantAt>['merchant']) => [
      // @ts-expect-error externalId is missing
      payments.charge(id, { amount: 1 }),
      // @ts-expect-error externalId is missing
      payments.hold(id, { amount: 1 }),
      // @ts-expect-error externalId is missing
      oneTimePayments.create({ amount: 1, description: 'Café' }),
      // @ts-expect-error externalId is missing
      paymentIntents.create({ amount: 1, currency: 'MXN' }),
    ];
    expect(check).toBeDefined();
  });
});

describe('what is sent again', () => {
  test('a charge whose answer was lost or that was refused for now, with the same body', async () => {
    const { merchant, heard } = merchantAt(
      cut,
      unavailable,
      { status: 502, body: '<html>' },
      { status: 201, body: confirmed },
    );
    expect(await merchant.payments.charge(id, order)).toEqual(confirmed);
    expect(heard.map(({ body }) => body)).toEqual([order, order, order, order]);
  });

  test('a release and any read', async () => {
    const { merchant, heard } = merchantAt(cut, { status: 200, body: held });
    await merchant.payments.release(id, 'p1');
    const reading = merchantAt(unavailable, { status: 200, body: held });
    await reading.merchant.payments.get(id, 'p1');
    expect([heard.length, reading.heard.length]).toEqual([2, 2]);
  });

  test('no capture, and no more than was asked for', async () => {
    const capture = merchantAt(cut);
    await expect(capture.merchant.payments.capture(id, 'p1')).rejects.toThrow(new NoAnswerError('ECONNRESET'));
    const charge = merchantAt(unavailable);
    await expect(charge.merchant.payments.charge(id, order, { attempts: 2 })).rejects.toThrow('BANK_UNAVAILABLE: no');
    expect([capture.heard.length, charge.heard.length]).toEqual([1, 2]);
  });
});

describe('what is answered', () => {
  test('a refusal is an error, or a member of the route’s union', async () => {
    const { merchant } = merchantAt({ status: 402, body: declined });
    await expect(merchant.payments.charge(id, order)).rejects.toBeInstanceOf(RefusalError);
    const result = await merchant.payments.charge(id, order).result();
    if (result.kind !== 'refused' || result.refusal.code !== 'CHARGE_DECLINED') throw new Error('it is declined');
    expect([result.refusal.declineCode, result.refusal.status]).toEqual(['do_not_honor', 402]);
    // @ts-expect-error a charge is never refused like this
    expect(result.refusal.code === 'TERMINAL_NOT_FOUND').toBe(false);
  });

  test.each<[string, Line]>([
    ['a page', { status: 200, body: '<html>' }],
    ['JSON that is no refusal', { status: 400, body: { error: 'no' } }],
    ['nothing', cut],
  ])('%s is no answer', async (_name, line) => {
    const { merchant } = merchantAt(line);
    expect(await merchant.payments.capture(id, 'p1').result()).toMatchObject({ kind: 'lost' });
  });

  test('a replay says so', async () => {
    const { merchant } = merchantAt({ status: 201, body: held, headers: { 'idempotent-replayed': 'true' } });
    expect(await merchant.payments.hold(id, order).result()).toEqual({
      kind: 'done',
      status: 201,
      value: held,
      replayed: true,
    });
  });

  test('no intent is undefined, and a partner’s 401 is a refusal', async () => {
    const { fetch, heard } = scriptedFetch({ status: 204 });
    expect(await createTerminal({ baseUrl, terminalKey: 'tk_1', fetch }).next(0)).toBeUndefined();
    expect(heard[0]).toMatchObject({
      url: `${baseUrl}/terminal/v1/payment-intent/next?waitSeconds=0`,
      headers: { 'x-terminal-key': 'tk_1' },
    });
    const partner = createPartner({
      baseUrl,
      apiKey: 'pk_1',
      fetch: scriptedFetch({ status: 401, body: 'Unauthorized' }).fetch,
    });
    expect(await partner.payments().result()).toMatchObject({ refusal: { code: 'UNAUTHORIZED', status: 401 } });
  });

  test('the signal ends a call by its reason', async () => {
    const { merchant } = merchantAt(unavailable);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(merchant.payments.charge(id, order, { signal })).rejects.toThrow('enough');
  });
});

describe('an answer whose outcome is not known', () => {
  const accepted = (body: object, location: string): Line => ({ status: 202, body, headers: { ...soon, location } });
  const path = `/api/payment-method/${id}/payment/p1`;

  test('is read to its end, over answers that are lost', async () => {
    const { merchant, heard } = merchantAt(accepted(pending, path), cut, { status: 200, body: confirmed });
    const payment = await merchant.payments.charge(id, order);
    expect(payment).toEqual(pending);
    expect(await payment.settled()).toEqual(confirmed);
    expect(heard.slice(1).map(({ method, url }) => `${method} ${url}`)).toEqual(
      Array(2).fill(`GET https://api.example.mx${path}`),
    );
  });

  test('is itself where it was known at once', async () => {
    const { merchant, heard } = merchantAt({ status: 201, body: confirmed });
    const payment = await merchant.payments.charge(id, order);
    expect(await payment.settled()).toBe(payment);
    expect(heard).toHaveLength(1);
  });

  test('of a refunded link is in its payment, because the link stays as it is', async () => {
    const { merchant, heard } = merchantAt(accepted(confirmed, '/api/one-time-payment/l1'), {
      status: 200,
      body: { ...confirmed, status: 'REFUNDED' },
    });
    const refund = await merchant.oneTimePayments.refund('l1');
    expect(await refund.settled()).toMatchObject({ status: 'REFUNDED' });
    expect(heard[1]?.url).toBe(`${baseUrl}/developer/v1/payment/p1`);
  });

  test('is given up after the time', async () => {
    const { merchant } = merchantAt(accepted(held, path), { status: 200, body: held });
    const capture = await merchant.payments.capture(id, 'p1');
    await expect(capture.settled({ withinMs: 0 })).rejects.toBeInstanceOf(NotSettledError);
  });

  test('is given up after the time also if nothing answers', async () => {
    const { fetch } = scriptedFetch(accepted(held, path));
    const merchant = createClient({
      baseUrl,
      apiKey: 'sk_test_1',
      fetch: (url, init) =>
        init.method === 'POST'
          ? fetch(url, init)
          : new Promise((_, reject) => init.signal.addEventListener('abort', () => reject(cut))),
    });
    const capture = await merchant.payments.capture(id, 'p1');
    const begun = performance.now();
    await expect(capture.settled({ withinMs: 1_000 })).rejects.toBeInstanceOf(NotSettledError);
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});

describe('a walk', () => {
  const page = (data: unknown[], nextCursor: string | null, hasMore: boolean): Line => ({
    status: 200,
    body: { data, pagination: { limit: 2, hasMore, nextCursor } },
  });

  test('goes from page to page until there is no more', async () => {
    const { merchant, heard } = merchantAt(
      page(['a', 'b'], 'n1', true),
      page([], 'n2', true),
      page(['c'], null, false),
    );
    const found: unknown[] = [];
    for await (const payment of merchant.developer.list({ limit: 2 })) found.push(payment);
    expect(found).toEqual(['a', 'b', 'c']);
    expect(heard.map(({ url }) => new URL(url).search)).toEqual([
      '?limit=2',
      '?limit=2&cursor=n1',
      '?limit=2&cursor=n2',
    ]);
  });

  test('of events goes on behind the end while it may wait, and before the first event of all', async () => {
    const { merchant, heard } = merchantAt(
      page([], null, false),
      page(['a'], 'n1', false),
      page([], 'n1', false),
      page(['b'], 'n2', false),
    );
    const found: unknown[] = [];
    const begun = performance.now();
    for await (const event of merchant.events.list({ waitSeconds: 30 })) {
      found.push(event);
      if (found.length === 2) break;
    }
    // An empty page that comes at once is asked for again a second later.
    expect(performance.now() - begun).toBeGreaterThan(1_900);
    expect(heard.map(({ url }) => new URL(url).searchParams.get('after'))).toEqual([null, null, 'n1', 'n1']);
  });

  test.each([{ waitSeconds: 0 }, { order: 'newest', waitSeconds: 30 }] as const)(
    'of events ends if no request waits: %j',
    async (query) => {
      const { merchant, heard } = merchantAt(page(['b'], 'n1', true), page(['a'], null, false));
      const found: unknown[] = [];
      for await (const event of merchant.events.list(query)) found.push(event);
      expect([found, heard.length]).toEqual([['b', 'a'], 2]);
    },
  );

  test('from the latest event of a merchant without any loses none that comes between two requests', async () => {
    const { merchant, heard } = merchantAt(page([], null, false), page(['a'], 'n1', false));
    for await (const event of merchant.events.list({ after: 'latest', waitSeconds: 30 })) {
      expect(event).toBe('a');
      break;
    }
    expect(heard.map(({ url }) => new URL(url).searchParams.get('after'))).toEqual(['latest', null]);
  });
});

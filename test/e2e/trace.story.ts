import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@cobro/contracts/ids.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { payer } from '@cobro/testing/test-links.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';
import { until } from '@cobro/testing/until.ts';
import { beforeAll, expect, test } from '@jest/globals';
import type { SpanLine } from '../../ops/trace/span-lines.ts';
import { callsOf, orphans, readSpans, wholeTrace } from './spans.ts';
import { traceOf as printTrace } from './operator.ts';
import type { StackUnderTest } from './stack-under-test.ts';
import { tapOnce } from './tap.ts';

const CHARGE = '/api/payment-method/:id/payment';

/** One trace for each request, from the gateway to reporting, over HTTP, the outbox and the broker. */
export function trace({ stack, merchant }: StackUnderTest): void {
  /** The trace of a request through these services, once its calls are there. */
  const traceOf = async (
    route: string,
    services: string[],
    request: () => Promise<{ status: number }>,
    { consumers = [], calls }: { consumers?: string[]; calls: string[] },
  ) => {
    const known = new Set(readSpans(stack().spansFile).map(({ traceId }) => traceId));
    expect((await request()).status).toBeLessThan(300);
    return wholeTrace(stack().spansFile, { route, known, services, consumers, calls });
  };

  // By then the file has the spans of other stories.
  beforeAll(() => sleep(1_000));

  test('of a charge', async () => {
    const card = await merchant().saveCard();
    let paymentId = '';
    const services = ['gateway', 'payments', 'bank', 'reporting', 'webhooks'];
    const charge = async () => {
      const charged = await merchant().charge(card);
      paymentId = charged.body.id;
      return charged;
    };
    const calls = [
      'test > gateway POST /api/payment-method/:id/payment',
      'gateway > payments POST /payment-method/:id/payment',
      'payments > bank POST /v1/sales',
      'payments > reporting PaymentConfirmed',
      'payments > webhooks PaymentConfirmed',
    ];
    const spans = await traceOf(CHARGE, services, charge, { calls });
    expectOneTrace(spans, services);
    expect(callsOf(spans)).toEqual(expect.arrayContaining(calls));
    expect(found(spans, { paymentId, operationKind: 'charge' })).toEqual(['payments server']);
    const consumers = ['reporting consumer', 'webhooks consumer'];
    expect(found(spans, { paymentId, eventType: 'PaymentConfirmed' })).toEqual(consumers);
    expectNoSecrets(spans);
  });

  test('of a hold, which the broker brings to holds and to reporting', async () => {
    const card = await merchant().saveCard();
    const services = ['gateway', 'payments', 'bank', 'holds', 'reporting', 'webhooks'];
    const consumers = ['holds', 'reporting', 'webhooks'];
    const calls = [
      'payments > bank POST /v1/authorizations',
      'payments > holds HoldPlaced',
      'payments > reporting HoldPlaced',
    ];
    const spans = await traceOf(CHARGE, services, () => merchant().hold(card), { consumers, calls });
    expectOneTrace(spans, services);
    expect(callsOf(spans)).toEqual(expect.arrayContaining(calls));
  });

  test('of a capture, which is also handed over to payments directly', async () => {
    const card = await merchant().saveCard();
    const { id } = (await merchant().hold(card)).body;
    const services = ['gateway', 'holds', 'bank', 'payments', 'reporting', 'webhooks'];
    let requestId: string | null = null;
    const capture = async () => {
      const captured = await merchant().capture(card, id);
      requestId = captured.headers.get('x-request-id');
      return captured;
    };
    const consumers = ['reporting', 'webhooks'];
    const calls = [
      'gateway > holds POST /payment-method/:id/payment/:paymentId/capture',
      'holds > bank POST /v1/captures',
      'holds > payments POST /internal/events',
      'holds > reporting HoldCaptured',
    ];
    const spans = await traceOf(`${CHARGE}/:paymentId/capture`, services, capture, { consumers, calls });
    expectOneTrace(spans, services);
    expect(callsOf(spans)).toEqual(expect.arrayContaining(calls));
    const { organizationId } = stack().merchants;
    expect(found(spans, { requestId, organizationId })).toEqual(['gateway server', 'holds server']);
    expect(found(spans, { paymentId: id, operationKind: 'capture' })).toEqual(['holds server']);
    const captured = { paymentId: id, eventType: 'HoldCaptured' };
    expect(found(spans, captured)).toEqual(expect.arrayContaining(['payments server', 'reporting consumer']));
    expectNoSecrets(spans);
  });

  test('of an intent, from its create through its terminal, the event and the bank back to intents and reporting', async () => {
    const services = ['gateway', 'intents', 'payments', 'bank', 'reporting', 'webhooks'];
    let requestId: string | null = null;
    const tap = async () => {
      const tapped = await tapOnce(stack(), merchant(), 'TRACE-1');
      requestId = tapped.headers.get('x-request-id');
      return tapped;
    };
    const calls = [
      'gateway > intents POST /payment-intent',
      'intents > bank POST /v1/tokens',
      'intents > payments POST /internal/events',
      'payments > bank POST /v1/sales',
      'payments > intents POST /internal/events',
      'payments > reporting PaymentConfirmed',
    ];
    const spans = await traceOf('/api/payment-intent', services, tap, { calls });
    expectOneTrace(spans, services);
    expect(callsOf(spans)).toEqual(expect.arrayContaining(calls));
    expect(spans.map(({ name }) => name)).toContain('intent shown');
    const paid = spans.find(({ name }) => name === 'intent paid');
    const terminals = () =>
      readSpans(stack().spansFile).filter(({ attributes }) => attributes['requestId'] === requestId);
    await until('the terminal’s request has its spans', async () => terminals().length === 2);
    expect(terminals().map(({ traceId }) => traceId)).toEqual([paid?.links?.[0], paid?.links?.[0]]);
  });

  test('of a hold and its capture, printed whole by npm run trace, for the payment and for each request', async () => {
    const card = await merchant().saveCard();
    const held = await merchant().hold(card, { amount: 50 });
    const { id } = held.body;
    const captured = await merchant().capture(card, id, 20.25);
    const requestId = String(captured.headers.get('x-request-id'));
    const inOrder = [
      `Payment ${id}: CONFIRMED, 20.25 MXN of 50.00 MXN held`,
      'seen as      payments CONFIRMED, holds CAPTURED, reporting CONFIRMED',
      'hold    50.00 MXN, approved after',
      'capture 20.25 MXN, approved after',
      'Shown to the merchant',
      'hold.placed, event',
      'hold.captured, event',
      'Trace 1 of 2:',
      `request ${String(held.headers.get('x-request-id'))}`,
      'gateway   POST /api/payment-method/…/payment → 201',
      '◆ hold claimed: 50.00 MXN',
      'bank          POST /v1/authorizations → 200',
      '◆ hold approved: payment HELD',
      'Trace 2 of 2:',
      `request ${requestId}`,
      'holds       POST /payment-method/…/payment/…/capture → 200',
      '◆ capture claimed: 20.25 MXN',
      '◆ capture approved: hold CAPTURED',
    ];
    let printed = { text: '', code: 0 };
    await until('all of it is printed', async () => {
      printed = await printTrace(stack(), id);
      return [...inOrder, 'take HoldCaptured', 'take HoldPlaced'].every((one) => printed.text.includes(one));
    });
    expect(printed.code).toBe(0);
    expect(inOrder.toSorted((a, b) => printed.text.indexOf(a) - printed.text.indexOf(b))).toEqual(inOrder);
    for (const line of printed.text.split('\n')) expect(line.length).toBeLessThanOrEqual(110);
    expectNoSecrets(printed.text);

    const ofRequest = await printTrace(stack(), requestId, '--json');
    expect(JSON.parse(ofRequest.text)).toMatchObject({
      payments: [{ id, amount: 2_025, heldAmount: 5_000 }],
      operations: [{ purpose: 'hold' }, { purpose: 'capture', status: 'approved' }],
      missing: [],
    });
    expectNoSecrets(ofRequest.text);
  });

  test('of a payment of a payment link, printed by the payment and by the link', async () => {
    const body = { amount: 350, description: 'Clase de yoga' };
    const { id: link } = (await merchant().send('POST', '/payment-link', { body })).body as { id: string };
    const pay = async () => {
      const attempt = { attemptId: newId(), amount: 350, card: cardBody(), billingInformation: payer };
      const paid = await merchant().send('POST', `/payment-link/${link}/payment`, { body: attempt });
      return (paid.body as { id: string }).id;
    };
    const [one, other] = [await pay(), await pay()];
    let text = '';
    await until('all of it is printed', async () => {
      ({ text } = await printTrace(stack(), one));
      return ['POST /payment-link/…/payment', '◆ charge approved', 'take PaymentConfirmed'].every((part) =>
        text.includes(part),
      );
    });
    expect(text).toContain(link);
    expect(text).not.toContain(other);
    const ofLink = await printTrace(stack(), link);
    for (const id of [one, other]) expect(ofLink.text).toContain(`Payment ${id}: CONFIRMED`);
    expectNoSecrets(text);
  });

  test('of a subscription, printed by its own id: its payment, and what its merchant is shown', async () => {
    const body = { paymentMethodId: await merchant().saveCard(), amount: 349, periodicity: 'MONTHLY' };
    const { id } = (await merchant().send('POST', '/subscription', { body })).body as { id: string };
    let text = '';
    await until('all of it is printed', async () => {
      ({ text } = await printTrace(stack(), id));
      return ['POST /subscription', '◆ charge approved', 'subscription.created'].every((part) => text.includes(part));
    });
    expect(text).toMatch(/Payment [\da-f-]{36}: CONFIRMED/);
    expect(text).toContain(`subscription ${id}`);
    expectNoSecrets(text);
  });

  test('printed without spans, or without a database, it says what is missing', async () => {
    const card = await merchant().saveCard();
    const { id } = (await merchant().charge(card)).body;
    const { databaseUrl, spansFile } = stack();
    const withoutSpans = await printTrace(stack(), id, '--database', databaseUrl);
    expect(withoutSpans).toMatchObject({ code: 0, text: expect.stringContaining(`Payment ${id}: CONFIRMED`) });
    expect(withoutSpans.text).toContain('◆ charge approved: payment CONFIRMED');
    expect(withoutSpans.text).toContain('Spans are missing: no file of spans is given.');

    const nowhere = 'postgres://u:secret@127.0.0.1:1/none';
    const spansAlone = ['--database', nowhere, '--spans', spansFile];
    let printed = { text: '', code: 0 };
    await until('its spans are printed', async () => {
      printed = await printTrace(stack(), id, ...spansAlone);
      return printed.text.includes('payments    POST /payment-method/…/payment');
    });
    expect(printed.code).toBe(0);
    expect(printed.text).toContain(
      'What payments, holds, intents, reporting and webhooks knows is missing. The database is not available',
    );
    expect(printed.text).not.toContain('secret');
    expect(await printTrace(stack(), newId(), ...spansAlone)).toMatchObject({ code: 1, text: '' });
  });

  test('no span is named after an id', () => {
    const names = new Set(readSpans(stack().spansFile).map(({ name }) => name));
    expect([...names].filter((name) => /[0-9a-f]{8}-[0-9a-f]{4}-/.test(name))).toEqual([]);
  });

  function expectNoSecrets(found: SpanLine[] | string): void {
    const text = typeof found === 'string' ? found : JSON.stringify(found);
    const secrets = [testCards.approved, stack().merchants.apiKey, 'tok_', 'Ana Pérez'];
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  }
}

/** Expects one root, no broken link, and every server span named by its route. */
function expectOneTrace(spans: SpanLine[], services: string[]): void {
  expect(new Set(spans.map(({ service }) => service))).toEqual(new Set(services));
  expect(orphans(spans)).toEqual([]);
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === null);
  expect(roots).toMatchObject([{ service: 'gateway', kind: 'server' }]);
  for (const { name, attributes } of spans.filter(({ kind }) => kind === 'server')) {
    expect(name).toBe(
      `${String(attributes['http.request.method'] ?? attributes['http.method'])} ${String(attributes['http.route'])}`,
    );
  }
}

/** The service and kind of each span with these ids. */
const found = (spans: SpanLine[], ids: Record<string, unknown>) =>
  spans
    .filter(({ attributes }) => Object.entries(ids).every(([name, id]) => attributes[name] === id))
    .map(({ service, kind }) => `${service} ${kind}`)
    .toSorted();

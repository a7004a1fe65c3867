import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from '@jest/globals';
import type { SpanLine } from '../../tools/stack/span-sink.ts';
import { orphans, readSpans, wholeTrace } from './spans.ts';
import type { StackUnderTest } from './stack-under-test.ts';
import { tapOnce } from './tap.ts';

const CHARGE = '/api/payment-method/:id/payment';

/** One trace for each request, from the gateway to reporting, over HTTP, the outbox and the broker. */
export function trace({ stack, merchant }: StackUnderTest): void {
  /** What a request made in the processes that it must have reached. */
  const traceOf = async (route: string, services: string[], request: () => Promise<{ status: number }>) => {
    const known = new Set(readSpans(stack().spansFile).map(({ traceId }) => traceId));
    expect((await request()).status).toBeLessThan(300);
    return wholeTrace(stack().spansFile, { route, known, services });
  };

  // What other stories did is in the file by then.
  beforeAll(() => sleep(1_000));

  test('of a charge', async () => {
    const card = await merchant().saveCard();
    // intents follows every payment, although this one was made for no intent.
    const services = ['gateway', 'payments', 'bank', 'intents', 'reporting'];
    const spans = await traceOf(CHARGE, services, () => merchant().charge(card));
    expectOneTrace(spans, services);
    expect(callsOf(spans)).toEqual(
      expect.arrayContaining([
        'test > gateway POST /api/payment-method/:id/payment',
        'gateway > payments POST /payment-method/:id/payment',
        'payments > bank POST /sales',
        'payments > reporting PaymentConfirmed',
      ]),
    );
  });

  test('of a hold, which is also handed over to holds directly', async () => {
    const card = await merchant().saveCard();
    const services = ['gateway', 'payments', 'bank', 'holds', 'reporting'];
    const spans = await traceOf(CHARGE, services, () => merchant().hold(card));
    expectOneTrace(spans, services);
    expect(callsOf(spans)).toEqual(
      expect.arrayContaining([
        'payments > bank POST /authorizations',
        'payments > holds POST /internal/events',
        'payments > reporting HoldPlaced',
      ]),
    );
  });

  test('of a capture, which is also handed over to payments directly', async () => {
    const card = await merchant().saveCard();
    const { id } = (await merchant().hold(card)).body;
    const services = ['gateway', 'holds', 'bank', 'payments', 'reporting'];
    const spans = await traceOf(`${CHARGE}/:paymentId/capture`, services, () => merchant().capture(card, id));
    expectOneTrace(spans, services);
    expect(callsOf(spans)).toEqual(
      expect.arrayContaining([
        'gateway > holds POST /payment-method/:id/payment/:paymentId/capture',
        'holds > bank POST /captures',
        'holds > payments POST /internal/events',
        'holds > reporting HoldCaptured',
      ]),
    );
  });

  test('of an intent, from its create through its terminal, the event and the bank back to intents and reporting', async () => {
    const services = ['gateway', 'intents', 'payments', 'bank', 'reporting'];
    const spans = await traceOf('/api/payment-intent', services, () => tapOnce(stack(), merchant(), 'TRACE-1'));
    expectOneTrace(spans, services);
    expect(spans.map(({ name }) => name)).toContain('intent shown');
    expect(callsOf(spans)).toEqual(
      expect.arrayContaining([
        'gateway > intents POST /payment-intent',
        'intents > gateway POST /api/terminal/v1/payment-intent/:id/payment',
        'intents > payments POST /internal/events',
        'payments > bank POST /sales',
        'payments > intents POST /internal/events',
        'payments > reporting PaymentConfirmed',
      ]),
    );
  });

  test('no span is named after an id', () => {
    const names = new Set(readSpans(stack().spansFile).map(({ name }) => name));
    expect([...names].filter((name) => /[0-9a-f]{8}-[0-9a-f]{4}-/.test(name))).toEqual([]);
  });
}

/** From one root, no link broken, every server span named by its route. */
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

/** Who reached whom: the service of the nearest span above in another service, or the test where there is none. */
function callsOf(spans: SpanLine[]): string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const callerOf = (span: SpanLine): string | null => {
    const parent = span.parentSpanId === null ? undefined : byId.get(span.parentSpanId);
    if (parent === undefined) return 'test';
    return parent.service === span.service ? callerOf(parent) : parent.service;
  };
  return spans
    .filter(({ kind }) => kind === 'server' || kind === 'consumer')
    .map((span) => `${callerOf(span)} > ${span.service} ${span.kind === 'server' ? span.name : eventOf(span, byId)}`);
}

/** The type of the event is the routing key that it was published with. */
function eventOf(span: SpanLine, byId: Map<string, SpanLine>): string {
  const published = span.parentSpanId === null ? undefined : byId.get(span.parentSpanId);
  return String(published?.attributes['messaging.rabbitmq.routing_key']);
}

import { createServer, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { listening } from '@cobro/testing/listening.ts';
import { type EndedSpan, recordSpans } from '@cobro/testing/record-spans.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { type Door, inServerSpan, setSpanRoute } from './server-span.ts';

const { ended, stop } = recordSpans();
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
let server: Awaited<ReturnType<typeof listening>> | undefined;

beforeEach(() => void ended.splice(0));
afterEach(() => server?.close());
afterAll(stop);

type Answering = (...request: Parameters<RequestListener>) => Promise<void> | void;

async function serve(answer: Answering, door?: Door): Promise<string> {
  server = await listening(createServer(inServerSpan((req, res) => void answer(req, res), door)));
  return server.url;
}
async function onlySpan(): Promise<EndedSpan> {
  await until('the span has ended', async () => ended.length > 0);
  expect(ended).toHaveLength(1);
  return ended[0] as EndedSpan;
}

test('a request is a span below its caller, named by its route, also after its body was read', async () => {
  const url = await serve(async (req, res) => {
    const body = await text(req);
    setSpanRoute(req.method ?? '', '/thing/:id');
    res.writeHead(201).end(body);
  });
  const headers = { traceparent: `00-${TRACE}-${CALLER}-01`, 'user-agent': 'till/1.2' };
  await fetch(`${url}/thing/4242424242424242?a=4242424242424242`, { method: 'POST', headers, body: 'x' });
  const span = await onlySpan();
  expect(span).toMatchObject({
    name: 'POST /thing/:id',
    kind: SpanKind.SERVER,
    status: { code: SpanStatusCode.UNSET },
  });
  expect([span.spanContext().traceId, span.parentSpanContext?.spanId]).toEqual([TRACE, CALLER]);
  expect(span.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/thing/:id',
    'http.response.status_code': 201,
    'network.peer.address': '127.0.0.1',
    'url.scheme': 'http',
    'user_agent.original': 'till/1.2',
  });
  expect(span.links).toEqual([]);
});

test.each([
  ['till 4242424242424242', 'till [digits]'],
  ['till 5200 8282-8282.8210', 'till [digits]'],
  ['till 5200%208282%208282%208210', 'till [digits]'],
  ['5200 / 8282 -- 8282 (8210)', '[digits])'],
  [`till sk_test_${'aB3'.repeat(15)}`, 'till [token]'],
  ['x '.repeat(100), 'x '.repeat(60)],
  [`${'a '.repeat(55)}4242 4242 4242 4242`, `${'a '.repeat(55)}[digits]`],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
  ],
])('of the user agent %s a span has what can be no card and no key', async (sent, kept) => {
  const url = await serve((_req, res) => void res.end());
  await fetch(url, { headers: { 'user-agent': sent } });
  expect((await onlySpan()).attributes['user_agent.original']).toBe(kept);
});

describe('at the door', () => {
  const callersTrace = (flag: string) => ({ headers: { traceparent: `00-${TRACE}-${CALLER}-${flag}` } });

  test.each(['00', '01'])(
    'a caller’s trace with flag %s is a link, and the request is the root of a trace of ours',
    async (flag) => {
      const url = await serve((_req, res) => void res.end(), { trustTraceparent: false });
      await fetch(`${url}/thing`, callersTrace(flag));
      const span = await onlySpan();
      expect(span.parentSpanContext).toBeUndefined();
      expect(span.spanContext().traceId).not.toBe(TRACE);
      expect(span.links).toMatchObject([{ context: { traceId: TRACE, spanId: CALLER } }]);
    },
  );

  test.each([undefined, 'rubbish', `00-${'0'.repeat(32)}-${CALLER}-01`])(
    '%s is no trace to link',
    async (traceparent) => {
      const url = await serve((_req, res) => void res.end(), { trustTraceparent: false });
      await fetch(url, traceparent === undefined ? {} : { headers: { traceparent } });
      expect((await onlySpan()).links).toEqual([]);
    },
  );

  test('the trace goes on where a proxy of ours writes it', async () => {
    const url = await serve((_req, res) => void res.end(), { trustTraceparent: true });
    await fetch(`${url}/thing`, callersTrace('01'));
    const span = await onlySpan();
    expect([span.spanContext().traceId, span.parentSpanContext?.spanId]).toEqual([TRACE, CALLER]);
    expect(span.links).toEqual([]);
  });
});

test('an answer of 500 is an error, and one of 404 is none', async () => {
  const url = await serve((req, res) => void res.writeHead(req.url === '/bug' ? 500 : 404).end());
  for (const path of ['/bug', '/nowhere']) await fetch(`${url}${path}`);
  await until('both have ended', async () => ended.length === 2);
  expect(ended.map(({ status }) => status.code)).toEqual([SpanStatusCode.ERROR, SpanStatusCode.UNSET]);
});

test('a request whose connection breaks ends its span', async () => {
  const url = await serve((_req, res) => void res.destroy());
  await expect(fetch(url)).rejects.toThrow('fetch failed');
  expect((await onlySpan()).name).toBe('GET');
});

test('health and clock have no span, and one of us who does not sample is heard', async () => {
  const sampled: (boolean | undefined)[] = [];
  const url = await serve((_req, res) => {
    sampled.push(trace.getActiveSpan()?.isRecording());
    res.end();
  });
  for (const path of ['/health/ready', '/internal/clock']) await fetch(`${url}${path}`);
  await fetch(`${url}/thing`, { headers: { traceparent: `00-${TRACE}-${CALLER}-00` } });
  expect(sampled).toEqual([undefined, undefined, false]);
  expect(ended).toEqual([]);
});

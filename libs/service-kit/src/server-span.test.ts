import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type EndedSpan, recordSpans } from '@cobro/testing/record-spans.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { inServerSpan, setSpanRoute } from './server-span.ts';

const { ended, stop } = recordSpans();
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
let server: Server | undefined;

beforeEach(() => void ended.splice(0));
afterEach(() => void server?.close());
afterAll(stop);

type Answering = (...request: Parameters<RequestListener>) => Promise<void> | void;

async function serve(answer: Answering): Promise<string> {
  server = createServer(inServerSpan((req, res) => void answer(req, res)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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
  const headers = { traceparent: `00-${TRACE}-${CALLER}-01`, 'user-agent': 'till 4242424242424242' };
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
    'url.path': '/thing/[digits]',
    'url.query': 'a=[digits]',
    'url.scheme': 'http',
    'user_agent.original': 'till [digits]',
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

test('health and clock have no span, and a caller that does not sample is heard', async () => {
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

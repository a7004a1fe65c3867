import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findTraces, type Trace } from './spans.ts';
import { PAYMENT } from './test-timeline.ts';

const [A, B, OTHER] = ['a'.repeat(32), 'b'.repeat(32), 'c'.repeat(32)];
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cobro-trace-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A line as a collector's file exporter writes it: one request of an exporter, with spans of several traces. */
function collected(
  service: string,
  ...spans: { traceId: string; spanId: string; from: number; ids?: object; links?: { traceId: string }[] }[]
): string {
  const attribute = ([key, value]: [string, unknown]) => ({ key, value: { stringValue: value } });
  const resource = { attributes: [attribute(['service.name', service])] };
  const written = spans.map(({ traceId, spanId, from, ids = {}, links }) => ({
    traceId,
    spanId,
    parentSpanId: '',
    name: 'POST /x',
    kind: 2,
    startTimeUnixNano: `179518639004512${from}456`,
    endTimeUnixNano: '1795186390163965000',
    attributes: Object.entries(ids).map(attribute),
    status: {},
    ...(links && { links }),
  }));
  return JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: {}, spans: written }] }] });
}

async function find(lines: string[], ...ids: string[]): Promise<Trace[]> {
  const file = join(folder, 'spans.jsonl');
  writeFileSync(file, lines.join('\n'));
  return findTraces(file, new Set(ids));
}

const ofFile = [
  collected('reporting', { traceId: A, spanId: '2', from: 2 }, { traceId: OTHER, spanId: '9', from: 1 }),
  collected('payments', { traceId: A, spanId: '1', from: 1, ids: { paymentId: PAYMENT } }),
  // Sent twice.
  collected('payments', { traceId: A, spanId: '1', from: 1, ids: { paymentId: PAYMENT } }),
  collected('gateway', { traceId: B, spanId: '3', from: 0, ids: { requestId: 'till-7' } }),
];

test('of a collector’s file: every span of a trace in which the id leads to one, each once, in the order of time', async () => {
  const found = await find(ofFile, PAYMENT);
  expect(found.map(({ traceId }) => traceId)).toEqual([A]);
  const spans = found[0]?.spans.map(({ spanId, service, kind, parentSpanId, start, end }) => ({
    of: `${service} ${kind} ${spanId}`,
    parentSpanId,
    start,
    end,
  }));
  const end = 1_795_186_390_163_965;
  expect(spans).toEqual([
    { of: 'payments server 1', parentSpanId: null, start: 1_795_186_390_045_121, end },
    { of: 'reporting server 2', parentSpanId: null, start: 1_795_186_390_045_122, end },
  ]);
  expect((await find(ofFile, PAYMENT, 'till-7')).map(({ traceId }) => traceId)).toEqual([B, A]);
  expect((await find(ofFile, B)).map(({ traceId }) => traceId)).toEqual([B]);
});

test('of the stack’s own file, whose last line is still being written', async () => {
  const span = {
    traceId: A,
    spanId: '1',
    parentSpanId: null,
    name: 'inquiry',
    kind: 'internal',
    service: 'payments',
    startTime: '2026-11-22T09:12:01.003456Z',
    endTime: '2026-11-22T09:12:01.004000Z',
    status: 'unset',
    attributes: { operationId: PAYMENT },
  };
  const line = JSON.stringify(span);
  const found = await find([line, line.replace('"1"', '"2"').slice(0, -20)], PAYMENT);
  const start = Date.parse('2026-11-22T09:12:01.003Z') * 1_000 + 456;
  expect(found).toMatchObject([{ traceId: A, spans: [{ spanId: '1', start, end: start + 544 }] }]);
});

test('an id of somebody who has many traces leads to none', async () => {
  const ids = { organizationId: PAYMENT, keyId: PAYMENT, 'url.template': `/payment/${PAYMENT}` };
  expect(await find([collected('gateway', { traceId: A, spanId: '1', from: 1, ids })], PAYMENT)).toEqual([]);
});

test('a caller’s trace leads to the traces that have a link to it, and to none of its own', async () => {
  const theirs = 'e'.repeat(32);
  const linked = { traceId: A, spanId: '1', from: 1, links: [{ traceId: theirs }] };
  const lines = [collected('gateway', linked), collected('payments', { traceId: A, spanId: '2', from: 2 })];
  expect(await find([...lines, ofFile[3] ?? ''], theirs)).toMatchObject([{ traceId: A, spans: [{}, {}] }]);
});

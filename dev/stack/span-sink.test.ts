import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { freePort } from '@cobro/testing/free-port.ts';
import type { SmallServer } from './small-http-server.ts';
import { openSpanSink } from './span-sink.ts';

describe('the span sink', () => {
  let folder: string;
  let sink: SmallServer;
  const file = () => join(folder, 'spans.jsonl');

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cobro-spans-'));
    sink = await openSpanSink(await freePort(), file());
  });
  afterEach(async () => {
    await sink.close();
    rmSync(folder, { recursive: true });
  });

  const post = async (path: string, body: unknown, to = sink) =>
    (await fetch(`${to.url}${path}`, { method: 'POST', body: JSON.stringify(body) })).status;

  test('appends a line per span, with its service and plain attributes', async () => {
    const span = {
      traceId: 'b29f1e4424df01e1b29f1e4424df01e1',
      spanId: 'b29f1e4424df01e1',
      parentSpanId: '466a8206eac12637',
      name: 'POST /payment-method',
      kind: 2,
      startTimeUnixNano: '1795186390045123456',
      endTimeUnixNano: '1795186390163965000',
      status: { code: 2 },
      attributes: [
        { key: 'http.route', value: { stringValue: '/payment-method' } },
        { key: 'http.response.status_code', value: { intValue: '201' } },
        { key: 'tags', value: { arrayValue: { values: [{ stringValue: 'a' }, { boolValue: true }] } } },
      ],
    };
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'payments' } }] };
    const traces = {
      resourceSpans: [
        { resource, scopeSpans: [{ spans: [span, { ...span, parentSpanId: undefined, links: [{ traceId: 'a1' }] }] }] },
      ],
    };
    expect(await post('/v1/traces', traces)).toBe(200);
    const lines = readFileSync(file(), 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { parentSpanId: string | null }).parentSpanId)).toEqual([
      '466a8206eac12637',
      null,
    ]);
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ links: ['a1'] });
    expect(JSON.parse(lines[0] as string)).toEqual({
      traceId: 'b29f1e4424df01e1b29f1e4424df01e1',
      spanId: 'b29f1e4424df01e1',
      parentSpanId: '466a8206eac12637',
      name: 'POST /payment-method',
      kind: 'server',
      service: 'payments',
      startTime: '2026-11-20T14:53:10.045123Z',
      endTime: '2026-11-20T14:53:10.163965Z',
      status: 'error',
      attributes: { 'http.route': '/payment-method', 'http.response.status_code': 201, tags: ['a', true] },
    });
  });

  test('keeps the newest spans, whole and without a gap', async () => {
    const [kept, bytes, sent] = [join(folder, 'kept.jsonl'), 5_000, 100];
    const small = await openSpanSink(await freePort(), kept, bytes);
    const times = { startTimeUnixNano: '1795186390045123456', endTimeUnixNano: '1795186390163965000' };
    for (let n = 0; n < sent; n++) {
      const span = {
        traceId: 'b29f1e4424df01e1b29f1e4424df01e1',
        spanId: 'b29f1e4424df01e1',
        name: `span ${n}`,
        ...times,
      };
      await post('/v1/traces', { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }, small);
      expect(statSync(kept).size).toBeLessThanOrEqual(bytes);
    }
    await small.close();
    const lines = readFileSync(kept, 'utf8').trimEnd().split('\n');
    const names = lines.map((line) => (JSON.parse(line) as { name: string }).name);
    expect(names.length).toBeGreaterThan(1);
    expect(names).toEqual(names.map((_, i) => `span ${sent - names.length + i}`));
  });

  test('takes metrics and logs without keeping them, and nothing else', async () => {
    expect([await post('/v1/metrics', {}), await post('/v1/logs', {}), await post('/v2/traces', {})]).toEqual([
      200, 200, 404,
    ]);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@cobro/contracts/ids.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findTimeline } from './find-timeline.ts';
import { recordReader } from './records.ts';
import { http, linesOf, traceOf } from './test-timeline.ts';

const [LINK, DECLINED, PAID, OPERATION] = [newId(), newId(), newId(), newId()];
let folder: string;
let file: string;

/** A request with one span in the gateway and one in payments, which has these ids. */
const request = (name: string, from: number, method: string, ids: Record<string, string>) =>
  traceOf(name.padEnd(32, '0'), [
    'gateway server',
    {
      from,
      to: from + 20,
      name: `${method} /x`,
      links: [`caller-of-${name}`],
      attributes: { ...http(method, '/x', 200), requestId: `Till-${name}` },
    },
    ['payments server', { from: from + 1, to: from + 19, attributes: { ...http(method, '/x', 200), ...ids } }],
  ]);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cobro-timeline-'));
  file = join(folder, 'spans.jsonl');
  const traces = [
    request('aa', 0, 'POST', { oneTimePaymentId: LINK }),
    request('bb', 1_000, 'POST', { oneTimePaymentId: LINK, paymentId: DECLINED }),
    request('cc', 2_000, 'POST', { oneTimePaymentId: LINK, paymentId: PAID, operationId: OPERATION }),
    request('dd', 3_000, 'GET', { paymentId: PAID }),
    request('ee', 4_000, 'POST', { oneTimePaymentId: LINK, paymentId: PAID }),
    request('ff', 5_000, 'POST', { paymentId: newId(), oneTimePaymentId: newId() }),
    request('99', 6_000, 'GET', { paymentMethodId: newId() }),
  ];
  writeFileSync(file, linesOf(traces));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The first letters of a timeline's traces, found by spans alone. */
async function find(id: string, withReads = false) {
  const { traces, reads } = await findTimeline(id, withReads, { records: recordReader({}), spansFile: file });
  return { traces: traces.map(({ traceId }) => traceId.slice(0, 2)), reads };
}

test('a payment’s timeline has what was done for its link, and no other attempt to pay the link', async () => {
  expect(await find(PAID)).toEqual({ traces: ['aa', 'cc', 'ee'], reads: 1 });
  expect(await find(PAID.toUpperCase())).toEqual({ traces: ['aa', 'cc', 'ee'], reads: 1 });
});

test('a link’s timeline has every attempt', async () => {
  expect(await find(LINK)).toEqual({ traces: ['aa', 'bb', 'cc', 'ee'], reads: 1 });
});

test('a request, an operation, a trace and its caller’s trace lead to their payment’s timeline', async () => {
  const whole = { traces: ['aa', 'cc', 'ee'], reads: 1 };
  for (const id of ['Till-ee', OPERATION, 'cc'.padEnd(32, '0'), 'caller-of-ee']) expect(await find(id)).toEqual(whole);
});

test('reads are left out and counted, unless just that one was asked for, or all are wanted', async () => {
  for (const id of ['Till-dd', 'caller-of-dd'])
    expect(await find(id)).toEqual({ traces: ['aa', 'cc', 'dd', 'ee'], reads: 0 });
  expect(await find(PAID, true)).toEqual({ traces: ['aa', 'cc', 'dd', 'ee'], reads: 0 });
});

test('the request that made a link leads to every attempt to pay it, and one that leads nowhere to just its trace', async () => {
  expect(await find('Till-aa')).toEqual(await find(LINK));
  expect(await find('Till-99')).toEqual({ traces: ['99'], reads: 0 });
});

test('of an id that nobody knows there is no timeline', async () => {
  await expect(find(newId())).rejects.toThrow(/^Nothing is known of .*\nNo span of it is in .*spans\.jsonl\.\n/);
});

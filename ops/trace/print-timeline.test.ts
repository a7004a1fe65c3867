import { describe, expect, test } from '@jest/globals';
import { printTimeline } from './print-timeline.ts';
import {
  at,
  http,
  nothingKnown,
  OPERATION,
  PAYMENT,
  records,
  statement,
  timeline,
  traceOf,
  traces,
} from './test-timeline.ts';

describe('the timeline of a charge whose bank was silent', () => {
  test('as a person reads it', () => {
    expect(printTimeline(timeline, false)).toBe(`Payment 0199c1d2-0000-7000-8000-0000000000aa: CONFIRMED, 1,234.56 MXN
  saved card   0199c1d2-0000-7000-8000-0000000000ee
  organization 0199c1d2-0000-7000-8000-0000000000dd
  seen as      payments CONFIRMED, reporting CONFIRMED
  made         2026-11-22 09:12:01.008 UTC (business time)

Asked of the bank
  2026-11-22 09:12:01.015  charge  1,234.56 MXN, approved after 15.22 s, no answer in 8.01 s, 4 inquiries
      operation 0199c1d2-0000-7000-8000-0000000000bb, reference sal_1

Trace 1 of 5: 2026-11-22 09:12:01.003 UTC, 8.04 s
  trace aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, request till-7
   at ms   for ms  process   what
     0.0  8,040.0  gateway   POST /api/payment-method/…/payment → 202                █████████████████████████
     2.0  8,036.0  payments    POST /payment-method/…/payment → 202                  █████████████████████████
     3.0     11.0  payments      select payment; insert payment, insert bank_opera…  ▒
    12.0           payments      ◆ charge claimed: 1,234.56 MXN                      ◆
    20.0  7,998.0  payments      POST /sales → no answer                             █████████████████████████
    22.0  7,997.0  bank            POST /sales → no answer                           █████████████████████████
 8,020.0      2.0  payments      update bank_operation: failed                                               █
 8,020.0           payments      ◆ no answer from the bank: outcome unknown                                  ◆

Trace 2 of 5: 2026-11-22 09:12:10.023 UTC, 40.0 ms
  trace bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
   at ms   for ms  process   what
     0.0     40.0  payments  inquiry: open                                           █████████████████████████
     4.0     32.0  bank        POST /inquiries → 200                                   █████████████████████
2 more traces like it, the last at 2026-11-22 09:12:13.103: --full shows them.

Trace 5 of 5: 2026-11-22 09:12:16.203 UTC, 3.06 s later, 70.0 ms
  trace eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee
   at ms   for ms  process   what
     0.0     40.0  payments  inquiry: settled                                        ███████████████
    30.0           payments    ◆ charge approved: payment CONFIRMED                            ◆
    50.0     20.0  reporting   take PaymentConfirmed                                                  ████████
    60.0           reporting     ◆ PaymentConfirmed applied                                               ◆

2 more traces of requests that only read it: --full shows them.
`);
  });

  test('in full, with every statement, call and trace', () => {
    const text = printTimeline(timeline, true);
    expect(text.match(/^Trace \d of 5/gm)).toHaveLength(5);
    expect(text.match(/inquiry: open/g)).toHaveLength(3);
    const lines = text.split('\n').map((line) => line.slice(19, 85).trimEnd());
    expect(lines).toEqual(expect.arrayContaining(['payments        insert payment, insert bank_operation, commit']));
    expect(text).not.toContain(';');
  });
});

test.each([
  ['stands before the call that clocks of a millisecond put before it', 22, ['claimed', 'POST /sales']],
  ['stays where it is otherwise', 23, ['POST /sales', 'claimed']],
])('a claim %s', (_, claimedMs, expected) => {
  const operations = records.operations.map((operation) => ({ ...operation, claimedAt: at(claimedMs) }));
  const text = printTimeline({ ...timeline, records: { ...records, operations } }, false);
  const waterfall = text.slice(text.indexOf('Trace 1'));
  expect(waterfall).toContain('claimed');
  expect(expected.toSorted((a, b) => waterfall.indexOf(a) - waterfall.indexOf(b))).toEqual(expected);
});

test('without spans, what the databases noted is printed with its times', () => {
  const missing = ['Spans are missing: there is no file x.jsonl.'];
  const text = printTimeline({ asked: PAYMENT, records, traces: [], reads: 0, missing }, false);
  expect(text.slice(text.indexOf('Without'))).toBe(`Without spans: 2026-11-22 09:12:01.015 UTC
  2026-11-22 09:12:01.015  payments  ◆ charge claimed: 1,234.56 MXN
  2026-11-22 09:12:09.023  payments  ◆ no answer from the bank: outcome unknown
  2026-11-22 09:12:16.233  payments  ◆ charge approved: payment CONFIRMED
  2026-11-22 09:12:16.263  reporting ◆ event applied

Spans are missing: there is no file x.jsonl.
`);
});

test('without a database, spans show what they can', () => {
  const missing = ['What payments knows is missing. The database is not available.'];
  const text = printTimeline({ asked: 'till-7', records: nothingKnown, traces, reads: 0, missing }, false);
  expect(text).toMatch(/^What is known of till-7\n\nTrace 1 of 5: /);
  expect(text).toContain('request till-7, asked for\n');
  expect(text).toContain('payments      POST /sales → no answer ');
  expect(text).toMatch(/\n\nWhat payments knows is missing. The database is not available.\n$/);
});

test('a request that the gateway passed on in vain is named by its route, because its span has no path', () => {
  const trace = traceOf('f'.repeat(32), [
    'gateway server',
    { from: 0, to: 20, attributes: http('POST', '/api/payment-method/:id/payment', 503) },
    ['gateway client', { from: 1, to: 19, attributes: { 'http.request.method': 'POST' }, status: 'error' }],
  ]);
  const text = printTimeline({ asked: PAYMENT, records: nothingKnown, traces: [trace], reads: 0, missing: [] }, false);
  expect(text).toContain('gateway     POST /api/payment-method/…/payment → no answer');
});

test('what an operator resolved, and what still waits, is printed', () => {
  const [operation] = records.operations;
  if (operation === undefined) throw new Error('no operation');
  const resolution = {
    id: PAYMENT,
    ending: { outcome: 'not_processed' } as const,
    decidedBy: 'Ana',
    sessionRole: 'payments',
    reason: 'case 4711',
    decidedAt: at(4_000_000),
    before: {},
    appliedAt: null,
    after: null,
  };
  const open = { ...operation, status: 'open' as const, settledAt: null, resolutions: [resolution] };
  const waiting = [{ service: 'payments' as const, eventId: PAYMENT, type: 'PaymentConfirmed', at: at(90_000_000) }];
  const known = { ...records, operations: [open], applied: [], waiting };
  const text = printTimeline({ asked: PAYMENT, records: known, traces: [], reads: 0, missing: [] }, false);
  expect(text).toContain('charge  1,234.56 MXN, unknown, no answer in 8.01 s, 4 inquiries, next at 09:12:21');
  expect(text).toContain('      2026-11-22 10:18:41.003 Ana resolved it as not_processed, which waits\n');
  expect(text).toContain('  2026-11-23 10:12:01.003  payments  ◆ PaymentConfirmed waits for the broker since then\n');
});

test('what the merchant is shown, and where it was sent, is printed', () => {
  const url = 'https://shop.example.com/hook';
  const nextAttemptAt = at(90_000_000).toISOString();
  const deliveries = [
    { url, status: 'DELIVERED' as const, attempts: 2, nextAttemptAt, responseStatus: 204, error: null },
    {
      url,
      status: 'PENDING' as const,
      attempts: 1,
      nextAttemptAt,
      responseStatus: null,
      error: 'no answer within 15 s',
    },
  ];
  const event = { id: OPERATION, objectId: PAYMENT, type: 'payment.confirmed' as const, createdAt: at(15_240) };
  const known = { ...nothingKnown, events: [{ ...event, deliveries }] };
  const text = printTimeline({ asked: PAYMENT, records: known, traces: [], reads: 0, missing: [] }, false);
  expect(text).toContain(`Shown to the merchant (business time)
  2026-11-22 09:12:16.243  payment.confirmed, event ${OPERATION}
      delivered: 2 tries, 204: ${url}
      waits: 1 try, no answer within 15 s, next at 2026-11-23 10:12:01.003: ${url}
`);
});

test('no line is longer than 110, however deep and long its names are', () => {
  const route = `/api/${'a-very-long-segment/'.repeat(9)}capture`;
  const deep = Array.from({ length: 14 }).reduce<ReturnType<typeof statement>>(
    (child) => ['payments internal', { from: 1, to: 99, name: 'within '.repeat(20) }, child],
    statement(`select ${'x'.repeat(200)}`, 4, 5),
  );
  const trace = traceOf('f'.repeat(32), [
    'a-service-with-a-long-name server',
    { from: 0, to: 100_000_000, attributes: { ...http('POST', route, 200), requestId: 'r'.repeat(128) } },
    deep,
  ]);
  const text = printTimeline({ asked: PAYMENT, records, traces: [trace], reads: 0, missing: ['m'.repeat(300)] }, false);
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBe(110);
  // The end of a path, and its answer, are never cut off.
  expect(text).toContain('capture → 200');
});

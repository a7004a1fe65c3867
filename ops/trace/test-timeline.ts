import type { Timeline } from './find-timeline.ts';
import type { Records } from './records.ts';
import type { Span, Trace } from './spans.ts';

/** For tests: timelines with fixed ids and times. Times of spans are milliseconds after the timeline's beginning. */
const BEGUN = Date.parse('2026-11-22T09:12:01.003Z');
export const PAYMENT = '0199c1d2-0000-7000-8000-0000000000aa';
export const OPERATION = '0199c1d2-0000-7000-8000-0000000000bb';
const EVENT = '0199c1d2-0000-7000-8000-0000000000cc';

export const at = (ms: number): Date => new Date(BEGUN + ms);

type Given = { from: number; to: number; name?: string; attributes?: Record<string, unknown>; status?: string } & Pick<
  Span,
  'links'
>;

/** A span named `service kind`, and what it did. */
export type SpanTree = [named: string, given: Given, ...children: SpanTree[]];

export function traceOf(traceId: string, tree: SpanTree): Trace {
  const spans: Span[] = [];
  const add = ([named, given, ...children]: SpanTree, parentSpanId: string | null) => {
    const [service = '', kind = ''] = named.split(' ');
    const spanId = `${traceId.slice(0, 8)}${String(spans.length).padStart(8, '0')}`;
    const { from, to, name = named, attributes = {}, status = 'unset', ...links } = given;
    const [start, end] = [(BEGUN + from) * 1_000, (BEGUN + to) * 1_000];
    spans.push({ traceId, spanId, parentSpanId, name, kind, service, start, end, status, attributes, ...links });
    for (const child of children) add(child, spanId);
  };
  add(tree, null);
  return { traceId, spans };
}

/** As lines of the stack's own file. */
export const linesOf = (given: Trace[]): string =>
  given
    .flatMap(({ spans }) => spans)
    .map(({ start, end, ...span }) => JSON.stringify({ ...span, startTime: isoOf(start), endTime: isoOf(end) }))
    .join('\n');

const isoOf = (micros: number) => new Date(micros / 1_000).toISOString().replace('Z', '000Z');

export const http = (method: string, route: string, status?: number) => ({
  'http.request.method': method,
  'http.route': route,
  ...(status !== undefined && { 'http.response.status_code': status }),
});

export const statement = (name: string, from: number, to: number, status = 'unset'): SpanTree => [
  'payments client',
  { from, to, name: `${name} x8J2`, attributes: { 'db.system.name': 'postgresql' }, status },
];

const transaction = (statements: string[], from: number, to: number): SpanTree => {
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': statements.join(', ') };
  return ['payments client', { from, to, name: 'transaction', attributes }];
};

const operation: Records['operations'][number] = {
  id: OPERATION,
  service: 'payments',
  acquirer: 'default',
  purpose: 'charge',
  subjectId: PAYMENT,
  amount: 123_456n,
  status: 'approved',
  claimedAt: at(12),
  unansweredAt: at(8_020),
  inquiries: 4,
  inquireAt: at(20_000),
  settledAt: at(15_230),
  reference: 'sal_1',
  declineCode: null,
  resolutions: [],
};

export const records: Records = {
  payments: [
    {
      id: PAYMENT,
      organizationId: '0199c1d2-0000-7000-8000-0000000000dd',
      paymentMethodId: '0199c1d2-0000-7000-8000-0000000000ee',
      oneTimePaymentId: null,
      paymentLinkId: null,
      subscriptionId: null,
      promotionId: null,
      paymentIntentId: null,
      status: 'CONFIRMED',
      amount: 123_456n,
      heldAmount: null,
      declineCode: null,
      createdAt: at(5),
      heldAt: null,
      holdExpiresAt: null,
      captureBefore: null,
      capturedAt: null,
      holdReleasedAt: null,
      refundedAt: null,
    },
  ],
  holds: [],
  intents: [],
  projections: [
    {
      id: PAYMENT,
      status: 'CONFIRMED',
      amount: 123_456n,
      heldAt: null,
      captureBefore: null,
      capturedAt: null,
      releasedAt: null,
      refundedAt: null,
    },
  ],
  operations: [operation],
  events: [],
  waiting: [],
  applied: [{ service: 'reporting', eventId: EVENT, type: null, at: at(15_260) }],
};

export const nothingKnown: Records = {
  payments: [],
  holds: [],
  intents: [],
  projections: [],
  operations: [],
  events: [],
  waiting: [],
  applied: [],
};

const inquiry = (traceId: string, from: number): Trace =>
  traceOf(traceId, [
    'payments internal',
    {
      from,
      to: from + 40,
      name: 'inquiry',
      attributes: { operationId: OPERATION, paymentId: PAYMENT, outcome: 'open' },
    },
    [
      'payments client',
      { from: from + 2, to: from + 38, attributes: http('POST', '', 200) },
      ['bank server', { from: from + 4, to: from + 36, attributes: http('POST', '/inquiries', 200) }],
    ],
  ]);

/** A charge whose bank was silent: it answered only the fourth inquiry. */
export const traces: Trace[] = [
  traceOf('a'.repeat(32), [
    'gateway server',
    {
      from: 0,
      to: 8_040,
      attributes: { ...http('POST', '/api/payment-method/:id/payment', 202), requestId: 'till-7' },
    },
    [
      'gateway client',
      { from: 1, to: 8_039, attributes: http('POST', '/payment-method/1/payment', 202) },
      [
        'payments server',
        {
          from: 2,
          to: 8_038,
          attributes: {
            ...http('POST', '/payment-method/:id/payment', 202),
            paymentId: PAYMENT,
            operationId: OPERATION,
            requestId: 'till-7',
          },
        },
        statement('select payment', 3, 5),
        transaction(['insert payment', 'insert bank_operation', 'commit'], 6, 14),
        [
          'payments client',
          { from: 20, to: 8_018, attributes: { ...http('POST', ''), 'url.template': '/sales' }, status: 'error' },
          ['bank server', { from: 22, to: 8_019, attributes: http('POST', '/sales', 200) }],
        ],
        statement('update bank_operation', 8_020, 8_022, 'error'),
      ],
    ],
  ]),
  inquiry('b'.repeat(32), 9_020),
  inquiry('c'.repeat(32), 10_030),
  inquiry('d'.repeat(32), 12_100),
  traceOf('e'.repeat(32), [
    'payments internal',
    {
      from: 15_200,
      to: 15_240,
      name: 'inquiry',
      attributes: { operationId: OPERATION, paymentId: PAYMENT, outcome: 'settled' },
    },
    [
      'reporting consumer',
      {
        from: 15_250,
        to: 15_270,
        attributes: { eventType: 'PaymentConfirmed', eventId: EVENT, paymentId: PAYMENT },
      },
    ],
  ]),
];

export const timeline: Timeline = { asked: PAYMENT, records, traces, reads: 2, missing: [] };

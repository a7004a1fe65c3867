import { pesos } from './words.ts';
import type { Records } from './records.ts';
import { idOf, type Micros, type Span, type Trace } from './spans.ts';

/** Something that a database noted at one moment, by real time. */
export interface Moment {
  at: Micros;
  service: string;
  what: string;
  /** A claim is committed before the bank is called. */
  isClaim?: true;
  /** An id on the span of the same service under which this moment belongs. */
  of: { operationId: string } | { eventId: string };
}

type Operation = Records['operations'][number];

/**
 * The state in which an operation leaves its subject: a hold in holds, otherwise the payment. A declined capture, release, expiry or refund
 * moves nothing.
 */
const STATES: Readonly<Record<string, string>> = {
  'charge approved': 'payment CONFIRMED',
  'charge declined': 'payment CANCELLED',
  'charge not_processed': 'payment CANCELLED',
  'charge not_sent': 'payment NOT_INITIALIZED',
  'hold approved': 'payment HELD',
  'hold declined': 'payment CANCELLED',
  'hold not_processed': 'payment CANCELLED',
  'hold not_sent': 'payment NOT_INITIALIZED',
  'capture approved': 'hold CAPTURED',
  'release approved': 'hold RELEASED',
  'expire approved': 'hold EXPIRED',
  'refund approved': 'payment REFUNDED',
};

const micros = (date: Date): Micros => date.getTime() * 1_000;

/** The moments of a timeline, in the order of time. */
export function momentsOf({ operations, waiting, applied }: Records, traces: Trace[]): Moment[] {
  const types = new Map(traces.flatMap(({ spans }) => spans.map((span) => [idOf(span, 'eventId'), typeOf(span)])));
  const nameOf = (eventId: string, type: string | null) => type ?? types.get(eventId) ?? 'event';
  return [
    ...operations.flatMap(momentsOfOperation),
    ...waiting.map(({ service, eventId, type, at }) => ({
      at: micros(at),
      service,
      what: `${nameOf(eventId, type)} waits for the broker since then`,
      of: { eventId },
    })),
    ...applied.map(({ service, eventId, type, at }) => ({
      at: micros(at),
      service,
      what: `${nameOf(eventId, type)} applied`,
      of: { eventId },
    })),
  ].toSorted((a, b) => a.at - b.at);
}

const typeOf = (span: Span) => idOf(span, 'eventType');

function momentsOfOperation(operation: Operation): Moment[] {
  const { id, service, purpose, amount, claimedAt, unansweredAt, settledAt, resolutions } = operation;
  const moment = (at: Date | null, what: string): Moment[] =>
    at === null ? [] : [{ at: micros(at), service, what, of: { operationId: id } }];
  const claimed = `${purpose} claimed${amount === null ? '' : `: ${pesos(amount)}`}`;
  return [
    ...moment(claimedAt, claimed).map((claim) => ({ ...claim, isClaim: true as const })),
    ...moment(unansweredAt, 'no answer from the bank: outcome unknown'),
    ...resolutions.flatMap(({ decidedAt, decidedBy, ending }) =>
      moment(decidedAt, `${decidedBy} resolves it as ${ending.outcome}`),
    ),
    ...moment(settledAt, settled(operation)),
  ];
}

function settled({ purpose, status, declineCode }: Operation): string {
  const ending = `${purpose} ${status}`;
  const state = STATES[ending];
  const why = declineCode === null ? '' : ` (${declineCode})`;
  return `${ending.replace('_', ' ')}${why}${state === undefined ? '' : `: ${state}`}`;
}

/** How far a moment may lie outside the span that it belongs under: a claim of the sweep comes before its span. */
const NEAR: Micros = 2_000_000;

/** The span of the trace under which a moment belongs, and how far away in time it is; undefined if there is none. */
export function spanOf(moment: Moment, { spans }: Trace): { span: Span; away: Micros } | undefined {
  const [name, id] = Object.entries(moment.of)[0] as ['operationId' | 'eventId', string];
  const near = spans
    .filter((span) => span.service === moment.service && idOf(span, name) === id)
    .map((span) => ({ span, away: Math.max(0, span.start - moment.at, moment.at - span.end) }))
    .toSorted((a, b) => a.away - b.away || b.span.start - a.span.start);
  return near[0] !== undefined && near[0].away <= NEAR ? near[0] : undefined;
}

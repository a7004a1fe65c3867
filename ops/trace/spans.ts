import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { SpanIds } from '@cobro/contracts/span-ids.ts';
import { type OtlpTraces, type SpanLine, spanLines } from './span-lines.ts';

/** Microseconds of the epoch, which a number holds exactly. */
export type Micros = number;

export interface Span extends Omit<SpanLine, 'startTime' | 'endTime'> {
  start: Micros;
  end: Micros;
}

/** The spans of one trace, in the order of their starts. */
export interface Trace {
  traceId: string;
  spans: Span[];
}

/** The ids that lead to a timeline. An organization or a key has far too many traces. */
const LEADING = [
  'requestId',
  'paymentId',
  'paymentIntentId',
  'oneTimePaymentId',
  'paymentLinkId',
  'subscriptionId',
  'operationId',
  'eventId',
] as const satisfies (keyof SpanIds)[];

export const idOf = (span: Span, name: keyof SpanIds): string | undefined => {
  const value = span.attributes[name];
  return typeof value === 'string' ? value : undefined;
};

export const isLedToBy = (span: Span, ids: ReadonlySet<string>): boolean =>
  LEADING.some((name) => ids.has(idOf(span, name) ?? '')) || ids.has(span.traceId) || isLinkedTo(span, ids);

/** Whether the span has a link to one of these traces, as a request has to the trace of its caller. */
export const isLinkedTo = ({ links = [] }: Span, traceIds: ReadonlySet<string>): boolean =>
  links.some((id) => traceIds.has(id));

/**
 * The traces in which one of these ids leads to a span, oldest first. `file` is the stack's own file of spans, or the file of a collector's
 * file exporter: one JSON object a line. The file may be larger than memory; the found traces must fit.
 */
export async function findTraces(file: string, ids: ReadonlySet<string>): Promise<Trace[]> {
  const wanted = [...ids];
  const found = new Set<string>();
  await eachSpan(
    file,
    (line) => wanted.some((id) => line.includes(id)),
    (span) => isLedToBy(span, ids) && found.add(span.traceId),
  );
  const byTrace = new Map<string, Map<string, Span>>([...found].map((id) => [id, new Map()]));
  await eachSpan(
    file,
    (line) => [...line.matchAll(TRACE_ID)].some(([, id]) => found.has(id ?? '')),
    // An exporter that got no reply sends the same spans again.
    (span) => byTrace.get(span.traceId)?.set(span.spanId, span),
  );
  return [...byTrace]
    .map(([traceId, spans]) => ({ traceId, spans: [...spans.values()].toSorted((a, b) => a.start - b.start) }))
    .filter(({ spans }) => spans.length > 0)
    .toSorted((a, b) => startOf(a) - startOf(b));
}

export const startOf = ({ spans }: Trace): Micros => Math.min(...spans.map(({ start }) => start));
export const endOf = ({ spans }: Trace): Micros => Math.max(...spans.map(({ end }) => end));

/** The first span whose parent was not kept, or that has none. */
export function rootOf({ spans }: Trace): Span | undefined {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  return spans.find(({ parentSpanId }) => parentSpanId === null || !ids.has(parentSpanId));
}

const TRACE_ID = /"traceId":"([\da-f]{32})"/g;

async function eachSpan(
  file: string,
  isWanted: (line: string) => boolean,
  take: (span: Span) => unknown,
): Promise<void> {
  const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity });
  for await (const line of lines) if (isWanted(line)) spansIn(line).forEach(take);
}

function spansIn(line: string): Span[] {
  let parsed: SpanLine | OtlpTraces;
  try {
    parsed = JSON.parse(line) as SpanLine | OtlpTraces;
  } catch {
    // The last line, which is still being written.
    return [];
  }
  const found = 'traceId' in parsed ? [parsed] : spanLines(parsed);
  return found.map(({ startTime, endTime, ...span }) => ({
    ...span,
    start: microsOf(startTime),
    end: microsOf(endTime),
  }));
}

/** Reads `2026-11-22T09:12:01.003456Z`, whose last three digits a Date would lose. */
const microsOf = (iso: string): Micros => Date.parse(`${iso.slice(0, 23)}Z`) * 1_000 + Number(iso.slice(23, 26));

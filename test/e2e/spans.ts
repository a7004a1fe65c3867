import { existsSync, readFileSync } from 'node:fs';
import { until } from '@cobro/testing/until.ts';
import type { SpanLine } from '../../ops/trace/span-lines.ts';

/** Every span of all processes so far. */
export function readSpans(file: string): SpanLine[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as SpanLine);
}

export interface WantedTrace {
  route: string;
  /** Earlier traces. */
  known: Set<string>;
  services: string[];
  /** Services to which the broker brings the event, besides any other way. */
  consumers?: string[];
  /** Calls, as `callsOf` returns them. */
  calls?: string[];
}

/**
 * The new trace that began with this route at the gateway, once it is whole: each service has a span in it, each consumer one of its
 * delivery, each call is there, and the parent of each span. Spans come in any order and in batches.
 */
export async function wholeTrace(
  file: string,
  { route, known, services, consumers = [], calls = [] }: WantedTrace,
): Promise<SpanLine[]> {
  let trace: SpanLine[] = [];
  const isWhole = () => {
    const spans = readSpans(file);
    const root = spans.find(
      ({ traceId, service, kind, attributes }) =>
        service === 'gateway' && kind === 'server' && attributes['http.route'] === route && !known.has(traceId),
    );
    trace = spans.filter(({ traceId }) => traceId === root?.traceId);
    const isIn = (name: string, ofKind?: string) =>
      trace.some(({ service, kind }) => service === name && (ofKind === undefined || kind === ofKind));
    return (
      services.every((name) => isIn(name)) &&
      consumers.every((name) => isIn(name, 'consumer')) &&
      calls.every((call) => callsOf(trace).includes(call)) &&
      orphans(trace).length === 0
    );
  };
  // The test's own assertions show what is missing, which is better than "not in time".
  await until('the trace is whole', isWhole).catch(() => {});
  return trace;
}

/** Spans whose parent is missing: the trace is broken there. */
export function orphans(trace: SpanLine[]): SpanLine[] {
  const ids = new Set(trace.map(({ spanId }) => spanId));
  return trace.filter(({ parentSpanId }) => parentSpanId !== null && !ids.has(parentSpanId));
}

/** One text per call, with its caller: the service of the nearest span above in another service, or the test if there is none. */
export function callsOf(spans: SpanLine[]): string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const callerOf = (span: SpanLine): string | null => {
    const parent = span.parentSpanId === null ? undefined : byId.get(span.parentSpanId);
    if (parent === undefined) return 'test';
    return parent.service === span.service ? callerOf(parent) : parent.service;
  };
  return spans
    .filter(({ kind }) => kind === 'server' || kind === 'consumer')
    .map(
      (span) =>
        `${callerOf(span)} > ${span.service} ${span.kind === 'server' ? span.name : String(span.attributes['eventType'])}`,
    );
}

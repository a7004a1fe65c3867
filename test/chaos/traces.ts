import { until } from '@cobro/testing/until.ts';
import type { SpanLine } from '../../ops/trace/span-lines.ts';
import { orphans, readSpans } from '../e2e/spans.ts';

/** A tenth of all requests is traced, whatever their outcome. */
export const sampling = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' };

/** Spans are sent every five seconds, and an event's delivery may have to be retried. */
const WHOLE_WITHIN_MS = 30_000;

/**
 * What is missing in traces of requests after `since`, when all faults had ended: a span's parent, or, after money moved, an event in
 * reporting. A killed process loses its last spans.
 */
export async function brokenTraces(file: string, since: Date): Promise<string[]> {
  let found: string[] = [];
  const look = () => {
    const traces = [...Map.groupBy(readSpans(file), ({ traceId }) => traceId).values()];
    const looked = traces.filter((trace) => trace.some((span) => isRoot(span) && span.startTime > since.toISOString()));
    found = looked.length === 0 ? ['no request was traced'] : looked.flatMap(brokenAt);
    return found.length === 0;
  };
  await until('the traces are whole', look, WHOLE_WITHIN_MS).catch(() => {});
  return found;
}

const isRoot = ({ service, kind, parentSpanId }: SpanLine) =>
  service === 'gateway' && kind === 'server' && parentSpanId === null;

const MONEY = /^POST \/v1\/(sales|authorizations|captures|voids|refunds)$/;

function brokenAt(trace: SpanLine[]): string[] {
  const root = trace.find(isRoot);
  const name = `${root?.name}, trace ${root?.traceId}`;
  const hasMoved =
    Number(root?.attributes['http.response.status_code']) < 300 &&
    trace.some((span) => span.service === 'bank' && MONEY.test(span.name));
  const hasCome = trace.some(({ service, kind }) => service === 'reporting' && kind === 'consumer');
  return [
    ...orphans(trace).map((span) => `${name}: the parent of ${span.service} ${span.name} is missing`),
    ...(hasMoved && !hasCome ? [`${name}: money has moved, and reporting has got no event`] : []),
  ];
}

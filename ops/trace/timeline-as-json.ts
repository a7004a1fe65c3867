import type { Timeline } from './find-timeline.ts';
import { momentsOf } from './moments.ts';
import { type Micros, startOf } from './spans.ts';

/** The timeline for programs: amounts in centavos, times as ISO 8601, those of spans and moments with microseconds. */
export function timelineAsJson({ asked, records, traces, reads, missing }: Timeline): object {
  const { payments, holds, intents, projections, operations, events } = records;
  return {
    asked,
    ...(plain({ payments, holds, intents, projections, operations, events }) as object),
    moments: momentsOf(records, traces).map(({ at, ...moment }) => ({ at: isoOf(at), ...moment })),
    traces: traces.map((trace) => ({
      traceId: trace.traceId,
      startTime: isoOf(startOf(trace)),
      spans: trace.spans.map(({ start, end, ...span }) => ({ ...span, startTime: isoOf(start), endTime: isoOf(end) })),
    })),
    readsLeftOut: reads,
    missing,
  };
}

/** JSON has no bigint. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? Number(one) : one)));

const isoOf = (at: Micros): string =>
  new Date(Math.floor(at / 1_000)).toISOString().replace('Z', `${String(at % 1_000).padStart(3, '0')}Z`);

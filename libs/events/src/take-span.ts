import type { Envelope } from '@cobro/contracts/events.ts';
import { idsOfEvent } from '@cobro/contracts/span-ids.ts';
import { type Context, context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

const tracer = trace.getTracer('@cobro/events');

/** A delivery from the broker, in the trace of the change that the event is about, or in a trace of its own. */
export interface Taking {
  /** For the work on the event. Postgres sees no recording span in it. */
  trace: Context;
  /** Records the delivery. If neither this nor `failed` is called, as for a copy of an event, nothing is recorded. */
  applied(): void;
  failed(): void;
}

export function beginTaking(headers: Record<string, unknown> | undefined, event: Envelope | undefined): Taking {
  const parent = propagation.extract(context.active(), headers ?? {});
  const span = tracer.startSpan(`take ${event?.type ?? 'message'}`, { kind: SpanKind.CONSUMER }, parent);
  if (event !== undefined && span.isRecording()) span.setAttributes({ ...idsOfEvent(event) });
  return {
    trace: trace.setSpanContext(parent, span.spanContext()),
    applied: () => span.end(),
    failed: () => endFailed(span),
  };
}

function endFailed(span: Span): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

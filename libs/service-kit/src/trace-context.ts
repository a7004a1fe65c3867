import { type TextMapPropagator, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';

/**
 * The context of a trace between processes: `traceparent` alone. A caller's `tracestate`, and its baggage, would go into every
 * table and queue that keeps a trace's context.
 */
export function createTraceContext(): TextMapPropagator {
  const w3c = new W3CTraceContextPropagator();
  return {
    inject: (context, carrier, setter) => w3c.inject(context, carrier, setter),
    extract: (context, carrier, getter) => {
      const extracted = w3c.extract(context, carrier, getter);
      const span = trace.getSpanContext(extracted);
      if (span?.traceState === undefined) return extracted;
      const { traceId, spanId, traceFlags, isRemote } = span;
      return trace.setSpanContext(extracted, { traceId, spanId, traceFlags, ...(isRemote && { isRemote }) });
    },
    fields: () => ['traceparent'],
  };
}

import { createTraceContext } from '@cobro/service-kit/trace-context.ts';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { type SpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

export type EndedSpan = Parameters<SpanProcessor['onEnd']>[0];

/** Makes spans in this process, all of them, and keeps those that have ended. */
export function recordSpans(): { ended: EndedSpan[]; stop: () => Promise<void> } {
  const ended: EndedSpan[] = [];
  const processor: SpanProcessor = {
    onStart: () => {},
    onEnd: (span) => void ended.push(span),
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const provider = new TracerProvider({ spanProcessors: [processor] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(createTraceContext());
  trace.setGlobalTracerProvider(provider);
  return { ended, stop: () => provider.shutdown() };
}

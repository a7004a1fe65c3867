import { type Context, context, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';

const tracer = trace.getTracer('intents');

/** The W3C trace context of the request that made the intent, stored with the intent; empty if no spans are made. */
type StoredTrace = Record<string, string>;

export function currentTrace(): StoredTrace {
  const carrier: StoredTrace = {};
  propagation.inject(context.active(), carrier);
  const { traceparent } = carrier;
  return traceparent === undefined ? {} : { traceparent };
}

/** Marks in the intent's trace that a terminal was shown the intent. */
export function traceShown(stored: StoredTrace): void {
  const parent = contextOf(stored);
  if (parent !== undefined) tracer.startSpan('intent shown', {}, parent).end();
}

/**
 * Does the work in the intent's trace, so that an intent has one timeline from its creation to its outcome, whatever the terminal sends.
 * A link leads to the current request, which is another trace.
 */
export async function inTraceOfIntent<T>(stored: StoredTrace, work: () => Promise<T>): Promise<T> {
  const parent = contextOf(stored);
  const request = trace.getActiveSpan();
  if (parent === undefined || request === undefined) return work();
  const span = tracer.startSpan('intent paid', { links: [{ context: request.spanContext() }] }, parent);
  return context.with(trace.setSpan(parent, span), work).finally(() => span.end());
}

const contextOf = (stored: StoredTrace): Context | undefined =>
  stored['traceparent'] === undefined ? undefined : propagation.extract(ROOT_CONTEXT, stored);

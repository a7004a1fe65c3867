import { context, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';

/** The W3C trace context of the request at work; empty where no spans are made. */
export function currentTrace(): Record<string, string> {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  const { traceparent } = carrier;
  return traceparent === undefined ? {} : { traceparent };
}

/**
 * Marks in the intent's trace that a terminal was shown the intent, and returns the header by which the terminal can go on with
 * that trace: it sends the value back as `traceparent` when it pays.
 */
export function traceShown(carrier: Record<string, string>): Record<string, string> {
  const { traceparent } = carrier;
  if (traceparent === undefined) return {};
  const parent = propagation.extract(ROOT_CONTEXT, carrier);
  trace.getTracer('intents').startSpan('intent shown', {}, parent).end();
  return { traceresponse: traceparent };
}

import { context, propagation } from '@opentelemetry/api';

/** The headers by which a call or a message goes on with the trace of the work at hand. Empty where nothing is traced. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}

import { context, propagation } from '@opentelemetry/api';

/** The headers by which a call or a message continues the current trace. Empty if nothing is traced. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}

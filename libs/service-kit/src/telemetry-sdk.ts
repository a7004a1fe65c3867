import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { envDetector } from '@opentelemetry/resources';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { createTraceContext } from './trace-context.ts';

/**
 * Starts the exporter. All spans are our own: requests (server-span.ts), transactions (libs/postgres/src/spans.ts), calls to the bank
 * (libs/bank/src/operation-span.ts), events that are taken (libs/events/src/take-span.ts) and scripts of Redis (libs/limits/src/redis.ts).
 * An instrumentation wraps every call of a library, which costs more than the span, and finds no library in a packed program (ADR 13).
 */
export function startSdk(): NodeSDK {
  const sdk = new NodeSDK({
    // Sent in batches. At most OTEL_BSP_MAX_QUEUE_SIZE spans, 2,048 by default, wait for a collector; further ones are dropped.
    traceExporter: new OTLPTraceExporter(),
    resourceDetectors: [envDetector],
    // Without it the SDK opens an exporter of logs, to which nobody writes.
    logRecordProcessors: [],
    // Metrics are our own: telemetry-metrics.ts.
    metricReaders: [],
    textMapPropagator: createTraceContext(),
    instrumentations: [],
  });
  sdk.start();
  return sdk;
}

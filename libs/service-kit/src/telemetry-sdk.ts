import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { PinoInstrumentation } from '@opentelemetry/instrumentation-pino';
import { RedisInstrumentation } from '@opentelemetry/instrumentation-redis';
import { envDetector } from '@opentelemetry/resources';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { createTraceContext } from './trace-context.ts';

/**
 * Starts the exporter and the instrumentations of Redis and of log lines. All other spans are our own: requests (server-span.ts),
 * transactions (libs/postgres/src/spans.ts), calls to the bank (libs/bank/src/operation-span.ts) and events that are taken
 * (libs/events/src/take-span.ts). An instrumentation wraps every call of a library, which costs more than the span.
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
    instrumentations: [
      // Only the name of the command, because keys contain addresses and fingerprints of cards.
      new RedisInstrumentation({ requireParentSpan: true, dbStatementSerializer: (command) => command }),
      new PinoInstrumentation({ disableLogSending: true }),
    ],
  });
  sdk.start();
  return sdk;
}

import { typeIn } from '@cobro/contracts/event-routing.ts';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { AmqplibInstrumentation } from '@opentelemetry/instrumentation-amqplib';
import { PinoInstrumentation } from '@opentelemetry/instrumentation-pino';
import { RedisInstrumentation } from '@opentelemetry/instrumentation-redis';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { callAttributes } from './server-span.ts';
import { createTraceContext } from './trace-context.ts';

/**
 * Starts the exporter and the instrumentations of what sends: calls, messages, commands, log lines. Requests that come in have
 * spans of our own (server-span.ts), and so has what is asked of Postgres (libs/postgres/src/spans.ts). Express is not
 * instrumented, because that would cost twice as much as all the rest; `setRoute` names the routes.
 */
export function startSdk(): NodeSDK {
  const sdk = new NodeSDK({
    traceExporter: new OTLPTraceExporter(),
    // Metrics are our own: telemetry-metrics.ts.
    metricReaders: [],
    textMapPropagator: createTraceContext(),
    instrumentations: [
      new UndiciInstrumentation({
        requireParentforSpans: true,
        startSpanHook: ({ path }) => callAttributes(path),
      }),
      // Only the name of the command, because keys contain addresses and fingerprints of cards.
      new RedisInstrumentation({ requireParentSpan: true, dbStatementSerializer: (command) => command }),
      new AmqplibInstrumentation({
        publishHook: (span, { routingKey, options }) =>
          span.setAttributes({ eventId: options?.messageId, eventType: typeIn(routingKey) }),
      }),
      new PinoInstrumentation({ disableLogSending: true }),
    ],
  });
  sdk.start();
  return sdk;
}

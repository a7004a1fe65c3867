import { createRequire } from 'node:module';
import { typeIn } from '@cobro/contracts/event-routing.ts';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { AmqplibInstrumentation } from '@opentelemetry/instrumentation-amqplib';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PinoInstrumentation } from '@opentelemetry/instrumentation-pino';
import { RedisInstrumentation } from '@opentelemetry/instrumentation-redis';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { createTraceContext } from './trace-context.ts';

const quiet = (path: string | undefined) => path !== undefined && /^\/(health|metrics|internal\/clock)/.test(path);

/** Long runs of digits in a URL or a header may be a card number that the caller put there by mistake. */
const masked = (text: string) => text.replaceAll(/\d{12,}/g, '[digits]');

const withoutLongNumbers = (url: string | undefined) => {
  const [path = '', query] = masked(url ?? '').split('?', 2);
  return { 'url.path': path, ...(query === undefined ? {} : { 'url.query': query }) };
};

/**
 * Starts the exporter and the instrumentations. Express is not instrumented, because that would cost twice as much as all the
 * rest; `setRoute` names the routes. What is asked of Postgres has spans of our own: libs/postgres/src/spans.ts.
 */
export function startSdk(): NodeSDK {
  const sdk = new NodeSDK({
    traceExporter: new OTLPTraceExporter(),
    // Metrics are our own: telemetry-metrics.ts.
    metricReaders: [],
    textMapPropagator: createTraceContext(),
    instrumentations: [
      new HttpInstrumentation({
        ignoreIncomingRequestHook: (request) => quiet(request.url),
        startIncomingSpanHook: ({ url, headers }) => ({
          ...withoutLongNumbers(url),
          'user_agent.original': masked(headers['user-agent'] ?? ''),
        }),
      }),
      new UndiciInstrumentation({
        requireParentforSpans: true,
        startSpanHook: ({ origin, path }) => {
          const attributes = withoutLongNumbers(path);
          return { ...attributes, 'url.full': `${origin}${attributes['url.path']}` };
        },
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
  // A module is patched when CommonJS loads it, and a process without Express never loads this one that way.
  createRequire(import.meta.url)('node:http');
  return sdk;
}

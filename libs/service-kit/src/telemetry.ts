/**
 * Preloaded by every process (`node --import @cobro/service-kit/telemetry.ts`). Spans go to OTEL_EXPORTER_OTLP_ENDPOINT;
 * without one no SDK is started. Express is left out on purpose: it costs twice the rest, and `handle` sets the route.
 */
import { createRequire } from 'node:module';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { AmqplibInstrumentation } from '@opentelemetry/instrumentation-amqplib';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { PinoInstrumentation } from '@opentelemetry/instrumentation-pino';
import { RedisInstrumentation } from '@opentelemetry/instrumentation-redis';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { NodeSDK } from '@opentelemetry/sdk-node';

const quiet = (path: string | undefined) => path !== undefined && /^\/(health|internal\/clock)/.test(path);

/** What a caller wrote into a URL or a header is his: it may be a card number. */
const masked = (text: string) => text.replaceAll(/\d{12,}/g, '[digits]');

const withoutLongNumbers = (url: string | undefined) => {
  const [path = '', query] = masked(url ?? '').split('?', 2);
  return { 'url.path': path, ...(query === undefined ? {} : { 'url.query': query }) };
};

function startSdk(): NodeSDK {
  // By default it would also count every statement and call, and send that to the same endpoint.
  process.env['OTEL_METRICS_EXPORTER'] ??= 'none';
  const sdk = new NodeSDK({
    traceExporter: new OTLPTraceExporter(),
    // Without baggage: that of a caller would go into every table and queue that keeps a trace's context.
    textMapPropagator: new W3CTraceContextPropagator(),
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
      new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true }),
      // The name of the command only: keys have addresses and fingerprints of cards in them.
      new RedisInstrumentation({ requireParentSpan: true, dbStatementSerializer: (command) => command }),
      new AmqplibInstrumentation(),
      new PinoInstrumentation({ disableLogSending: true }),
    ],
  });
  sdk.start();
  // Modules are patched as CommonJS loads them, which a process without Express never does with this one.
  createRequire(import.meta.url)('node:http');
  return sdk;
}

const sdk = process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] === undefined ? undefined : startSdk();

/** Sends what is still buffered; a collector that is away does not hold up the exit. */
export async function stopTelemetry(): Promise<void> {
  await Promise.race([sdk?.shutdown().catch(() => {}), new Promise((done) => setTimeout(done, 2_000).unref())]);
}

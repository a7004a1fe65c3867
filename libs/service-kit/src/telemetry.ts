/**
 * Preloaded by every process (`node --import @cobro/service-kit/telemetry.ts`). Spans go to OTEL_EXPORTER_OTLP_ENDPOINT;
 * without one no SDK is started. Express is left out on purpose: it costs twice the rest, and `handle` sets the route.
 */
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { AmqplibInstrumentation } from '@opentelemetry/instrumentation-amqplib';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { PinoInstrumentation } from '@opentelemetry/instrumentation-pino';
import { RedisInstrumentation } from '@opentelemetry/instrumentation-redis';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { NodeSDK } from '@opentelemetry/sdk-node';

const quiet = (path: string | undefined) => path !== undefined && /^\/(health|internal\/clock)/.test(path);

function startSdk(): NodeSDK {
  const sdk = new NodeSDK({
    traceExporter: new OTLPTraceExporter(),
    instrumentations: [
      new HttpInstrumentation({ ignoreIncomingRequestHook: (request) => quiet(request.url) }),
      new UndiciInstrumentation({ requireParentforSpans: true }),
      new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true }),
      new RedisInstrumentation({ requireParentSpan: true }),
      new AmqplibInstrumentation(),
      new PinoInstrumentation({ disableLogSending: true }),
    ],
  });
  sdk.start();
  return sdk;
}

const sdk = process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] === undefined ? undefined : startSdk();

/** Sends what is still buffered; a collector that is away does not hold up the exit. */
export async function stopTelemetry(): Promise<void> {
  await Promise.race([sdk?.shutdown().catch(() => {}), new Promise((done) => setTimeout(done, 2_000).unref())]);
}

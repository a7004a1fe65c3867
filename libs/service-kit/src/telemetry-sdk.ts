import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { getNumberFromEnv } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { type Environment, samplerFromEnv } from './span-sampler.ts';
import { createTraceContext } from './trace-context.ts';

/**
 * Starts the exporter. All spans are our own: requests (server-span.ts), transactions (libs/postgres/src/spans.ts), calls to the bank
 * (libs/bank/src/operation-span.ts), events that are taken (libs/events/src/take-span.ts) and scripts of Redis (libs/limits/src/redis.ts).
 * An instrumentation wraps every call of a library, which costs more than the span, and finds no library in a packed program (ADR 38).
 * OpenTelemetry's own start for Node loads every exporter that exists, gRPC too, and with them a third of its memory.
 */
export function startSdk(env: Environment): TracerProvider {
  const processor = new BatchSpanProcessor({
    exporter: new OTLPTraceExporter(),
    // At most this many spans wait for a collector. Further ones are dropped.
    maxQueueSize: getNumberFromEnv('OTEL_BSP_MAX_QUEUE_SIZE') ?? 2_048,
    scheduledDelayMillis: getNumberFromEnv('OTEL_BSP_SCHEDULE_DELAY') ?? 5_000,
    exportTimeoutMillis: getNumberFromEnv('OTEL_BSP_EXPORT_TIMEOUT') ?? 30_000,
    maxExportBatchSize: getNumberFromEnv('OTEL_BSP_MAX_EXPORT_BATCH_SIZE') ?? 512,
  });
  const provider = new TracerProvider({
    resource: defaultResource().merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerFromEnv(env),
    spanProcessors: [processor],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(createTraceContext());
  trace.setGlobalTracerProvider(provider);
  return provider;
}

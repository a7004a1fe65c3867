import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { metrics } from '@opentelemetry/api';
import { detectResources, envDetector } from '@opentelemetry/resources';
import { type IMetricReader, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';

type Environment = Readonly<Record<string, string | undefined>>;

/** By the names in OTEL_METRICS_EXPORTER. */
const readers: Readonly<Record<string, (env: Environment) => IMetricReader>> = {
  otlp: (env) =>
    new PeriodicExportingMetricReader({
      exporter: new OTLPMetricExporter(),
      exportIntervalMillis: Number(env['OTEL_METRIC_EXPORT_INTERVAL'] ?? 60_000),
    }),
  prometheus: (env) =>
    new PrometheusExporter({
      host: env['OTEL_EXPORTER_PROMETHEUS_HOST'] ?? '127.0.0.1',
      port: Number(env['OTEL_EXPORTER_PROMETHEUS_PORT'] ?? 9464),
      // As in a collector's output when it exports OTLP metrics to Prometheus.
      withResourceConstantLabels: /^service\.name$/,
      withoutScopeInfo: true,
    }),
};

/**
 * Starts measuring what libs/metrics declares, for the named exporters.
 */
export function startMetrics(exporters: readonly string[], env: Environment): MeterProvider {
  const provider = new MeterProvider({
    resource: detectResources({ detectors: [envDetector] }),
    readers: exporters.flatMap((name) => readers[name]?.(env) ?? []),
  });
  metrics.setGlobalMeterProvider(provider);
  return provider;
}

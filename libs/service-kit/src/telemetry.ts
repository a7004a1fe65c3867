/**
 * Every process preloads this file (`node --import @cobro/service-kit/telemetry.ts`). Spans go to OTEL_EXPORTER_OTLP_ENDPOINT, and
 * metrics to what OTEL_METRICS_EXPORTER names: `otlp`, `prometheus`, or both with a comma. Code that is not needed is not loaded,
 * which saves memory and a part of each start.
 */
import './lean-http.ts';

const exporters = (process.env['OTEL_METRICS_EXPORTER'] ?? '')
  .split(',')
  .filter((name) => !['', 'none'].includes(name));
const stops: (() => Promise<void>)[] = [];
/** Whether this process makes spans. */
export const isTraced = Boolean(process.env['OTEL_EXPORTER_OTLP_ENDPOINT']);
if (isTraced) {
  const sdk = (await import('./telemetry-sdk.ts')).startSdk();
  stops.push(() => sdk.shutdown());
}
if (exporters.length > 0) {
  const provider = (await import('./telemetry-metrics.ts')).startMetrics(exporters, process.env);
  stops.push(() => provider.shutdown());
}

/** Sends what is still buffered. A collector that is away does not hold up the exit. */
export async function stopTelemetry(): Promise<void> {
  const all = Promise.all(stops.map((stop) => stop().catch(() => {})));
  await Promise.race([all, new Promise((done) => setTimeout(done, 2_000).unref())]);
}

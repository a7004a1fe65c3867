/**
 * Every process preloads this file (`node --import @cobro/service-kit/telemetry.ts`). Spans go to OTEL_EXPORTER_OTLP_ENDPOINT.
 * Without that variable, or where it is empty, the SDK is not even loaded, which saves memory and a part of each start.
 */
const sdk = process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] ? await startSdk() : undefined;

async function startSdk() {
  // By default the SDK would also count every statement and call, and send the counts to the same endpoint.
  process.env['OTEL_METRICS_EXPORTER'] ??= 'none';
  const { startSdk: start } = await import('./telemetry-sdk.ts');
  return start();
}

/** Sends the spans that are still buffered. A collector that is away does not hold up the exit. */
export async function stopTelemetry(): Promise<void> {
  await Promise.race([sdk?.shutdown().catch(() => {}), new Promise((done) => setTimeout(done, 2_000).unref())]);
}

import { metrics } from '@opentelemetry/api';

/** A gauge that is read whenever metrics are. It has no value where `read` says nothing or fails. */
export function measure(
  gauge: { name: string; description: string; unit?: string },
  read: () => Promise<number | undefined>,
): void {
  const { name, ...options } = gauge;
  metrics
    .getMeter('@cobro/service-kit')
    .createObservableGauge(name, options)
    .addCallback(async (result) => {
      const value = await read().catch(() => undefined);
      if (value !== undefined) result.observe(value);
    });
}

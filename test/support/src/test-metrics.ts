import { metrics } from '@opentelemetry/api';
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import { until } from './until.ts';

/** What a metric shows now: the value of a counter or gauge, or the number of durations of a histogram. */
export interface Measured {
  value: number;
  attributes: object;
}

class Reader extends MetricReader {
  protected override onForceFlush = () => Promise.resolve();
  protected override onShutdown = () => Promise.resolve();
}

/** Collects metrics from now on until `stop`. `read` returns what one shows now. */
export function openTestMetrics() {
  const reader = new Reader();
  const provider = new MeterProvider({ readers: [reader] });
  metrics.disable();
  metrics.setGlobalMeterProvider(provider);
  const read = async (name: string): Promise<Measured[]> => {
    const { resourceMetrics } = await reader.collect();
    const found = resourceMetrics.scopeMetrics
      .flatMap((scope) => scope.metrics)
      .find(({ descriptor }) => descriptor.name === name);
    return (found?.dataPoints ?? []).map(({ value, attributes }) => ({
      value: typeof value === 'number' ? value : (value as { count: number }).count,
      attributes,
    }));
  };
  return {
    read,
    /** Like `read`, but waits for a gauge's value: a reading leaves out a gauge that takes longer than half a second. */
    readPatiently: async (name: string): Promise<Measured[]> => {
      let found: Measured[] = [];
      await until(`${name} is measured`, async () => (found = await read(name)).length > 0);
      return found;
    },
    stop: async () => {
      metrics.disable();
      await provider.shutdown();
    },
  };
}

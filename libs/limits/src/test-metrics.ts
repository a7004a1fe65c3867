import { metrics, type MeterProvider } from '@opentelemetry/api';

/** For tests: what is counted from now on, as `name attributes` for each 1 that was added. */
export function listenToMetrics(): string[] {
  const counted: string[] = [];
  const counter = (name: string) => ({
    add: (by: number, attributes: object) => {
      for (let i = 0; i < by; i++) counted.push(`${name} ${Object.values(attributes).join(' ')}`);
    },
  });
  const provider = { getMeter: () => ({ createCounter: counter }) };
  metrics.disable();
  metrics.setGlobalMeterProvider(provider as unknown as MeterProvider);
  return counted;
}

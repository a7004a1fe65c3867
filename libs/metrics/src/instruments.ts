import { within } from '@cobro/async/time-limit.ts';
import { metrics } from '@opentelemetry/api';
import { type AttributesOf, catalogue, type MetricName } from './catalogue.ts';
import type { Metric } from './metric.ts';

// Without a provider of metrics (telemetry.ts) all of this counts nothing and reads nothing.
const meter = () => metrics.getMeter('@cobro/metrics');

/** In seconds, from an answer out of memory to a call that the bank never answered. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Longer than a healthy look takes. A server that hangs must not hold up the other metrics. */
const READ_WITHIN_MS = 500;

const optionsOf = (name: keyof typeof catalogue) => {
  const { means: description, unit }: Metric = catalogue[name];
  return { description, ...(unit !== undefined && { unit }) };
};

export function counter<Name extends MetricName<'counter'>>(name: Name): (attributes: AttributesOf<Name>) => void {
  const counting = meter().createCounter(name, optionsOf(name));
  return (attributes) => counting.add(1, attributes);
}

export function histogram<Name extends MetricName<'histogram'>>(
  name: Name,
): (seconds: number, attributes: AttributesOf<Name>) => void {
  const advice = { explicitBucketBoundaries: BUCKETS };
  const counting = meter().createHistogram(name, { ...optionsOf(name), advice });
  return (seconds, attributes) => counting.record(seconds, attributes);
}

/** One value of a gauge. */
export type Reading<Name extends MetricName<'gauge'>> = AttributesOf<Name> & { value: number };

/**
 * A gauge that is read whenever metrics are. It has no value if `read` has none, fails, or takes longer than half a second.
 * Returns a function that ends it.
 */
export function gauge<Name extends MetricName<'gauge'>>(
  name: Name,
  read: () => readonly Reading<Name>[] | Promise<readonly Reading<Name>[]>,
): () => void {
  const observed = meter().createObservableGauge(name, optionsOf(name));
  const look: Parameters<typeof observed.addCallback>[0] = async (result) => {
    const readings = await within(READ_WITHIN_MS, Promise.resolve().then(read)).catch(() => []);
    for (const { value, ...attributes } of readings) result.observe(value, attributes);
  };
  observed.addCallback(look);
  return () => observed.removeCallback(look);
}

/** A gauge of one value without attributes. */
export const gaugeOf = (name: MetricName<'gauge'>, read: () => Promise<number | undefined>): (() => void) =>
  gauge(name, async () => {
    const value = await read();
    return value === undefined ? [] : [{ value }];
  });

/** Reads at most once in `ms` milliseconds, and in between returns the last value. For reads that cost more. */
export function atMostEvery<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let last: { at: number; value: Promise<T> } | undefined;
  return () => {
    if (last === undefined || performance.now() - last.at >= ms) {
      const value = read();
      last = { at: performance.now(), value };
      value.catch(() => (last = undefined));
    }
    return last.value;
  };
}

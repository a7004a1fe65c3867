import { catalogue, prometheusName } from '@cobro/metrics/catalogue.ts';
import type { Metric } from '@cobro/metrics/metric.ts';

const metrics = new Map(
  Object.entries(catalogue).map(([name, metric]) => [prometheusName(name, metric), metric as Metric] as const),
);

/** Compares what processes export with the catalogue. */
export function openScraped() {
  const reported = new Set<string>();
  const wrong = new Set<string>();
  const check = (line: string) => {
    const [, series = '', labels = ''] = /^([a-z_]+)(?:\{(.*)\})? /.exec(line) ?? [];
    if (series === 'target_info') return;
    const name = metrics.has(series) ? series : series.replace(/_(?:bucket|count|sum)$/, '');
    const metric = metrics.get(name);
    if (metric === undefined) return void wrong.add(`${series} is not in the catalogue`);
    reported.add(name);
    const given = new Map(
      [...labels.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', of = '']) => [key, of]),
    );
    for (const own of ['service_name', 'le']) given.delete(own);
    if ([...given.keys()].toSorted().join() !== Object.keys(metric.attributes).toSorted().join())
      wrong.add(`${name} has the attributes ${[...given.keys()].join(', ')}`);
    for (const [key, value] of given) {
      const values = metric.attributes[key];
      if (Array.isArray(values) && !values.includes(value)) wrong.add(`${name} has ${key}="${value}"`);
      if (/[0-9a-f]{8}-|\d{6}/.test(value)) wrong.add(`${name} has ${key}="${value}", perhaps an id`);
    }
  };
  return {
    /** Reads what a process exports now. */
    read: async (port: number) => {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
      for (const line of (await answer.text()).split('\n')) if (line !== '' && !line.startsWith('#')) check(line);
    },
    /** What contradicts the catalogue, and metrics of it that no process exported. */
    problems: () => [
      ...wrong,
      ...[...metrics.keys()].filter((name) => !reported.has(name)).map((name) => `nobody reported ${name}`),
    ],
  };
}

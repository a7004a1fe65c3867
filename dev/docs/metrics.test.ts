import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { refusals } from '@cobro/contracts/refusals.ts';
import { catalogue, prometheusName } from '@cobro/metrics/catalogue.ts';
import type { Metric } from '@cobro/metrics/metric.ts';
import { describe, expect, test } from '@jest/globals';
import { adminTables } from '../../ops/admin-tables.ts';
import { alerts, panels } from './alert-rules.ts';
import { namesIn } from './metrics-page.ts';

const root = path.join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const sources = globSync(['{libs,services,acquirers}/*/src/**/*.ts'], { cwd: root }).filter(
  (file) => !file.endsWith('.test.ts') && !file.startsWith('libs/metrics/'),
);
const metrics = Object.entries(catalogue) as [name: string, metric: Metric][];
/** Every metric by the names of its series. */
const series = new Map(
  metrics.flatMap(([name, metric]) => {
    const known = prometheusName(name, metric);
    const suffixes = metric.kind === 'histogram' ? ['_bucket', '_count', '_sum'] : [''];
    return suffixes.map((suffix) => [`${known}${suffix}`, metric] as const);
  }),
);
const looks = [
  ...alerts().map(({ alert, expr }) => ({ by: alert, expr })),
  ...panels().map(({ title, expr }) => ({ by: title, expr })),
];
/** Metrics of the cluster, which other programs export. */
const ofOthers = /^(?:kube|container)_/;

describe('a metric', () => {
  test('is counted somewhere if it is declared', () => {
    const all = sources.map(read).join('\n');
    expect(metrics.map(([name]) => name).filter((name) => !all.includes(`'${name}'`))).toEqual([]);
  });

  test('is counted by what the catalogue makes, and by nothing else', () => {
    const own = /\.create(?:Observable)?(?:Counter|Gauge|Histogram|UpDownCounter)\(/;
    expect(sources.filter((file) => own.test(read(file)))).toEqual([]);
  });

  test('has its unit at the end of its name, so that a collector adds none', () => {
    expect(metrics.filter(([name, { unit }]) => name.endsWith('.seconds') !== (unit === 's'))).toEqual([]);
    expect(metrics.filter(([name]) => !/^cobro\.[a-z_]+(?:\.[a-z_]+)*$/.test(name))).toEqual([]);
  });
});

describe('an alert or a panel', () => {
  test.each(looks)('$by names only series that are counted, with attributes and values that they have', ({ expr }) => {
    for (const [, name = '', selector = ''] of expr.matchAll(/([a-z_]+)\{([^}]*)\}/g)) {
      if (ofOthers.test(name)) continue;
      const metric = series.get(name);
      expect({ name, isCounted: metric !== undefined }).toEqual({ name, isCounted: true });
      for (const [, label = '', operator, text = ''] of selector.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)) {
        if (['namespace', 'service_name', 'le'].includes(label)) continue;
        const values = metric?.attributes[label];
        expect({ name, label, isThere: values !== undefined }).toEqual({ name, label, isThere: true });
        if (typeof values === 'string' || values === undefined) continue;
        const named = operator?.includes('~') ? text.split('|') : [text];
        expect(named.filter((value) => !values.includes(value))).toEqual([]);
      }
    }
  });

  test.each(looks)('$by can be bound to one release', ({ expr }) => {
    const names = namesIn(expr);
    expect(names.length).toBeGreaterThan(0);
    // A name without braces is not found above.
    for (const [name] of expr.matchAll(/\b(?:cobro|kube|container)_[a-z_]+\b(?!\{)/g)) expect(name).toBe('in braces');
    expect(expr.match(/[a-z_]+\{/g)?.length).toBe(expr.match(/[a-z_]+\{namespace=~"\.\*"/g)?.length);
  });

  test.each(alerts())('$alert has a page that names it', ({ alert, annotations }) => {
    expect(annotations.runbook_url).toMatch(/^docs\/runbooks\/[a-z-]+\.md$/);
    expect(existsSync(path.join(root, annotations.runbook_url))).toBe(true);
    expect(read(annotations.runbook_url)).toContain(`\`${alert}\``);
  });
});

test('CobroRequestsFail counts every refusal that is our fault', () => {
  const notOurs = ['BANK_UNAVAILABLE', 'NOT_IMPLEMENTED'];
  const ours = Object.entries(refusals).filter(([code, [status]]) => status >= 500 && !notOurs.includes(code));
  const expr = alerts().find(({ alert }) => alert === 'CobroRequestsFail')?.expr ?? '';
  const counted = [...expr.matchAll(/code=~"([^"]*)"/g)].map(([, codes = '']) => codes.split('|').toSorted());
  expect(counted.length).toBeGreaterThan(0);
  for (const codes of counted) expect(codes).toEqual(ours.map(([code]) => code).toSorted());
});

test('a metric that a page names is counted', () => {
  const known = new Set<string>([
    ...metrics.flatMap(([name, of]) => [name, prometheusName(name, of)]),
    ...series.keys(),
  ]);
  const areas = [...new Set(metrics.map(([name]) => name.split('.')[1]))].join('|');
  // The client's functions are called like areas: `cobro.subscriptions.create(…)`.
  const isMetric = new RegExp(`\\bcobro([._])(?:${areas})(?:\\1[a-z_]+)*\\b(?![.(])`, 'g');
  for (const file of [...globSync('docs/**/*.md', { cwd: root }), 'README.md', 'ARCHITECTURE.md']) {
    const unknown = [...read(file).matchAll(isMetric)].map(([name]) => name).filter((name) => !known.has(name));
    expect({ file, unknown }).toEqual({ file, unknown: [] });
  }
});

test('each command of an operator that a runbook gives is there, with its options', () => {
  const commands = adminTables.flatMap((table) => table.commands);
  for (const file of globSync('docs/runbooks/*.md', { cwd: root })) {
    for (const [, line = ''] of read(file).matchAll(/^\s*npm run admin -- (.*)$/gm)) {
      const command = commands.find(({ words }) => line === words || line.startsWith(`${words} `));
      expect({ file, line, isThere: command !== undefined }).toEqual({ file, line, isThere: true });
      const options = [...line.matchAll(/--([a-z-]+)/g)].map(([, option = '']) => option);
      const known = Object.keys(command?.options.shape ?? {});
      expect(options.filter((option) => option !== 'json' && !known.includes(option))).toEqual([]);
    }
  }
});

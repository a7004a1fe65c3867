import { catalogue, prometheusName } from '@cobro/metrics/catalogue.ts';
import type { Metric } from '@cobro/metrics/metric.ts';
import { alerts, panels } from './alert-rules.ts';
import { code, page, table } from './markdown.ts';

const entries = Object.entries(catalogue) as [name: string, metric: Metric][];

/** Every metric, and every alert with what it looks at. */
export function metricsPage(): string {
  return page(
    'Metrics and alerts',
    'From `libs/metrics/src/catalogue.ts` and `deploy/helm/cobro/files/alerts.yaml`. [How to have them](../metrics.md). ' +
      'Prometheus knows each metric by the second name, a histogram by that name with `_bucket`, `_count` and `_sum`, and each series ' +
      'also has `service_name`. No attribute is an organization, an id or anything of a card.',
    '## Metrics',
    table(
      ['metric', 'for Prometheus', 'kind', 'unit', 'attributes', 'meaning', 'who counts it'],
      entries.map(([name, metric]) => [
        code(name),
        code(prometheusName(name, metric)),
        metric.kind,
        metric.unit ?? '',
        attributesOf(metric),
        metric.means,
        metric.by,
      ]),
    ),
    '## Alerts',
    table(
      ['alert', 'severity', 'for', 'looks at', 'what to do'],
      alerts().map(({ alert, expr, for: lasting = 'at once', labels, annotations }) => [
        code(alert),
        labels.severity,
        lasting,
        namesIn(expr).map(code).join(', '),
        `[${pageOf(annotations.runbook_url)}](../runbooks/${pageOf(annotations.runbook_url)}.md)`,
      ]),
    ),
    '## Dashboard',
    table(
      ['panel', 'looks at'],
      panels().map(({ title, expr }) => [title, namesIn(expr).map(code).join(', ')]),
    ),
  );
}

const attributesOf = ({ attributes }: Metric) =>
  Object.entries(attributes)
    .map(([name, values]) => `${code(name)}: ${typeof values === 'string' ? values : values.map(code).join(', ')}`)
    .join('; ');

/** The names of the series that an expression reads. */
export const namesIn = (expr: string): string[] => [
  ...new Set([...expr.matchAll(/([a-z_]+)\{/g)].map(([, name = '']) => name)),
];

const pageOf = (url: string) => url.replace(/^.*\//, '').replace(/\.md$/, '');

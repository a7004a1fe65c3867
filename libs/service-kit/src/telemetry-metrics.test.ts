import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { freePort } from '@cobro/testing/free-port.ts';
import { catalogue, prometheusName } from '@cobro/metrics/catalogue.ts';
import { counter, gaugeOf, histogram } from '@cobro/metrics/instruments.ts';
import { listening } from '@cobro/testing/listening.ts';
import { afterEach, expect, test } from '@jest/globals';
import { metrics } from '@opentelemetry/api';
import type { MeterProvider } from '@opentelemetry/sdk-metrics';
import { startMetrics } from './telemetry-metrics.ts';

let provider: MeterProvider;
let port: number;
const before = { ...process.env };

async function start() {
  port = await freePort();
  process.env['OTEL_SERVICE_NAME'] = 'holds';
  provider = startMetrics(['prometheus'], { OTEL_EXPORTER_PROMETHEUS_PORT: String(port) });
}
afterEach(async () => {
  metrics.disable();
  await provider.shutdown();
  process.env = before;
});

const scraped = async () => (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).split('\n');

test('Prometheus reads counters, durations and gauges by the names of the catalogue, each with the name of the service', async () => {
  await start();
  counter('cobro.limits.attempts_refused')({ at: 'link', limit: 'card' });
  histogram('cobro.bank.duration.seconds')(0.03, { acquirer: 'default', call: 'sale', outcome: 'approved' });
  gaugeOf('cobro.operations.unknown', async () => 3);
  const lines = await scraped();
  const nameOf = (name: keyof typeof catalogue) => prometheusName(name, catalogue[name]);
  expect(lines).toContain(`${nameOf('cobro.limits.attempts_refused')}{at="link",limit="card",service_name="holds"} 1`);
  expect(lines).toContain(`${nameOf('cobro.operations.unknown')}{service_name="holds"} 3`);
  const sale = 'acquirer="default",call="sale",outcome="approved",service_name="holds"';
  expect(lines).toContain(`${nameOf('cobro.bank.duration.seconds')}_count{${sale}} 1`);
  expect(lines).toContain(`${nameOf('cobro.bank.duration.seconds')}_bucket{${sale},le="0.05"} 1`);
  expect(lines).toContain(`${nameOf('cobro.bank.duration.seconds')}_bucket{${sale},le="0.025"} 0`);
});

test('a collector gets the same by OTLP, with the name of the service as its resource', async () => {
  const got: { path: string | undefined; body: string }[] = [];
  const collector = await listening(
    createServer((req, res) => {
      void text(req).then((body) => got.push({ path: req.url, body }));
      res.end('{}');
    }),
  );
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = collector.url;
  process.env['OTEL_SERVICE_NAME'] = 'holds';
  provider = startMetrics(['otlp'], {});
  counter('cobro.limits.attempts_refused')({ at: 'link', limit: 'link' });
  // Sends what was counted, like a process that ends.
  await provider.shutdown();
  await collector.close();
  expect(got.map(({ path }) => path)).toEqual(['/v1/metrics']);
  for (const word of ['"cobro.limits.attempts_refused"', '"link"', '"service.name"', '"holds"'])
    expect(got[0]?.body).toContain(word);
});

test('a gauge whose look hangs or fails has no value, and holds up no other metric', async () => {
  await start();
  gaugeOf('cobro.operations.open', () => new Promise(() => {}));
  gaugeOf('cobro.operations.unknown', () => Promise.reject(new Error('the database is away')));
  gaugeOf('cobro.holds.due', async () => 7);
  const values = (await scraped()).filter((line) => line.startsWith('cobro_'));
  expect(values).toEqual(['cobro_holds_due{service_name="holds"} 7']);
});

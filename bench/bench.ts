/**
 * `npm run bench [-- --seconds 8 --runs 3 --concurrency 16 --scenarios pair]`: what a charge and a pair of authorize and capture cost
 * through the gateway. A `pair` captures about a second later, a `pairAtOnce` at once. Ratios within one run hold; rates depend on the
 * machine. `--telemetry off,metrics,on`: nothing, metrics that are read every five seconds, spans. `--acquirers bank,stripe`: the
 * simulator, and the Stripe adapter before localstripe, which needs Python. All stacks that are compared are up at the same time, and run
 * in turn. `--warm-up N`: operations of each kind before. `--endpoints 1`: runs each scenario twice more, for merchants with this number of
 * endpoints for their events, and while webhooks is stopped.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@cobro/client/client.ts';
import { serviceNames } from '../services/definitions.ts';
import { openRun, type Run } from '../dev/stack/run.ts';
import { type Stack, startStack } from '../dev/stack/stack.ts';
import { stopOnSignals } from '../dev/stack/stop-on-signals.ts';
import { forkDriver, optionsOf, runBench, say } from './bench-program.ts';
import type { Acquirer, Figures, Telemetry } from './figures.ts';
import type { Scenario } from './driver.ts';
import { type Measuring, measuring, WARM_UP, warmUp } from './measure.ts';
import { memoryOf } from './memory.ts';
import { makeMerchants } from './merchants.ts';
import { openReceiver } from './endpoints.ts';
import type { Merchant } from './payment-requests.ts';
import { printTable } from './print-table.ts';
import { untilQuiet } from './quiet.ts';
import { exportedMetrics } from './exported-metrics.ts';

/** After this time ready, a process has the memory that it needs at rest. */
const AT_REST_AFTER_MS = 5_000;

const options = optionsOf({
  seconds: 8,
  runs: 3,
  concurrency: 16,
  telemetry: 'off,on',
  scenarios: 'charge,pair,pairAtOnce',
  acquirers: 'bank',
  'warm-up': WARM_UP,
  endpoints: 0,
});
const { seconds, runs, concurrency } = options;

const openedRuns: Run[] = [];

async function bench(): Promise<void> {
  stopOnSignals({ stop: async () => void (await Promise.all(openedRuns.map((run) => run.stop()))) }, say);
  const figures: Figures[] = [];
  const opened: Opened[] = [];
  try {
    for (const acquirer of options.acquirers.split(',') as Acquirer[]) {
      for (const telemetry of options.telemetry.split(',') as Telemetry[])
        opened.push(await openBench(telemetry, acquirer));
    }
    for (const scenario of options.scenarios.split(',') as Scenario[]) {
      say(`${scenario}, ${runs} runs of ${seconds} s`);
      const all = opened.flatMap((one) => one.measure(scenario));
      for (let run = 0; run < runs; run++) {
        // There and back, so that a change on the machine meets all of them.
        for (const one of run % 2 === 0 ? all : all.toReversed()) await one.run();
      }
      for (const one of all) figures.push(await one.figures());
    }
  } finally {
    for (const one of opened) await one.close();
  }
  printTable(figures);
}

/** Operations of each kind. */
const WARM_UP_WEBHOOKS = 500;
const READ_METRICS_EVERY_MS = 5_000;

/** A warm stack. All that are compared are up at the same time, and run in turn. */
interface Opened {
  measure(scenario: Scenario): Measuring[];
  close(): Promise<void>;
}

async function openBench(telemetry: Telemetry, acquirer: Acquirer): Promise<Opened> {
  const run = openRun();
  openedRuns.push(run);
  const exported = telemetry === 'metrics' ? await exportedMetrics() : undefined;
  const given = { LOG_LEVEL: 'info' };
  const services = serviceNames.map((name) => [name, { ...given, ...exported?.env[name] }]);
  const env = { ...Object.fromEntries(services), bank: given };
  const stack = await startStack({
    run,
    say,
    telemetry: telemetry === 'on',
    env,
    ...(acquirer === 'stripe' && { acquirer }),
  });
  const readMetrics = async () => {
    for (const port of Object.values(exported?.ports ?? {}))
      await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  };
  const reading = setInterval(() => void readMetrics().catch(() => {}), READ_METRICS_EVERY_MS);
  const driver = forkDriver();
  const close = async () => {
    clearInterval(reading);
    driver.disconnect();
    await stack.stop();
  };
  try {
    await sleep(AT_REST_AFTER_MS);
    const atStart = memoryOf(stack.processes.pids());
    const { baseUrl } = stack;
    const merchants = await makeMerchants(stack, concurrency, say);
    const others = await merchantsWithEndpoints(stack, options.endpoints);
    say(`warming up (${acquirer}, telemetry ${telemetry})`);
    await warmUp(driver, { baseUrl, merchants }, options['warm-up']);
    return {
      measure: (scenario) => {
        const measured = (what: string, whose: Merchant[]) =>
          measuring(
            stack,
            driver,
            { baseUrl, merchants: whose, scenario, seconds },
            { telemetry, acquirer, atStart, what },
          );
        if (others === undefined) return [measured('', merchants)];
        const backIn = () => warmUp(driver, { baseUrl, merchants }, WARM_UP_WEBHOOKS);
        const stopped = withoutWebhooks(stack, measured(', webhooks stopped', merchants), backIn);
        return [measured('', merchants), measured(`, ${options.endpoints} endpoints`, others), stopped];
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** As many merchants again, with endpoints. Undefined if none are wanted. */
async function merchantsWithEndpoints(stack: Stack, count: number): Promise<Merchant[] | undefined> {
  if (count === 0) return undefined;
  const { url } = await openReceiver(() => true);
  const merchants = await makeMerchants(stack, concurrency, say);
  for (const { apiKey } of merchants) {
    const { webhookEndpoints } = createClient({ baseUrl: stack.baseUrl, apiKey });
    for (let n = 0; n < count; n++)
      await webhookEndpoints.create({ url: `${url}/${n}`, types: ['payment.*', 'hold.*'] });
  }
  return merchants;
}

/** Afterwards webhooks gets the events that wait, and is warmed up, so that the next run does not pay for either. */
const withoutWebhooks = (stack: Stack, measured: Measuring, warmUpAgain: () => Promise<void>): Measuring => ({
  ...measured,
  run: async () => {
    await stack.processes.stop('webhooks');
    await measured.run();
    await stack.processes.start('webhooks');
    await warmUpAgain();
    await untilQuiet(stack);
  },
});

await runBench(bench);

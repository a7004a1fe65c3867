/**
 * `npm run bench:growth [-- --seconds 5 --runs 3 --payments 10000,1000000]`: how the cost of a pair of authorize and capture grows with
 * one factor at a time: how many merchants ask at once, how long the bank takes, how many replicas of payments and holds there are,
 * how many payments there have been. Prints a table as Markdown. Ratios within one factor hold; rates depend on the machine.
 */
import type { ChildProcess } from 'node:child_process';
import { parseArgs } from 'node:util';
import { seedHistory } from '../../tools/seed/seed-history.ts';
import { tellFailure } from '../../tools/stack/servers/server.ts';
import type { Stack } from '../../tools/stack/stack.ts';
import { startBalanced } from './balanced-stack.ts';
import { type Figures, showSpread } from './figures.ts';
import { forkDriver, measure, warmUp } from './measure.ts';
import { makeMerchants } from './merchants.ts';
import { putJson } from './put-json.ts';
import type { Merchant } from './payment-requests.ts';

const say = (line: string) => void process.stderr.write(`${line}\n`);
const print = (line: string) => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    runs: { type: 'string', default: '3' },
    payments: { type: 'string', default: '10000,1000000' },
  },
});
const [seconds, runs] = [Number(values.seconds), Number(values.runs)];
const sizes = values.payments.split(',').map(Number);

const AT_ONCE = [1, 4, 16, 64, 256];
const BANK_MS = [0, 20, 200];
const REPLICAS = [1, 2];
/** Where another factor grows. */
const MERCHANTS = 16;

interface Grown {
  factor: string;
  figures: Figures;
}

/** A stack that is warm, and whom to charge there. */
interface Warm {
  stack: Stack;
  driver: ChildProcess;
  merchants: Merchant[];
}

async function bench(): Promise<void> {
  const grown = [...(await withOneStack()), ...(await withReplicas()), ...(await withHistories())];
  print(
    '| pairs | per second | latency p50 / p99, ms | CPU ms: ours | payments | holds | Postgres | RabbitMQ | failed |',
  );
  print('|---|---:|---:|---:|---:|---:|---:|---:|---:|');
  for (const { factor, figures } of grown) {
    const { perSecond, latency, cpu, failed } = figures;
    const used = ['ours', 'payments', 'holds', 'postgres', 'rabbitmq'].map(
      (name) => cpu[name]?.median.toFixed(2) ?? '',
    );
    const latencies = `${latency.p50.toFixed(1)} / ${latency.p99.toFixed(1)}`;
    print(`| ${factor} | ${showSpread(perSecond)} | ${latencies} | ${used.join(' | ')} | ${failed} |`);
  }
}

async function withOneStack(): Promise<Grown[]> {
  const warm = await openWarm(1, Math.max(...AT_ONCE));
  try {
    const grown: Grown[] = [];
    for (const count of AT_ONCE) grown.push(await pairs(`${count} merchants at once`, warm, count));
    for (const slowMs of BANK_MS) {
      await slowBank(warm.stack, slowMs);
      grown.push(await pairs(`a bank that takes ${slowMs} ms`, warm));
    }
    return grown;
  } finally {
    await close(warm);
  }
}

async function withReplicas(): Promise<Grown[]> {
  const grown: Grown[] = [];
  for (const replicas of REPLICAS) {
    const warm = await openWarm(replicas, MERCHANTS);
    try {
      grown.push(await pairs(`${replicas} of payments and of holds`, warm));
    } finally {
      await close(warm);
    }
  }
  return grown;
}

/** All sizes stand side by side, and their runs come in turn, so that a slow moment of the machine meets all of them. */
async function withHistories(): Promise<Grown[]> {
  const full: Warm[] = [];
  try {
    for (const payments of sizes) full.push(await openWarm(1, MERCHANTS, payments));
    const turns: Figures[][] = sizes.map(() => []);
    for (let turn = 0; turn < runs; turn++) {
      for (const [i, warm] of full.entries()) turns[i]?.push((await pairs('', warm, MERCHANTS, 1)).figures);
    }
    return sizes.map((payments, i) => {
      const figures = medianOf(turns[i] ?? []);
      return { factor: `${payments.toLocaleString('en')} payments before`, figures };
    });
  } finally {
    for (const warm of full) await close(warm);
  }
}

/** The run in the middle by its CPU, with the spread of all. */
function medianOf(turns: Figures[]): Figures {
  const cpuOf = ({ cpu }: Figures) => cpu['ours']?.median ?? 0;
  const inOrder = turns.toSorted((a, b) => cpuOf(a) - cpuOf(b));
  const middle = inOrder[Math.floor(inOrder.length / 2)] as Figures;
  const rates = turns.map(({ perSecond }) => perSecond.median);
  const failed = turns.reduce((sum, one) => sum + one.failed, 0);
  const perSecond = { ...middle.perSecond, lowest: Math.min(...rates), highest: Math.max(...rates) };
  return { ...middle, perSecond, failed };
}

async function openWarm(replicas: number, count: number, payments = 0): Promise<Warm> {
  const stack = await startBalanced({ balanced: ['payments', 'holds'], replicas, say });
  if (payments > 0) await seedHistory({ ...stack, apiKey: stack.merchants.apiKey }, payments, say);
  const driver = forkDriver();
  const merchants = await makeMerchants(stack, count, say);
  say('warming up');
  await warmUp(driver, { baseUrl: stack.baseUrl, merchants: merchants.slice(0, MERCHANTS) });
  return { stack, driver, merchants };
}

async function pairs(factor: string, warm: Warm, count = MERCHANTS, times = runs): Promise<Grown> {
  const { stack, driver, merchants } = warm;
  say(factor);
  const order = { scenario: 'pair', baseUrl: stack.baseUrl, merchants: merchants.slice(0, count), seconds } as const;
  return { factor, figures: await measure(stack, driver, order, { telemetry: 'off', atStart: {}, runs: times, say }) };
}

async function slowBank({ bankUrl }: Stack, slowMs: number): Promise<void> {
  const kinds = ['authorize', 'capture'];
  await putJson(`${bankUrl}/faults`, slowMs === 0 ? {} : { kinds, slowMs, rates: { slow: 1 } });
}

async function close({ stack, driver }: Warm): Promise<void> {
  driver.disconnect();
  await stack.stop();
}

await bench().catch((error: unknown) => process.exit(tellFailure(say)(error)));
process.exit();

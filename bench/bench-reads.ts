/**
 * `npm run bench -- reads [--payments 10000,1000000 --rounds 60 --writes 5]`: starts a stack with a seeded history for each size, side by
 * side; requests in turn every list, filter, pair of filters and detail, and prints p50 and p99 as Markdown. `--writes 5` adds five runs of
 * authorize and capture.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@cobro/postgres/with-client.ts';
import { Pool } from 'undici';
import { seedHistory } from '../dev/seed/seed-history.ts';
import type { Stack } from '../dev/stack/stack.ts';
import { optionsOf, print, runBench, say, startQuietStack } from './bench-program.ts';
import { percentile, tableOf } from './figures.ts';
import { type ReadCase, readCases } from './read-cases.ts';
import { measureWrites } from './measure-writes.ts';
import { printGrown } from './print-grown.ts';
import { readingKeys } from './reading-keys.ts';
import { sizesOf } from './table-sizes.ts';

interface Measured {
  payments: number;
  /** Milliseconds from sending to the whole answer, by the name of the case. */
  latencies: Map<string, number[]>;
  failed: string[];
}

interface FullStack {
  payments: number;
  stack: Stack;
  cases: ReadCase[];
  failed: string[];
  ask: Ask;
}

type Ask = (one: ReadCase, path: string) => Promise<number>;

const options = optionsOf({ payments: '2000,20000', rounds: 60, writes: 0 });
const sizes = options.payments.split(',').map(Number);
const { rounds, writes } = options;

/** The first rounds compile code, connect and make plans. */
const WARM_UP = 5;

async function bench(): Promise<void> {
  const full: FullStack[] = [];
  try {
    for (const payments of sizes) full.push(await fillStack(payments));
    say(`${full[0]?.cases.length} cases, ${rounds} rounds`);
    const all = await measure(full);
    printFigures(all);
    for (const one of full) await printSizes(one);
    if (writes > 0) {
      print('');
      printGrown(await measureWrites(full, writes));
    }
  } finally {
    for (const { stack } of full) await stack.stop();
  }
}

async function fillStack(payments: number): Promise<FullStack> {
  const stack = await startQuietStack();
  await seedHistory({ ...stack, apiKey: stack.merchants.apiKey }, payments, say);
  const cases = await withClient({ connectionString: stack.databaseUrl }, (client) =>
    readCases(client, stack.merchants.organizationId),
  );
  const failed: string[] = [];
  return { payments, stack, cases, failed, ask: asking(stack, failed) };
}

function asking({ baseUrl, partnerBaseUrl, databaseUrl, merchants }: Stack, failed: string[]): Ask {
  const keys = readingKeys(databaseUrl, merchants.organizationId);
  const pools = { merchant: new Pool(new URL(baseUrl).origin), partner: new Pool(new URL(partnerBaseUrl).origin) };
  return async ({ caller }, path) => {
    const key = caller === 'merchant' ? await keys.next() : merchants.partnerApiKey;
    const began = performance.now();
    const { statusCode, body } = await pools[caller].request({
      method: 'GET',
      path: `/api${path}`,
      headers: { 'x-api-key': key },
    });
    const answer = await body.text();
    if (statusCode !== 200) failed.push(`${path} answered ${statusCode}: ${answer}`);
    return performance.now() - began;
  };
}

/** Sends each case to all sizes before the next one, so that a slow moment of the machine meets all of them. */
async function measure(full: FullStack[]): Promise<Measured[]> {
  const all = full.map(({ payments, cases, failed }) => {
    return { payments, failed, latencies: new Map(cases.map(({ name }) => [name, [] as number[]])) };
  });
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const [i, { name }] of full[0]?.cases.entries() ?? []) {
      for (const [of, { cases, ask }] of full.entries()) {
        const one = cases[i] as ReadCase;
        const took = await ask(one, one.paths[(round + WARM_UP) % one.paths.length] ?? '');
        if (round >= 0) all[of]?.latencies.get(name)?.push(took);
      }
    }
    await sleep(0);
  }
  return all;
}

function printFigures(all: Measured[]): void {
  const rows = [...(all[0]?.latencies.keys() ?? [])].map((name) => {
    const of = all.map(({ latencies }) => latencies.get(name) ?? []);
    const cells = of.map((times) => `${percentile(times, 0.5).toFixed(1)} / ${percentile(times, 0.99).toFixed(1)}`);
    const ratio = percentile(of.at(-1) ?? [], 0.5) / percentile(of[0] ?? [], 0.5);
    return [name, ...cells, ratio.toFixed(2)];
  });
  const heads = all.map(({ payments }) => `${payments.toLocaleString('en')} p50 / p99`);
  print(tableOf(['ms', ...heads, 'ratio of p50'], rows));
  for (const { payments, failed } of all) {
    print(`\n${payments}: ${failed.length} failed${failed.length > 0 ? `, the first: ${failed[0]}` : ''}`);
  }
}

async function printSizes({ payments, stack }: FullStack): Promise<void> {
  const found = await withClient({ connectionString: stack.databaseUrl }, sizesOf);
  const rows = found.map((size) => [size.name, size.rows ?? '', size.megabytes]);
  print(`
${tableOf([`${payments.toLocaleString('en')} payments`, 'rows', 'MB'], rows)}`);
}

await runBench(bench);

/**
 * `npm run bench -- growth [--seconds 5 --runs 3]`: how the cost of a pair grows with one factor at a time: merchants at once, the bank's
 * time, replicas of payments and holds. Ratios within one factor hold; rates depend on the machine. `npm run bench -- reads --writes` shows
 * the growth with earlier payments.
 */
import type { ChildProcess } from 'node:child_process';
import type { Stack } from '../dev/stack/stack.ts';
import { startBalanced } from './balanced-stack.ts';
import { forkDriver, optionsOf, runBench, say } from './bench-program.ts';
import { type Grown, printGrown } from './print-grown.ts';
import { measure, warmUp } from './measure.ts';
import { makeMerchants } from './merchants.ts';
import { setFaults } from '@cobro/testing/bank-faults.ts';
import type { Merchant } from './payment-requests.ts';

const { seconds, runs } = optionsOf({ seconds: 5, runs: 3 });

const AT_ONCE = [1, 4, 16, 64, 256];
const BANK_MS = [0, 20, 200];
const REPLICAS = [1, 2];
/** Merchants while another factor grows. */
const MERCHANTS = 16;

/** A warm stack, and its merchants. */
interface Warm {
  stack: Stack;
  driver: ChildProcess;
  merchants: Merchant[];
}

async function bench(): Promise<void> {
  printGrown([...(await withOneStack()), ...(await withReplicas())]);
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

async function openWarm(replicas: number, count: number): Promise<Warm> {
  const stack = await startBalanced(['payments', 'holds'], replicas);
  const driver = forkDriver();
  const merchants = await makeMerchants(stack, count, say);
  say('warming up');
  await warmUp(driver, { baseUrl: stack.baseUrl, merchants: merchants.slice(0, MERCHANTS) });
  return { stack, driver, merchants };
}

async function pairs(factor: string, warm: Warm, count = MERCHANTS): Promise<Grown> {
  const { stack, driver, merchants } = warm;
  say(factor);
  const order = { scenario: 'pair', baseUrl: stack.baseUrl, merchants: merchants.slice(0, count), seconds } as const;
  return {
    factor,
    figures: await measure(stack, driver, order, { telemetry: 'off', acquirer: 'bank', atStart: {}, runs }),
  };
}

async function slowBank({ bankUrl }: Stack, slowMs: number): Promise<void> {
  const kinds = ['authorize', 'capture'];
  await setFaults(bankUrl, slowMs === 0 ? {} : { kinds, slowMs, rates: { slow: 1 } });
}

async function close({ stack, driver }: Warm): Promise<void> {
  driver.disconnect();
  await stack.stop();
}

await runBench(bench);

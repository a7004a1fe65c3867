/**
 * `npm run bench -- terminals [--terminals 200 --replicas 2 --waiting 2000 --seconds 20 --per-second 20]`: how soon a
 * terminal has an intent and a tap its outcome, and what terminals cost that only wait. Everything goes through one gateway, and
 * intents and payments have replicas. Rates and latencies depend on the machine.
 */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTerminal } from '../dev/stack/create-terminal.ts';
import type { Stack } from '../dev/stack/stack.ts';
import { startBalanced } from './balanced-stack.ts';
import { forkDriver, optionsOf, runBench, say } from './bench-program.ts';
import { cpuMsEach, cpuSeconds } from './cpu.ts';
import { sendOrder } from './drive.ts';
import { memoryOf } from './memory.ts';
import { createMerchant } from './merchants.ts';
import { pidsOf } from './pids.ts';
import { type Cost, printCosts, printLatencies, type Taps } from './print-terminals.ts';
import type { Counter, Order, Report } from './terminals-driver.ts';

/** With its share of the terminals no merchant meets the bound on calls to the bank. */
const MERCHANTS = 8;
const WARM_UP_S = 5;
/** By then the last phase's garbage is collected. */
const REST_MS = 5_000;
/** Every waiting terminal asks anew after 25 s, which is a part of what waiting costs. */
const LEAST_WAITING_S = 30;
const AT_ONCE = 4;

const options = optionsOf({ terminals: 200, replicas: 2, waiting: 2000, seconds: 20, 'per-second': 20 });
const { terminals, replicas, waiting, seconds, 'per-second': perSecond } = options;

async function bench(): Promise<void> {
  const stack = await startBalanced(['intents', 'payments'], replicas);
  const driver = forkDriver('terminals-driver.ts');
  try {
    const counters = await makeCounters(stack);
    const { taps, costs } = await measure(stack, driver, counters);
    printLatencies(taps);
    printCosts(costs);
  } finally {
    driver.disconnect();
    await stack.stop();
  }
}

async function measure(stack: Stack, driver: ChildProcess, counters: Counter[]) {
  const { baseUrl } = stack;
  const send = (order: Order) => sendOrder<Report>(driver, order);
  const create = (of: Counter[], forSeconds: number) =>
    send({ do: 'create', baseUrl, counters: of, perSecond, seconds: forSeconds });

  const few = counters.slice(0, terminals);
  say(`${terminals} terminals, ${perSecond} intents a second, warming up for ${WARM_UP_S} s, then ${seconds} s`);
  await send({ do: 'switch on', baseUrl, counters: few });
  await create(few, WARM_UP_S);
  const taps: Taps[] = [tapsOf(terminals, await create(few, seconds))];
  await send({ do: 'switch off' });

  const waitingSeconds = Math.max(seconds, LEAST_WAITING_S);
  say(`no terminal waits, for ${waitingSeconds} s`);
  await sleep(REST_MS);
  const costs = [await costOf(stack, driver, 0, waitingSeconds)];

  const many = counters.slice(0, waiting);
  say(`${waiting} terminals wait, for ${waitingSeconds} s`);
  await send({ do: 'switch on', baseUrl, counters: many });
  await sleep(REST_MS);
  costs.push(await costOf(stack, driver, waiting, waitingSeconds));

  say(`${waiting} terminals, ${perSecond} intents a second, for ${seconds} s`);
  taps.push(tapsOf(waiting, await create(many, seconds)));
  await send({ do: 'switch off' });
  return { taps, costs };
}

function tapsOf(ofTerminals: number, report: Report): Taps {
  if (report.firstFailure !== undefined) say(`the first failure: ${report.firstFailure}`);
  return { terminals: ofTerminals, ...report };
}

async function costOf(stack: Stack, driver: ChildProcess, ofTerminals: number, forSeconds: number): Promise<Cost> {
  const pids = pidsOf(stack, driver);
  const before = cpuSeconds(pids);
  const begun = performance.now();
  await sleep(forSeconds * 1_000);
  const after = cpuSeconds(pids);
  const elapsed = (performance.now() - begun) / 1_000;
  const memory = Object.entries(memoryOf(stack.processes.pids())).map(([name, { now }]) => [name, now]);
  return { terminals: ofTerminals, cpu: cpuMsEach(before, after, elapsed), memory: Object.fromEntries(memory) };
}

/** The terminals that are needed, spread over some merchants. */
async function makeCounters({ databaseUrl }: Stack): Promise<Counter[]> {
  const wanted = Math.max(terminals, waiting);
  say(`making ${MERCHANTS} merchants and ${wanted} terminals`);
  const merchants: Awaited<ReturnType<typeof createMerchant>>[] = [];
  for (let n = 1; n <= MERCHANTS; n++) merchants.push(await createMerchant(databaseUrl, `Merchant ${n}`));
  const counters: Counter[] = [];
  const numbers = Array.from({ length: wanted }, (_, n) => n).values();
  const makeSome = async () => {
    for (const n of numbers) {
      const { organizationId, apiKey } = merchants[n % MERCHANTS] as (typeof merchants)[number];
      const { code, key } = await createTerminal(databaseUrl, { organizationId, code: `T-${n + 1}` });
      counters.push({ apiKey, terminalCode: code, terminalKey: key });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, makeSome));
  return counters;
}

await runBench(bench);

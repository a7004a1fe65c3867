/**
 * `npm run bench -- peers [--medusa --kill-bill FOLDER --seconds 6 --rounds 3 --at-once 8,16 --warm-up 2000]`: pairs of authorize and
 * capture at ours and at Kill Bill, and with `--medusa` at Medusa, all on one Postgres, in alternation. Their programs are downloaded into
 * a cache.
 */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sentence } from '../../dev/stack/servers/server.ts';
import type { Stack } from '../../dev/stack/stack.ts';
import { forkDriver, optionsOf, runBench, say } from '../bench-program.ts';
import { cpuMsEach, cpuSeconds } from '../cpu.ts';
import { sendOrder } from '../drive.ts';
import { makeMerchants } from '../merchants.ts';
import { startNativeStack } from '../native-stack.ts';
import { pidsOf } from '../pids.ts';
import { conditionsOf } from './conditions.ts';
import { fetchKillBill, startKillBill } from './kill-bill.ts';
import { fetchMedusa, startMedusa } from './medusa.ts';
import { type PeerRun, peerRun } from './peer-figures.ts';
import { printPeers } from './print-peers.ts';
import type { MeasuredSystem, PeerOrder } from './system.ts';

const options = optionsOf({
  medusa: false,
  'kill-bill': '',
  seconds: 6,
  rounds: 3,
  'at-once': '8,16',
  'warm-up': 2000,
});
const { seconds, rounds, 'warm-up': warmUp } = options;
const counts = options['at-once'].split(',').map(Number);

/** A warm-up ends after this time, however few pairs it has made. */
const WARM_UP_WITHIN_MS = 60_000;
/** By then the servers have done what a run left to them (events, queues); it is counted as the run's. */
const SETTLED_AFTER_MS = 1_000;
const IDLE_SECONDS = 5;
const LONGEST_MINUTES = 40;

async function bench(): Promise<void> {
  const killBill = await fetchKillBill(options['kill-bill'] || undefined);
  const medusa = options.medusa ? await fetchMedusa() : undefined;
  const stack = await startNativeStack(LONGEST_MINUTES);
  const driver = forkDriver('peers/peers-driver.ts');
  try {
    const most = Math.max(...counts);
    const systems = [await ours(stack, most)];
    say('starting Kill Bill');
    systems.push(await startKillBill(stack, killBill, most));
    if (medusa !== undefined) {
      say('starting Medusa');
      systems.push(await startMedusa(stack, medusa, most));
    }
    for (const system of systems) await warm(system, driver);
    const idle = await idleCpu(stack, systems);
    const runs = await alternate(stack, driver, systems);
    printPeers(systems, runs, await conditionsOf(stack, { seconds, rounds, warmUp, java: killBill.java, idle }));
  } finally {
    driver.disconnect();
    await stack.stop();
  }
}

async function ours(stack: Stack, count: number): Promise<MeasuredSystem> {
  const merchants = await makeMerchants(stack, count, say);
  return {
    name: 'ours',
    title: 'ours',
    baseUrl: stack.baseUrl,
    merchants: merchants.map((merchant) => ({ ...merchant })),
    pids: () => stack.processes.pids(),
    hasBroker: true,
  };
}

async function warm(system: MeasuredSystem, driver: ChildProcess): Promise<void> {
  say(`warming up ${system.title}`);
  const end = performance.now() + WARM_UP_WITHIN_MS;
  for (let done = 0; done < warmUp && performance.now() < end;) {
    const report = await sendOrder(driver, orderFor(system, system.merchants.length, 2));
    if (report.firstFailure !== undefined)
      throw new Sentence(`A pair at ${system.title} failed: ${report.firstFailure}`);
    done += report.done;
  }
}

/** Each round measures all systems with each number of merchants; every other round goes through the systems backwards. */
async function alternate(stack: Stack, driver: ChildProcess, systems: MeasuredSystem[]): Promise<PeerRun[]> {
  const runs: PeerRun[] = [];
  for (let round = 1; round <= rounds; round++) {
    for (const atOnce of counts) {
      for (const system of round % 2 === 1 ? systems : systems.toReversed()) {
        runs.push(await measure(stack, driver, { system, atOnce, round }));
      }
    }
  }
  return runs;
}

async function measure(
  stack: Stack,
  driver: ChildProcess,
  { system, atOnce, round }: { system: MeasuredSystem; atOnce: number; round: number },
): Promise<PeerRun> {
  const pids = () => ({ ...system.pids(), ...serversOf(stack, system) });
  const before = cpuSeconds(pids());
  const report = await sendOrder(driver, orderFor(system, atOnce, seconds));
  await sleep(SETTLED_AFTER_MS);
  const cpu = cpuMsEach(before, cpuSeconds(pids()), report.done);
  const servers = Object.keys(system.pids());
  const measured = peerRun({ system: system.name, atOnce, round }, report, { cpu, servers });
  say(`round ${round}, ${atOnce} at once, ${system.title}: ${measured.perSecond.toFixed(0)} pairs a second`);
  if (report.firstFailure !== undefined) say(`${report.failed} failed, the first one: ${report.firstFailure}`);
  return measured;
}

/** The CPU of each while no requests come, in milliseconds a second. The others go on with that during a run. */
async function idleCpu(stack: Stack, systems: MeasuredSystem[]): Promise<Record<string, number>> {
  const { postgres = [], rabbitmq = [] } = pidsOf(stack);
  const pids = () => ({
    ...Object.fromEntries(systems.map((system) => [system.title, Object.values(system.pids()).flat()])),
    Postgres: postgres,
    RabbitMQ: rabbitmq,
  });
  await sleep(SETTLED_AFTER_MS);
  const before = cpuSeconds(pids());
  await sleep(IDLE_SECONDS * 1_000);
  return cpuMsEach(before, cpuSeconds(pids()), IDLE_SECONDS);
}

function serversOf(stack: Stack, { hasBroker }: MeasuredSystem): Record<string, number[]> {
  const { postgres = [], rabbitmq = [] } = pidsOf(stack);
  return { postgres, ...(hasBroker && { rabbitmq }) };
}

const orderFor = ({ name, baseUrl, merchants }: MeasuredSystem, atOnce: number, forSeconds: number): PeerOrder => ({
  system: name,
  baseUrl,
  merchants: merchants.slice(0, atOnce),
  seconds: forSeconds,
});

await runBench(bench);

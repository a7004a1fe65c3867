/**
 * `npm run chaos [-- --minutes 10 --seed 1 --tills 16 --replicas 2 --only 'kill a process,stop Redis' --balanced-within 180 --out FOLDER
 * --plan]`: two replicas of each service under the mixed load of all areas, while parts die, hang and lie by a plan made from the seed;
 * `--plan` only prints it. Then everything has to balance, and porcupine, which needs Go, judges the history of all calls. Exits with 1
 * if something is wrong. The folder (.stack/chaos/SEED unless given) gets the history, the plan, a picture and the result.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { optionsOf } from '../../bench/bench-program.ts';
import { inOwnRun, say } from '../../dev/stack/in-own-run.ts';
import { stackFolder } from '../../dev/stack/run-record.ts';
import type { Run } from '../../dev/stack/run.ts';
import { openReceivers } from '../sick/receivers.ts';
import { findImbalance } from './balance.ts';
import { openShops, startChaosStack } from './chaos-stack.ts';
import { type Line, openLine } from './client.ts';
import { openHistory } from './history.ts';
import { inflict, type Inflicted, type Suffering } from './inflict.ts';
import { needGo } from './judge.ts';
import { spendBudget, startLoad } from './load.ts';
import { keepMessages } from './messages.ts';
import { drawRun, feltFor } from './picture.ts';
import { type FaultName, faultNames, planOf } from './plan.ts';
import { endRun, HISTORY } from './result.ts';
import { newFloor, type Shop } from './shop.ts';

const options = optionsOf({
  minutes: 10,
  seed: 1,
  tills: 16,
  replicas: 2,
  shops: 8,
  only: faultNames.join(','),
  'balanced-within': 180,
  out: '',
  plan: false,
});
const { minutes, seed } = options;
const only = options.only === '' ? [] : options.only.split(',');
for (const name of only)
  if (!faultNames.includes(name as FaultName)) throw new Error(`No fault is called ${name}: ${faultNames.join(', ')}.`);
const plan = planOf(seed, minutes, only as FaultName[]);
const out = options.out || join(stackFolder, 'chaos', String(seed));
const JUDGED = ['payment', 'link', 'terminal', 'counter', 'developer', 'subscription'] as const;
/** Minutes, because events that failed for a while are retried that late. */
const withinMs = options['balanced-within'] * 1_000;

async function main(run: Run): Promise<number> {
  needGo();
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'plan.json'), `${JSON.stringify(plan, undefined, 2)}\n`);
  const chaos = await startChaosStack(run, options.replicas);
  const { stack } = chaos;
  const shops = await openShops(chaos, options.shops);
  const messages = await keepMessages(stack);
  const receivers = await openReceivers(stack, shops);
  run.onStop(async () => receivers.close());
  const history = openHistory(join(out, HISTORY));
  const floor = newFloor(history);
  const line = openLine(stack.urls.gateway ?? [], history);
  await spendBudget(floor, line, stack.merchants.apiKey);
  const inflicted = await suffer({ ...chaos, floor }, line, shops);
  const findings = await findImbalance({
    stack,
    floor,
    shops,
    receivers,
    messages,
    withinMs,
    line,
    calmSince: new Date(performance.timeOrigin + 1_000 * Math.max(0, ...inflicted.map(({ ended }) => ended + 2))),
  });
  await spendBudget(floor, line, stack.merchants.otherApiKey);
  writeFileSync(join(out, 'run.svg'), drawRun(`seed ${seed}`, line.ended, inflicted));
  const felt = inflicted.map((one) => {
    const { fault, target, at, seconds } = one;
    return { fault, target, at, seconds, felt: feltFor(one, line.ended) };
  });
  const more = { folder: out, kinds: JUDGED, seed, minutes, faults: plan.length, felt };
  return endRun(`seed ${seed}`, { stack, floor, line, findings }, more);
}

/** Runs the load and the plan's faults. */
async function suffer(suffering: Suffering, line: Line, shops: Shop[]): Promise<Inflicted[]> {
  say(`seed ${seed}: ${plan.length} faults in ${minutes} minutes`);
  const begun = performance.now();
  const load = startLoad(suffering.floor, line, shops, options.tills);
  const inflicted = await inflict(suffering, plan);
  await sleep(Math.max(0, begun + minutes * 60_000 - performance.now()));
  await load.stop();
  say('the load has ended');
  return inflicted;
}

if (options.plan) {
  process.stdout.write(`${JSON.stringify(plan, undefined, 2)}\n`);
  process.exit(0);
}
await inOwnRun(main);

/**
 * `npm run drill -- upgrade [--minutes 3 --seed 1 --tills 12]`: release 0.1.0 under a load that it supports, with two replicas of each
 * service. Migrates its database, restarts each process with the programs of this checkout, goes back, and upgrades again. Each of the
 * four phases lasts at least `--minutes` and a minute after its last restart, while processes, servers and the bank die or are silent by
 * the seed's plan. After each roll the books must agree; at the end everything must balance, and the history of all calls is judged,
 * which needs Go. Exits with 1 if something is wrong. The history and the result are in .stack/upgrade.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { schemaOf } from '@cobro/frame/definition.ts';
import { disagreementsAfter } from '@cobro/testing/agreement.ts';
import { optionsOf } from '../../bench/bench-program.ts';
import { booksOf } from '../../bench/open-books.ts';
import { inOwnRun, say } from '../../dev/stack/in-own-run.ts';
import { type Packed, packPrograms } from '../../dev/stack/pack-programs.ts';
import { stackFolder } from '../../dev/stack/run-record.ts';
import type { Run } from '../../dev/stack/run.ts';
import type { Stack } from '../../dev/stack/stack.ts';
import { definitions, type ServiceName } from '../../services/definitions.ts';
import { findImbalance, type Findings } from './balance.ts';
import { openShops, startChaosStack } from './chaos-stack.ts';
import { type Ended, openLine } from './client.ts';
import { openHistory } from './history.ts';
import { inflict, type Inflicted } from './inflict.ts';
import { needGo } from './judge.ts';
import { ofRelease01, startLoad } from './load.ts';
import { keepMessages } from './messages.ts';
import { type FaultName, planOf } from './plan.ts';
import { release01 } from './release.ts';
import { endRun, HISTORY } from './result.ts';
import { newFloor } from './shop.ts';

const { minutes, seed, tills } = optionsOf({ minutes: 3, seed: 1, tills: 12 });

const FAULTS: readonly FaultName[] = [
  'kill a process',
  'halt a process',
  'kill Postgres',
  'restart the broker',
  'cut the broker',
  'stop Redis',
  'acquirer is silent',
  'acquirer is late',
  'acquirer is killed',
];
const SERVICES: readonly ServiceName[] = ['gateway', 'payments', 'holds', 'intents', 'reporting'];
const REPLICAS = 2;
const BALANCED_WITHIN_MS = 180_000;
const JUDGED = ['payment', 'link', 'terminal', 'developer'] as const;
/** Requests that must succeed in each phase, by the ends of their paths. */
const DONE = ['/payment', '/capture', '/release', '/refund', '/payment-intent', '/next'];
const out = join(stackFolder, 'upgrade');

async function main(run: Run): Promise<number> {
  needGo();
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const today = await packPrograms(run);
  const older = await release01(run, today);
  const chaos = await startChaosStack(run, REPLICAS, { services: SERVICES, release: older });
  const { stack } = chaos;
  const shops = await openShops(chaos, 8, { terminalsEach: 50 * minutes, given: older.commands });
  const messages = await keepMessages(stack);
  const history = openHistory(join(out, HISTORY));
  const floor = newFloor(history);
  const line = openLine(stack.urls.gateway ?? [], history);
  const inflicted: Inflicted[] = [];
  const findings: Findings = {};
  const phase = async (name: string, roll: () => Promise<void>) => {
    say(name);
    const before = line.ended.length;
    const load = startLoad(floor, line, shops, tills, ofRelease01);
    const plan = planOf(seed + inflicted.length, minutes, FAULTS, SERVICES);
    const rolled = roll().then(() => sleep(60_000));
    const [faults] = await Promise.all([inflict({ ...chaos, floor }, plan), rolled, sleep(minutes * 60_000)]);
    inflicted.push(...faults);
    await load.stop();
    findings[name] = notDone(line.ended.slice(before));
  };
  const settled = async (name: string) => {
    const books = booksOf(stack);
    findings[name]?.push(...(await disagreementsAfter(books.open(), BALANCED_WITHIN_MS)));
    await books.close();
  };
  await phase('on 0.1.0', async () => {});
  await phase('upgraded', async () => {
    await migrateAll(stack);
    await startAll(stack, today);
  });
  await settled('upgraded');
  await phase('back on 0.1.0', () => startAll(stack, older.packed));
  await settled('back on 0.1.0');
  await phase('upgraded again', () => startAll(stack, today));
  const calmSince = new Date();
  Object.assign(
    findings,
    await findImbalance({ stack, floor, shops, messages, line, withinMs: BALANCED_WITHIN_MS, calmSince }),
  );
  const more = { folder: out, kinds: JUDGED, seed, minutes: 4 * minutes, faults: inflicted.length, inflicted };
  return endRun('upgrade, back and upgrade', { stack, floor, line, findings }, more);
}

/** A sentence for each of them that never succeeded in the phase. */
const notDone = (ended: readonly Ended[]): string[] =>
  DONE.filter(
    (path) => !ended.some(({ what, status }) => what.endsWith(path) && (status === 200 || status === 201)),
  ).map((path) => `no …${path} was answered with success`);

/** Retries while Postgres is away, as a job in a cluster does. */
async function migrateAll(stack: Stack): Promise<void> {
  const begun = performance.now();
  const schemas = definitions.filter(({ name }) => SERVICES.includes(name)).map(schemaOf);
  await again('the migration', () => stack.migrate(schemas));
  say(`migrated within ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
}

/**
 * One process after the other. The old one stops before the new one starts, so more requests are refused or cut than in a cluster's
 * rollout.
 */
async function startAll({ processes }: Stack, packed: Packed): Promise<void> {
  for (let replica = 0; replica < REPLICAS; replica++)
    for (const name of SERVICES)
      await again(`${name} ${replica + 1}`, async () => {
        await processes.stop(name, replica);
        await processes.start(name, {}, replica, packed);
        const pid = processes.pid(name, replica);
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        if (!command.includes(packed.folder)) throw new Error(`it runs ${command}`);
      });
  say('all processes have been started again');
}

const TRIES = 10;

/** Retries, because a fault may be in effect. */
async function again(what: string, work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      return await work();
    } catch (error) {
      say(`${what}: ${String(error).split('\n', 1)[0]}`);
      if (tries === TRIES) throw error;
      await sleep(3_000);
    }
}

await inOwnRun(main);

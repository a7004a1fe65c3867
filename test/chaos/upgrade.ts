/**
 * `npm run drill -- upgrade [--minutes 10 --seed 1 --tills 12]`: release 0.1.0 under the load of what it can do, with two replicas of each
 * service. Migrates its database, starts each process again with the programs of this checkout, goes back, and upgrades again, while
 * processes, servers and the bank die or are silent by the plan of the seed. Then everything has to balance, and the history of all calls is
 * judged, which needs Go. Exits with 1 where something is not right. The history and the result are in .stack/upgrade.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { schemaOf } from '@cobro/frame/definition.ts';
import type { Schema } from '@cobro/postgres/migrate.ts';
import { NODE_ARGUMENTS } from '@cobro/service-kit/node-arguments.ts';
import type { withCommands } from '../../dev/seed/run-command.ts';
import { inOwnRun, say } from '../../dev/stack/in-own-run.ts';
import { type Packed, packPrograms } from '../../dev/stack/pack-programs.ts';
import { repositoryFolder, stackFolder } from '../../dev/stack/run-record.ts';
import type { Run } from '../../dev/stack/run.ts';
import { Sentence } from '../../dev/stack/servers/server.ts';
import type { Stack } from '../../dev/stack/stack.ts';
import { definitions, type ServiceName } from '../../services/definitions.ts';
import { isRefused } from '../sick/felt.ts';
import { findImbalance, noteLast } from './balance.ts';
import { openShops, startChaosStack } from './chaos-stack.ts';
import { openLine } from './client.ts';
import { openHistory } from './history.ts';
import { inflict } from './inflict.ts';
import { hasGo } from './judge.ts';
import { ofRelease01, startLoad } from './load.ts';
import { keepMessages } from './messages.ts';
import { type FaultName, planOf } from './plan.ts';
import { judgeInto, printResult } from './result.ts';
import { newFloor, noteTimes } from './shop.ts';

const options = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    tills: { type: 'string', default: '12' },
  },
}).values;
const minutes = Number(options.minutes);

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

async function main(run: Run): Promise<number> {
  if (!hasGo()) throw new Sentence('Histories are judged by porcupine, which needs Go on this machine.');
  const out = join(stackFolder, 'upgrade');
  mkdirSync(out, { recursive: true });
  const now = await packPrograms(run);
  const folder = checkOut(releaseCommit());
  const before = await releaseAt(folder, now);
  const chaos = await startChaosStack(run, REPLICAS, say, { services: SERVICES, release: before });
  const { stack } = chaos;
  const shops = await openShops(chaos, 8, testCards.approved, before.commands);
  const messages = await keepMessages(stack);
  const history = openHistory(join(out, 'history.jsonl'));
  const floor = newFloor(history);
  const line = openLine(
    (stack.urls.gateway ?? []).map((url) => new URL(url).origin),
    history,
  );
  const plan = planOf(Number(options.seed), minutes, FAULTS);
  const load = startLoad(floor, line, shops, Number(options.tills), ofRelease01);
  const begun = performance.now();
  const until = (part: number) => sleep(Math.max(0, begun + part * minutes * 60_000 - performance.now()));
  const steps = async () => {
    await until(0.15);
    await migrateAll(stack);
    await startAll(stack, now, 'this checkout');
    await until(0.45);
    await startAll(stack, before.packed, '0.1.0');
    await until(0.75);
    await startAll(stack, now, 'this checkout');
    await until(1);
  };
  const [inflicted] = await Promise.all([inflict({ ...chaos, floor }, plan, say), steps()]);
  await load.stop();
  const findings = await findImbalance({
    stack,
    floor,
    shops,
    messages,
    line,
    withinMs: BALANCED_WITHIN_MS,
    calmSince: new Date(performance.timeOrigin + 1_000 * Math.max(0, ...inflicted.map(({ ended }) => ended + 2))),
  });
  await noteLast(stack, floor);
  noteTimes(floor);
  await line.close();
  await history.close();
  const judged = judgeInto(findings, join(out, 'history.jsonl'), JUDGED);
  const refused = line.ended.filter(isRefused).length;
  const result = { minutes, faults: plan.length, operations: line.ended.length, refused, judged, findings };
  writeFileSync(join(out, 'result.json'), `${JSON.stringify(result, undefined, 2)}\n`);
  return printResult('upgrade, back and upgrade', result);
}

function releaseCommit(): string {
  const page = readFileSync(join(repositoryFolder, 'docs/operations/upgrade.md'), 'utf8');
  return /^Release 0\.1\.0 is the commit ([0-9a-f]{40})\.$/m.exec(page)?.[1] ?? '';
}

/** The folder of that commit's files and packages. It is kept for the next run. */
function checkOut(commit: string): string {
  const folder = join(stackFolder, 'releases', commit);
  if (existsSync(folder)) return folder;
  say('fetching the packages of 0.1.0');
  const half = `${folder}.half`;
  rmSync(half, { recursive: true, force: true });
  mkdirSync(half, { recursive: true });
  const files = execFileSync('git', ['archive', commit], { cwd: repositoryFolder, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', half], { input: files });
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: half, stdio: 'ignore' });
  renameSync(half, folder);
  return folder;
}

/** Programs, schemas and operators' commands of the release in this folder. The bank is not of the release. */
async function releaseAt(folder: string, { argumentsFor }: Packed) {
  const fileOf = (source: string) => join(folder, source);
  const load = (source: string): Promise<unknown> => import(fileOf(source));
  const frame = (await load('libs/frame/src/definition.ts')) as { schemaOf: (definition: unknown) => Schema };
  const services = (await load('services/definitions.ts')) as { definitions: readonly unknown[] };
  const commands = (await load('dev/seed/run-command.ts')) as { withCommands: typeof withCommands };
  const telemetry = ['--import', fileOf('libs/service-kit/src/telemetry.ts')];
  const packed: Packed = {
    folder,
    fileOf,
    argumentsFor: (program) =>
      program.startsWith('services/') ? [...NODE_ARGUMENTS, ...telemetry, fileOf(program)] : argumentsFor(program),
  };
  return { packed, schemas: services.definitions.map(frame.schemaOf), commands: commands.withCommands };
}

async function migrateAll(stack: Stack): Promise<void> {
  say('migrating');
  const begun = performance.now();
  await stack.migrate(definitions.filter(({ name }) => SERVICES.includes(name)).map(schemaOf));
  say(`migrated within ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
}

/** As a rollout does it: of each service one process after the other. */
async function startAll({ processes }: Stack, packed: Packed, what: string): Promise<void> {
  say(`starting all with the programs of ${what}`);
  for (let replica = 0; replica < REPLICAS; replica++)
    for (const name of SERVICES) {
      await processes.stop(name, replica);
      await startAnyhow(() => processes.start(name, {}, replica, packed));
    }
  say(`all have the programs of ${what}`);
}

/** Again where a fault killed it before it was ready. */
async function startAnyhow(start: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      return await start();
    } catch (error) {
      if (tries === 5) throw error;
      await sleep(1_000);
    }
}

await inOwnRun(main);

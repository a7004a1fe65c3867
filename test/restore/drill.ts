import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { newPassword } from '../../dev/stack/servers/server.ts';
import type { Run } from '../../dev/stack/run.ts';
import { type Stack, startStack } from '../../dev/stack/stack.ts';
import { serviceNames } from '../../services/definitions.ts';
import { type Client, createClient } from '../e2e/client.ts';
import { tapOnce } from '../e2e/tap.ts';
import { makeMerchants } from '../../bench/merchants.ts';
import { laneOf } from '../sick/felt.ts';
import { startTraffic, type Ended, type Traffic } from '../sick/traffic.ts';
import * as backup from './backup.ts';
import { checksOf } from './checks.ts';
import { type LostServers, startServersToLose } from './lost-servers.ts';
import { type PostgresTools, postgresTools } from './postgres-tools.ts';
import { startTill, type Till } from './till.ts';

export interface DrillOptions {
  /** How long merchants work, both before and after the base backup. */
  seconds: number;
  merchants: number;
  perSecond: number;
}

type Say = (line: string) => void;

/** The parts of the drill. */
interface Scene {
  run: Run;
  stack: Stack;
  tools: PostgresTools;
  servers: LostServers;
  merchant: Client;
  card: string;
  say: Say;
  folders: { base: string; wal: string; data: string };
}

/** The merchants' requests and their answers. */
interface Work {
  traffic: Traffic;
  till: Till;
}

const answeredIn = ({ traffic, till }: Work) =>
  traffic.answered.size + [...till.charges.values()].filter((id) => id !== undefined).length;

/** Returns a sentence for everything that is wrong. */
export async function drill(run: Run, options: DrillOptions, say: Say): Promise<string[]> {
  const tools = postgresTools(run);
  const servers = await startServersToLose(run, tools);
  const stack = await startStack({ run, servers: servers.running, say, telemetry: false });
  const merchants = await makeMerchants(stack, options.merchants, say);
  const merchant = createClient(stack.baseUrl, stack.merchants.apiKey);
  const card = await merchant.saveCard();
  const folders = { base: join(run.dataFolder, 'base'), wal: join(run.dataFolder, 'wal'), data: servers.data };
  const scene: Scene = { run, stack, tools, servers, merchant, card, say, folders };

  const traffic = await startTraffic(stack.baseUrl, merchants, options.perSecond);
  const till = startTill(merchant, card);
  const work = { traffic, till };
  const receiver = await backUp(scene, options, work);
  await fallBehind(scene, options);
  await loseEverything(scene, receiver, work);
  await restore(scene);

  const checks = checksOf(stack, say);
  const wrong = await checks.catchUp();
  wrong.push(...(await checks.promises(traffic)), ...(await checks.till(merchant, card, till)));
  wrong.push(...(await atWorkAgain(scene, merchants, options)), ...(await checks.books()));
  await checks.close();
  return wrong;
}

/** Merchants work without and then with a receiver; meanwhile takes a base backup. */
async function backUp({ stack, tools, folders, say }: Scene, { seconds }: DrillOptions, work: Work) {
  const { traffic } = work;
  const { url } = stack.servers.postgres;
  await sleep(seconds * 1_000);
  say(`without a receiver of the log, ${felt(traffic.ended)}`);
  const receiver = await backup.startWalReceiver(tools, url, folders.wal);
  await backup.waitForReceiver(url, receiver);
  say('pg_receivewal --synchronous is connected, and every commit waits for it');
  const from = traffic.ended.length;
  const begun = performance.now();
  await backup.takeBaseBackup(tools, url, folders.base);
  const took = ((performance.now() - begun) / 1_000).toFixed(1);
  say(`base backup taken and verified in ${took} s: ${megabytes(backup.bytesIn(folders.base))}`);
  const [log, payments] = [await backup.logWritten(url), answeredIn(work)];
  await sleep(seconds * 1_000);
  const bytes = (await backup.logWritten(url)) - log;
  say(`with the receiver, ${felt(traffic.ended.slice(from))}`);
  say(
    `${(bytes / 1_000 / (answeredIn(work) - payments)).toFixed(1)} KB of log for each payment, what came with it included`,
  );
  return receiver;
}

/** Makes followers fall behind, so that the broker has unapplied events when its data is lost. */
async function fallBehind({ stack, merchant, say }: Scene, { seconds }: DrillOptions): Promise<void> {
  const code = `SN-${newPassword().slice(0, 8)}`;
  const tapped = await tapOnce(stack, merchant, `${code}-A`);
  if (tapped.status !== 201) throw new Error(`a tap was answered with ${tapped.status}`);
  await stack.processes.stop('reporting');
  say('reporting is stopped: its events stay in the broker');
  await sleep((seconds * 1_000) / 2);
  await stack.processes.stop('holds');
  say('holds is stopped: holds are placed of which it does not hear');
  await sleep((seconds * 1_000) / 4);
  // Charges of this card have no answer yet when everything is lost.
  const slow = await merchant.saveCard(testCards.slow);
  tapOnce(stack, merchant, `${code}-B`, testCards.slow).catch(() => {});
  await sleep(1_000);
  for (const pid of stack.processes.pids().intents ?? []) process.kill(pid, 'SIGSTOP');
  say('intents hangs: it does not hear that a tap was paid');
  await sleep(2_500);
  merchant.charge(slow, { amount: 33 }).catch(() => {});
  await sleep(500);
}

/** Ends Postgres and the broker like a crash and deletes their data. Then stops the services. */
async function loseEverything(
  { stack, servers, say, folders }: Scene,
  receiver: backup.WalReceiver,
  work: Work,
): Promise<void> {
  await servers.lose();
  say(`DISASTER: Postgres and RabbitMQ are killed, their data is deleted; ${answeredIn(work)} payments were answered`);
  await sleep(1_500);
  for (const pid of stack.processes.pids().intents ?? []) process.kill(pid, 'SIGCONT');
  const stopping = Promise.all([work.traffic.stop(), work.till.stop()]);
  await Promise.all(
    serviceNames.filter((name) => !['holds', 'reporting'].includes(name)).map((name) => stack.processes.stop(name)),
  );
  await stopping;
  await receiver.stop();
  say(`services are stopped; received of the log: ${megabytes(backup.bytesIn(folders.wal))}`);
}

/** Starts Postgres from backup and log, a new receiver, an empty broker, and the services. */
async function restore({ run, stack, tools, servers, folders, merchant, card, say }: Scene): Promise<void> {
  const begun = performance.now();
  const since = () => `${((performance.now() - begun) / 1_000).toFixed(1)} s after the restore began`;
  const { url } = stack.servers.postgres;
  backup.restoreBaseBackup(tools, folders);
  await stack.servers.postgres.start();
  await backup.untilRestored(url);
  say(`Postgres has applied the log to its end, ${since()}`);
  const committed = backup.ask(url, `select pg_logical_emit_message(true, 'drill', 'a commit')`);
  const early = await Promise.race([committed.then(() => true), sleep(1_000, false)]);
  if (early) throw new Error('a commit was answered that no receiver has');
  const receiver = await backup.startWalReceiver(tools, url, join(run.dataFolder, 'wal-after'));
  await backup.waitForReceiver(url, receiver);
  await committed;
  run.onStop(() => receiver.stop());
  say('a commit waited until a receiver was connected again');
  await servers.startEmptyBroker();
  say(`an empty broker has its queues, ${since()}`);
  await Promise.all(serviceNames.map((name) => stack.processes.start(name)));
  say(`services are ready, ${since()}`);
  const { status } = await merchant.charge(card);
  if (status !== 201) throw new Error(`the first charge was answered with ${status}`);
  say(`a charge is answered with 201, ${since()}`);
}

/** The same merchants go on, and nothing more is refused. */
async function atWorkAgain(
  { stack, say }: Scene,
  merchants: Awaited<ReturnType<typeof makeMerchants>>,
  { seconds, perSecond }: DrillOptions,
): Promise<string[]> {
  const traffic = await startTraffic(stack.baseUrl, merchants, perSecond);
  await sleep(seconds * 1_000);
  await traffic.stop();
  say(`after the restore, ${felt(traffic.ended)}`);
  const { refused } = laneOf(traffic.ended, false);
  return refused > 0 ? [`after the restore ${(refused * 100).toFixed(1)} % of what moves money was refused`] : [];
}

function felt(ended: readonly Ended[]): string {
  const { count, p50, p99, refused } = laneOf(ended, false);
  return `${count} requests that change something: ${p50.toFixed(0)} ms p50, ${p99.toFixed(0)} ms p99, ${(refused * 100).toFixed(1)} % refused`;
}

const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MB`;

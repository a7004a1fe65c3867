import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { withClient } from '@cobro/postgres/with-client.ts';
import type pg from 'pg';
import { serviceNames } from '../../services/definitions.ts';
import { findPrograms } from '../../dev/stack/servers/programs.ts';
import { messageOf, Sentence } from '../../dev/stack/servers/server.ts';
import type { Stack } from '../../dev/stack/stack.ts';
import { forkDriver, say } from '../bench-program.ts';
import { cpuSeconds } from '../cpu.ts';
import { sendOrder } from '../drive.ts';
import { type Spread, spreadsOf } from '../figures.ts';
import { makeMerchants } from '../merchants.ts';
import type { Merchant } from '../payment-requests.ts';
import { pidsOf } from '../pids.ts';
import { type PgbenchScript, pgbenchScripts } from './pgbench-script.ts';
import { recordPairs } from './recorded-pair.ts';

/** What Postgres did for a pair, on average over a run. `cpu` is milliseconds of all of Postgres. */
const DONE = ['cpu', 'commits', 'inserted', 'updated', 'deleted'] as const;
type DoneAPair = Record<(typeof DONE)[number], number>;

export type Sender = 'ours' | 'pgbench' | 'pgbench in pipelines';
export type PostgresFigures = { sender: Sender } & Record<keyof DoneAPair, Spread>;

export interface LimitOptions {
  rounds: number;
  seconds: number;
  atOnce: number;
}

const WARM_UP_PAIRS = 2_000;
const WARM_UP_WITHIN_MS = 60_000;
/** After this time Postgres has published its statistics, and a run's remaining work is done. */
const SETTLED_AFTER_MS = 1_500;

/**
 * What a pair of ours costs Postgres, and what pgbench costs it with the same statements, as Postgres logged them. Our services are stopped
 * for pgbench, so that they do not take its events for theirs.
 */
export async function measurePostgres(stack: Stack, options: LimitOptions): Promise<PostgresFigures[]> {
  const merchants = await makeMerchants(stack, options.atOnce, say);
  return withClient({ connectionString: stack.databaseUrl }, async (client) => {
    const ours = await measureOurs(stack, client, merchants, options);
    say('recording the statements of single pairs');
    const [merchant] = merchants;
    const pairs = merchant === undefined ? [] : await recordPairs(stack, merchant);
    for (const name of serviceNames) await stack.processes.stop(name);
    const figures = [{ sender: 'ours' as const, all: ours }];
    const senders = { pgbench: false, 'pgbench in pipelines': true };
    const runs = Object.entries(senders).map(([sender, pipelined]) => ({
      sender: sender as Sender,
      scripts: pgbenchScripts(pairs, pipelined),
      all: [] as DoneAPair[],
    }));
    for (let round = 0; round < options.rounds; round++) {
      for (const { sender, scripts, all } of runs) {
        say(`${sender}, round ${round + 1}`);
        all.push(await measurePgbench(stack, client, scripts, options));
      }
    }
    return [...figures, ...runs].map(({ sender, all }) => ({ sender, ...spreadsOf(DONE, all) }));
  });
}

async function measureOurs(
  stack: Stack,
  client: pg.Client,
  merchants: Merchant[],
  { rounds, seconds }: LimitOptions,
): Promise<DoneAPair[]> {
  const driver = forkDriver();
  const drivePairs = async (forSeconds: number) => {
    const order = { scenario: 'pair', baseUrl: stack.baseUrl, merchants, seconds: forSeconds };
    const { done, firstFailure } = await sendOrder(driver, order);
    if (firstFailure !== undefined) throw new Sentence(`A pair failed: ${firstFailure}`);
    return done;
  };
  try {
    say('warming up');
    const end = performance.now() + WARM_UP_WITHIN_MS;
    for (let done = 0; done < WARM_UP_PAIRS && performance.now() < end;) done += await drivePairs(2);
    const all: DoneAPair[] = [];
    for (let round = 0; round < rounds; round++) {
      say(`ours, round ${round + 1}`);
      all.push(await countedAPair(stack, client, () => drivePairs(seconds)));
    }
    return all;
  } finally {
    driver.disconnect();
  }
}

/** Runs one role after the other, equally long; together their shares make a pair. */
async function measurePgbench(
  stack: Stack,
  client: pg.Client,
  scripts: PgbenchScript[],
  options: LimitOptions,
): Promise<DoneAPair> {
  const sum: DoneAPair = { cpu: 0, commits: 0, inserted: 0, updated: 0, deleted: 0 };
  for (const script of scripts) {
    const share = await countedAPair(stack, client, () => runPgbench(stack, script, options));
    for (const figure of DONE) sum[figure] += share[figure];
  }
  return sum;
}

/** @param work returns how many pairs it made */
async function countedAPair(stack: Stack, client: pg.Client, work: () => Promise<number>): Promise<DoneAPair> {
  const count = async (): Promise<DoneAPair> => {
    await sleep(SETTLED_AFTER_MS);
    const { rows } = await client.query<Record<'commits' | 'inserted' | 'updated' | 'deleted', string>>(
      `select xact_commit as commits, tup_inserted as inserted, tup_updated as updated, tup_deleted as deleted
       from pg_stat_database where datname = current_database()`,
    );
    const { commits, inserted, updated, deleted } = rows[0] ?? {};
    return {
      cpu: (cpuSeconds({ postgres: pidsOf(stack)['postgres'] ?? [] })['postgres'] ?? Number.NaN) * 1_000,
      commits: Number(commits),
      inserted: Number(inserted),
      updated: Number(updated),
      deleted: Number(deleted),
    };
  };
  const before = await count();
  const pairs = await work();
  const after = await count();
  const each = Object.entries(after).map(([name, value]) => [name, (value - before[name as keyof DoneAPair]) / pairs]);
  return Object.fromEntries(each) as Record<keyof DoneAPair, number>;
}

/** Returns how many times pgbench ran the script. @throws Sentence if pgbench is not there or a statement fails */
async function runPgbench(stack: Stack, script: PgbenchScript, { seconds, atOnce }: LimitOptions): Promise<number> {
  const service = serviceNames.find((name) => addressOf(stack, name)?.username === script.user);
  const address = service === undefined ? undefined : addressOf(stack, service);
  if (address === undefined) throw new Sentence(`${script.user} takes part in a pair, and is the role of no service.`);
  const file = join(stack.run.dataFolder, `${service}.pgbench.sql`);
  writeFileSync(file, script.text);
  const given = Object.entries(script.variables).flatMap(([name, value]) => ['-D', `${name}=${value}`]);
  const args = ['-n', '-M', 'prepared', '-c', String(atOnce), '-T', String(seconds), '-f', file, ...given];
  const env = {
    PATH: [findPrograms('postgres')?.folder, process.env['PATH']].join(delimiter),
    PGHOST: address.hostname,
    PGPORT: address.port,
    PGUSER: address.username,
    PGPASSWORD: address.password,
    PGDATABASE: address.pathname.slice(1),
    PGOPTIONS: `-c search_path=${service}`,
  };
  const output = await promisify(execFile)('pgbench', args, { env, timeout: (seconds + 60) * 1_000 }).catch((error) => {
    throw new Sentence(`pgbench, with what ${service} does for a pair, failed: ${messageOf(error)}`);
  });
  return Number(/transactions actually processed: (\d+)/.exec(output.stdout)?.[1]);
}

function addressOf(stack: Stack, service: (typeof serviceNames)[number]): URL | undefined {
  const { DATABASE_URL: url } = stack.processes.environmentOf(service);
  return url === undefined ? undefined : new URL(url);
}

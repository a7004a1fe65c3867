import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { withClient } from '@cobro/postgres/with-client.ts';
import { setFaults } from '@cobro/testing/bank-faults.ts';
import { say } from '../../dev/stack/in-own-run.ts';
import { readRecord } from '../../dev/stack/run-record.ts';
import type { Run } from '../../dev/stack/run.ts';
import { refuseGivenServers } from '../../dev/stack/servers/given-servers.ts';
import { findPrograms } from '../../dev/stack/servers/programs.ts';
import { startPrivatePostgres } from '../../dev/stack/servers/private-postgres.ts';
import { Sentence } from '../../dev/stack/servers/server.ts';
import { type Stack, startStack } from '../../dev/stack/stack.ts';
import type { ServiceName } from '../../services/definitions.ts';
import type { Merchant } from '../../bench/payment-requests.ts';
import type { Receivers } from './receivers.ts';
import { type SmallDisk, mountDisk } from './small-disks.ts';

/** A stack on its own servers; each of its parts can be made sick. */
export interface SickStack {
  stack: Stack;
  disks: { data: SmallDisk; wal: SmallDisk };
  /** Runs a statement as Postgres' administrator, in the stack's database. @throws after 5 s */
  admin(statement: string): Promise<void>;
  /** Runs a command of the broker's operator. */
  brokerCommand(...args: string[]): Promise<void>;
  /** Sets what goes wrong at the bank, as the body of its `PUT /faults`. */
  setBankFaults(faults: object): Promise<void>;
  /** Halts a service's process, or lets it go on. */
  signal(service: ServiceName, signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Starts Postgres again if it has ended, as a supervisor does. */
  keepPostgresUp(): Promise<void>;
  /** Not one of the healthy merchants: it floods, reads slowly, or has a silent card. */
  troublemaker: Merchant;
  receivers: Receivers;
  /** Merchants whose cards go to the other acquirer. */
  moved: Merchant[];
}

/** The other acquirer answers each question about a key differently. */
export const contradicting = { PLANTED_BUG: 'answersRepeatsAfresh' };

/** The stack before it has merchants. */
export type StartedSickStack = Omit<SickStack, 'troublemaker' | 'moved' | 'receivers'>;

const DATA_BYTES = 2 ** 30;
const WAL_BYTES = 2 ** 29;

export async function startSickStack(run: Run): Promise<StartedSickStack> {
  refuseGivenServers('The sick run stops and fills servers, so it starts its own');
  process.env['STACK'] = 'native';
  const programs = findPrograms('postgres');
  if (programs === undefined) throw new Sentence('The sick run needs the programs of Postgres on this machine.');
  const disks = { data: mountDisk(run, 'data-disk', DATA_BYTES), wal: mountDisk(run, 'wal-disk', WAL_BYTES) };
  const folders = { data: join(disks.data.folder, 'data'), wal: join(disks.wal.folder, 'wal') };
  const postgres = await startPrivatePostgres(run, programs, { durable: true, folders });
  const settings = { telemetry: false, checked: true, hasOtherBank: true, env: { otherBank: contradicting } };
  const stack = await startStack({ run, servers: { postgres }, say, ...settings });
  const pidsOf = (name: string) =>
    (readRecord(run.folder)?.processes ?? []).flatMap((process) => (process.name === name ? [process.pid] : []));
  return {
    stack,
    disks,
    admin: async (statement) => {
      const patience = { connectionTimeoutMillis: 5_000, query_timeout: 5_000 };
      await withClient({ connectionString: stack.databaseUrl, ...patience }, (client) => client.query(statement));
    },
    brokerCommand: (...args) => runBrokerCommand(pidsOf('rabbitmq')[0], args),
    signal: (service, signal) => {
      for (const pid of pidsOf(service)) process.kill(pid, signal);
    },
    setBankFaults: (faults) => setFaults(stack.bankUrl, faults),
    keepPostgresUp: async () => {
      if (pidsOf('postgres').length === 0) await postgres.start();
    },
  };
}

/** Runs rabbitmqctl as the broker's own user and in its environment, which names the node and where its cookie is. */
async function runBrokerCommand(pid: number | undefined, args: string[]): Promise<void> {
  const programs = findPrograms('rabbitmq');
  if (pid === undefined || programs === undefined) throw new Error('no broker of ours runs');
  const lines = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  const env = Object.fromEntries(lines.map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]));
  const { uid, gid } = statSync(`/proc/${pid}`);
  const program = join(dirname(programs.server), 'rabbitmqctl');
  await promisify(execFile)(program, args, { env, cwd: env['HOME'] ?? '/', uid, gid, timeout: 30_000 });
}

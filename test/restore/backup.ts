import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withClient } from '@cobro/postgres/with-client.ts';
import { giveTo } from '../../dev/stack/servers/unprivileged-user.ts';
import { waitUntil } from '../../dev/stack/wait-until.ts';
import type { PostgresTools } from './postgres-tools.ts';

/** Runs one statement as an administrator and returns its rows. */
export const ask = <Row>(url: string, statement: string): Promise<Row[]> =>
  withClient(
    { connectionString: url, connectionTimeoutMillis: 5_000 },
    async (client) => (await client.query(statement)).rows as Row[],
  );

/** How many bytes of write-ahead log the server has ever written. */
export async function logWritten(url: string): Promise<number> {
  const [row] = await ask<{ bytes: string }>(url, `select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes`);
  return Number(row?.bytes);
}

export type WalReceiver = Awaited<ReturnType<typeof startWalReceiver>>;

/**
 * Starts `pg_receivewal --synchronous` into a new folder, and waits until it is connected. Each commit waits for it once
 * `synchronous_standby_names` has its name.
 */
export async function startWalReceiver(tools: PostgresTools, url: string, folder: string) {
  const name = 'received';
  mkdirSync(folder, { mode: 0o700 });
  giveTo(tools.user, folder);
  const connection = new URL(url);
  connection.searchParams.set('application_name', name);
  const where = ['--dbname', connection.href, '--directory', folder, '--slot', name];
  await tools.run('pg_receivewal', [...where, '--create-slot']);
  const child = tools.spawn('pg_receivewal', [...where, '--synchronous']);
  const connected = async () =>
    (await ask(url, `select from pg_stat_replication where application_name = '${name}' and state = 'streaming'`))
      .length === 1;
  if (!(await waitUntil(connected, 30_000))) throw new Error('the receiver of the log did not connect');
  return {
    name,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGINT');
      await exited;
    },
  };
}

/** From now on no commit is answered before the receiver has it on its disk. */
export async function waitForReceiver(url: string, { name }: WalReceiver): Promise<void> {
  await ask(url, `alter system set synchronous_standby_names = '${name}'`);
  await ask(url, 'select pg_reload_conf()');
  const isSynchronous = async () =>
    (await ask(url, `select from pg_stat_replication where application_name = '${name}' and sync_state = 'sync'`))
      .length === 1;
  if (!(await waitUntil(isSynchronous, 30_000))) throw new Error('Postgres does not wait for the receiver');
}

/** Copies the running server's files and verifies the copy by its manifest. The receiver has its log. */
export async function takeBaseBackup(tools: PostgresTools, url: string, folder: string): Promise<void> {
  mkdirSync(folder, { mode: 0o700 });
  giveTo(tools.user, folder);
  await tools.run('pg_basebackup', ['--dbname', url, '--pgdata', folder, '--wal-method=none', '--checkpoint=fast']);
  await tools.run('pg_verifybackup', ['--no-parse-wal', folder]);
}

/** Turns a base backup into a server's files. When it starts, the server applies all received log. */
export function restoreBaseBackup(tools: PostgresTools, folders: { base: string; wal: string; data: string }): void {
  const { base, wal, data } = folders;
  // The copy keeps the files' owners.
  execFileSync('cp', ['-a', base, data]);
  const fetch = `cp "${wal}/%f" "%p" || cp "${wal}/%f.partial" "%p"`;
  appendFileSync(join(data, 'postgresql.auto.conf'), `restore_command = '${fetch}'\n`);
  writeFileSync(join(data, 'recovery.signal'), '');
  giveTo(tools.user, join(data, 'recovery.signal'));
}

/** Waits until the server has applied the whole log and takes writes. */
export async function untilRestored(url: string): Promise<void> {
  const takesWrites = async () => {
    const rows = await ask<{ recovering: boolean }>(url, 'select pg_is_in_recovery() as recovering').catch(() => []);
    return rows[0]?.recovering === false;
  };
  if (!(await waitUntil(takesWrites, 120_000))) throw new Error('Postgres did not end its recovery');
}

/** Bytes of all files below a folder. */
export const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../free-ports.ts';
import type { Run } from '../run.ts';
import { startPrivateServer } from './private-server.ts';
import type { Programs } from './programs.ts';
import type { Server } from './server.ts';
import { giveTo, unprivilegedUser } from './unprivileged-user.ts';

export interface PostgresSettings {
  /** False where a power cut may cost the data (tests): commits then do not wait for the disk. */
  durable: boolean;
}

export async function startPrivatePostgres(
  run: Run,
  programs: Programs['postgres'],
  settings: PostgresSettings,
): Promise<Server> {
  // Postgres refuses to run as root.
  const user = unprivilegedUser('postgres', 'nobody');
  const port = await freePort();
  const password = randomBytes(18).toString('base64url');
  const folder = join(run.dataFolder, 'postgres');
  const data = join(folder, 'data');
  const env = { PATH: `${programs.folder}:/usr/bin:/bin`, LC_ALL: 'C.UTF-8' };
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(folder, 'password'), password, { mode: 0o600 });
  giveTo(user, folder, join(folder, 'password'));
  await promisify(execFile)(
    join(programs.folder, 'initdb'),
    [
      `--pgdata=${data}`,
      '--username=postgres',
      '--auth=scram-sha-256',
      `--pwfile=${join(folder, 'password')}`,
      '--no-sync',
      '--encoding=UTF8',
      '--locale=C.UTF-8',
    ],
    { cwd: folder, env, ...user },
  );
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  return startPrivateServer(run, {
    name: 'postgres',
    url,
    programs: programs.folder,
    crashSignal: 'SIGQUIT',
    isReady: () => answers(url),
    spawn: () =>
      run.spawn({
        name: 'postgres',
        command: join(programs.folder, 'postgres'),
        args: ['-D', data, ...serverSettings(port, settings)],
        env,
        cwd: folder,
        user,
      }),
  });
}

function serverSettings(port: number, { durable }: PostgresSettings): string[] {
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    // Their paths have a length limit that a temporary folder may exceed.
    'unix_socket_directories=',
    'max_connections=300',
    'shared_buffers=128MB',
    // When each change was committed: the bench reads the lag of an event from it.
    'track_commit_timestamp=on',
    ...(durable ? [] : ['fsync=off', 'full_page_writes=off']),
  ];
  return settings.flatMap((setting) => ['-c', setting]);
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

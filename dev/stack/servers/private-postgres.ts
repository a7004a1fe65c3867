import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@cobro/testing/free-port.ts';
import type { Run } from '../run.ts';
import { type PostgresSettings, postgresAnswers, postgresArguments, postgresEncoding } from './postgres-settings.ts';
import { startPrivateServer } from './private-server.ts';
import type { Programs } from './programs.ts';
import { type Server, newPassword } from './server.ts';
import { giveTo, unprivilegedUser } from './unprivileged-user.ts';

/** Folders that do not exist yet, each on a disk of its own. The log is kept there in segments of a megabyte. */
export interface PostgresFolders {
  data: string;
  wal: string;
}

export async function startPrivatePostgres(
  run: Run,
  programs: Programs['postgres'],
  { folders, ...settings }: PostgresSettings & { folders?: PostgresFolders },
): Promise<Server> {
  // Postgres refuses to run as root.
  const user = unprivilegedUser('postgres', 'nobody');
  const port = await freePort();
  const password = newPassword();
  const folder = join(run.dataFolder, 'postgres');
  const data = folders?.data ?? join(folder, 'data');
  const env = { PATH: `${programs.folder}:/usr/bin:/bin`, LC_ALL: 'C' };
  // Postgres's own default for such segments.
  const small = folders === undefined ? [] : ['max_wal_size=64MB'];
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
      ...(folders === undefined ? [] : [`--waldir=${folders.wal}`, '--wal-segsize=1']),
      ...postgresEncoding(process.platform),
    ],
    { cwd: folder, env, ...user },
  );
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  return startPrivateServer(run, {
    name: 'postgres',
    url,
    programs: programs.folder,
    crashSignal: 'SIGQUIT',
    isReady: () => postgresAnswers(url),
    spawn: () =>
      run.spawn({
        name: 'postgres',
        command: join(programs.folder, 'postgres'),
        args: [
          '-D',
          data,
          // The path of a socket has a length limit, which a temporary folder may exceed.
          ...postgresArguments(
            settings,
            `port=${port}`,
            'listen_addresses=127.0.0.1',
            'unix_socket_directories=',
            ...small,
          ),
        ],
        env,
        cwd: folder,
        user,
      }),
  });
}

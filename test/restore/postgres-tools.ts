import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Run } from '../../dev/stack/run.ts';
import { findPrograms } from '../../dev/stack/servers/programs.ts';
import { lastLines } from '../../dev/stack/servers/private-server.ts';
import { Sentence } from '../../dev/stack/servers/server.ts';
import { unprivilegedUser } from '../../dev/stack/servers/unprivileged-user.ts';

export type PostgresTools = ReturnType<typeof postgresTools>;

/** Programs of this machine's Postgres, run by the user that its server runs as. @throws Sentence if it has none */
export function postgresTools(run: Run) {
  const programs = findPrograms('postgres');
  if (programs === undefined) throw new Sentence('The drill needs the programs of Postgres on this machine.');
  // A server in the PATH may be a link into the folder with all programs of its version.
  const folder = dirname(realpathSync(join(programs.folder, 'postgres')));
  const user = unprivilegedUser('postgres', 'nobody');
  const spawn = (program: string, args: string[]) =>
    run.spawn({
      name: program,
      command: join(folder, program),
      args,
      env: { PATH: `${folder}:/usr/bin:/bin`, LC_ALL: 'C' },
      cwd: run.dataFolder,
      user,
    });
  return {
    programs,
    user,
    spawn,
    /** @throws with the program's last lines if it does not end with 0 */
    run: async (program: string, args: string[]) => {
      const [code] = (await once(spawn(program, args), 'exit')) as [number | null];
      if (code !== 0) throw new Error(`${program} ended with ${code}:\n${lastLines(run.logFile(program))}`);
    },
  };
}

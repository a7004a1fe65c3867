import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../free-ports.ts';
import type { Run } from '../run.ts';
import { startPrivateServer } from './private-server.ts';
import type { Programs } from './programs.ts';
import { withRedis } from './redis-client.ts';
import type { Server } from './server.ts';
import { giveTo, unprivilegedUser } from './unprivileged-user.ts';

export async function startPrivateRedis(run: Run, programs: Programs['redis']): Promise<Server> {
  const user = unprivilegedUser('redis', 'valkey', 'nobody');
  const port = await freePort();
  const password = randomBytes(18).toString('base64url');
  const folder = join(run.dataFolder, 'redis');
  const configuration = join(folder, 'redis.conf');
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(
    configuration,
    [
      `port ${port}`,
      'bind 127.0.0.1',
      `dir ${folder}`,
      `requirepass ${password}`,
      // Rate limits only: what a crash loses is forgotten within a minute anyway.
      'save ""',
      'appendonly no',
      '',
    ].join('\n'),
    { mode: 0o400 },
  );
  giveTo(user, folder, configuration);
  const url = `redis://default:${password}@127.0.0.1:${port}`;
  return startPrivateServer(run, {
    name: 'redis',
    url,
    programs: programs.server,
    crashSignal: 'SIGKILL',
    isReady: () =>
      withRedis(url, (client) => client.ping()).then(
        () => true,
        () => false,
      ),
    spawn: () =>
      run.spawn({
        name: 'redis',
        command: programs.server,
        args: [configuration],
        env: { PATH: '/usr/sbin:/usr/bin:/bin', LANG: 'C.UTF-8' },
        cwd: folder,
        user,
      }),
  });
}

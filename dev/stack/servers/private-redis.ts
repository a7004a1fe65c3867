import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@cobro/testing/free-port.ts';
import type { Run } from '../run.ts';
import { startPrivateServer } from './private-server.ts';
import type { Programs } from './programs.ts';
import { redisAnswers, redisConfiguration } from './redis-settings.ts';
import { type Server, newPassword } from './server.ts';
import { giveTo, unprivilegedUser } from './unprivileged-user.ts';

export async function startPrivateRedis(run: Run, programs: Programs['redis']): Promise<Server> {
  const user = unprivilegedUser('redis', 'valkey', 'nobody');
  const port = await freePort();
  const password = newPassword();
  const folder = join(run.dataFolder, 'redis');
  const configuration = join(folder, 'redis.conf');
  mkdirSync(folder, { mode: 0o700 });
  const content = redisConfiguration(password, `port ${port}`, 'bind 127.0.0.1', `dir ${folder}`);
  writeFileSync(configuration, content, { mode: 0o400 });
  giveTo(user, folder, configuration);
  const url = `redis://default:${password}@127.0.0.1:${port}`;
  return startPrivateServer(run, {
    name: 'redis',
    url,
    programs: programs.server,
    crashSignal: 'SIGKILL',
    isReady: () => redisAnswers(url),
    spawn: () =>
      run.spawn({
        name: 'redis',
        command: programs.server,
        args: [configuration],
        // Redis ends at once where the locale is not on the machine, and a Mac has no C.UTF-8.
        env: { PATH: '/usr/sbin:/usr/bin:/bin', LC_ALL: 'C' },
        cwd: folder,
        user,
      }),
  });
}

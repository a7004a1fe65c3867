import { freePort } from '@cobro/testing/free-port.ts';
import type { Run } from '../../run.ts';
import { redisAnswers, redisConfiguration } from '../redis-settings.ts';
import { type Server, newPassword } from '../server.ts';
import { startContainerServer } from './container-server.ts';
import type { Daemon } from './daemon.ts';
import { LoopbackContainer } from './loopback-container.ts';

const CONFIGURATION = '/usr/local/etc/redis/redis.conf';

export async function startRedisContainer(run: Run, daemon: Daemon, image: string): Promise<Server> {
  const port = await freePort();
  const password = newPassword();
  const container = new LoopbackContainer(image, { container: 6379, host: port })
    .withCopyContentToContainer([{ target: CONFIGURATION, content: redisConfiguration(password), mode: 0o444 }])
    .withCommand(['redis-server', CONFIGURATION]);
  const url = `redis://default:${password}@127.0.0.1:${port}`;
  return startContainerServer(run, daemon, { name: 'redis', image, url, container, isReady: () => redisAnswers(url) });
}

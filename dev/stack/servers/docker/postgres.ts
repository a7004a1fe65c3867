import { freePort } from '@cobro/testing/free-port.ts';
import type { Run } from '../../run.ts';
import { type PostgresSettings, postgresAnswers, postgresArguments, postgresEncoding } from '../postgres-settings.ts';
import { type Server, newPassword } from '../server.ts';
import { startContainerServer } from './container-server.ts';
import type { Daemon } from './daemon.ts';
import { LoopbackContainer } from './loopback-container.ts';

export async function startPostgresContainer(
  run: Run,
  daemon: Daemon,
  image: string,
  settings: PostgresSettings,
): Promise<Server> {
  const port = await freePort();
  const password = newPassword();
  const container = new LoopbackContainer(image, { container: 5432, host: port })
    .withEnvironment({
      POSTGRES_PASSWORD: password,
      POSTGRES_INITDB_ARGS: ['--no-sync', ...postgresEncoding('linux')].join(' '),
    })
    .withCommand(['postgres', ...postgresArguments(settings)]);
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  return startContainerServer(run, daemon, {
    name: 'postgres',
    image,
    url,
    container,
    isReady: () => postgresAnswers(url),
  });
}

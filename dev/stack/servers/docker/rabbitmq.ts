import { freePort } from '@cobro/testing/free-port.ts';
import type { Run } from '../../run.ts';
import {
  type RabbitmqSettings,
  SMALL_PORT_TABLE,
  brokerAccess,
  rabbitmqAnswers,
  rabbitmqConfiguration,
  rabbitmqDefinitions,
} from '../rabbitmq-settings.ts';
import type { Servers } from '../server.ts';
import { startContainerServer } from './container-server.ts';
import type { Daemon } from './daemon.ts';
import { LoopbackContainer } from './loopback-container.ts';

const DEFINITIONS = '/etc/rabbitmq/cobro-definitions.json';
const CONFIGURATION = '/etc/rabbitmq/conf.d/90-cobro.conf';

export async function startRabbitmqContainer(
  run: Run,
  daemon: Daemon,
  image: string,
  settings: RabbitmqSettings,
): Promise<Servers['rabbitmq']> {
  const port = await freePort();
  const access = brokerAccess(settings, port);
  const container = new LoopbackContainer(image, { container: 5672, host: port })
    .withEnvironment({ RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: SMALL_PORT_TABLE })
    .withCopyContentToContainer([
      { target: DEFINITIONS, content: rabbitmqDefinitions(access), mode: 0o444 },
      { target: CONFIGURATION, content: rabbitmqConfiguration(DEFINITIONS), mode: 0o444 },
    ]);
  const { virtualHostUrls, servicePasswords } = access;
  const [url] = virtualHostUrls;
  const isReady = () => rabbitmqAnswers(url);
  const server = await startContainerServer(run, daemon, { name: 'rabbitmq', image, url, container, isReady });
  return { ...server, virtualHostUrls, servicePasswords };
}

import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@cobro/testing/free-port.ts';
import type { Run } from '../run.ts';
import { startPrivateServer } from './private-server.ts';
import type { Programs } from './programs.ts';
import {
  type BrokerAccess,
  type RabbitmqSettings,
  SMALL_PORT_TABLE,
  brokerAccess,
  rabbitmqAnswers,
  rabbitmqConfiguration,
  rabbitmqDefinitions,
} from './rabbitmq-settings.ts';
import type { Servers } from './server.ts';
import { type User, giveTo, unprivilegedUser } from './unprivileged-user.ts';

interface Broker {
  folder: string;
  port: number;
  distributionPort: number;
  epmdPort: number;
  access: BrokerAccess;
}

export async function startPrivateRabbitmq(
  run: Run,
  programs: Programs['rabbitmq'],
  settings: RabbitmqSettings,
): Promise<Servers['rabbitmq']> {
  const port = await freePort();
  const broker: Broker = {
    folder: join(run.dataFolder, 'rabbitmq'),
    port,
    distributionPort: await freePort(),
    epmdPort: await freePort(),
    access: brokerAccess(settings, port),
  };
  const user = unprivilegedUser('rabbitmq');
  writeFiles(broker, user);
  const env = environment(broker);
  // The broker would start epmd itself, as a daemon whose pid nobody knows.
  run.spawn({
    name: 'epmd',
    command: programs.epmd,
    args: ['-port', String(broker.epmdPort), '-address', '127.0.0.1'],
    env,
    cwd: broker.folder,
    user,
  });
  const { virtualHostUrls, servicePasswords } = broker.access;
  const [url] = virtualHostUrls;
  const server = await startPrivateServer(run, {
    name: 'rabbitmq',
    url,
    programs: programs.server,
    crashSignal: 'SIGKILL',
    isReady: () => rabbitmqAnswers(url),
    spawn: () =>
      run.spawn({
        name: 'rabbitmq',
        command: programs.server,
        args: ['-noinput'],
        env,
        cwd: broker.folder,
        user,
      }),
  });
  return { ...server, virtualHostUrls, servicePasswords };
}

function writeFiles(broker: Broker, user: User | undefined): void {
  const at = (name: string) => join(broker.folder, name);
  mkdirSync(broker.folder, { mode: 0o700 });
  mkdirSync(at('home'), { mode: 0o700 });
  const files: Record<string, string> = {
    'home/.erlang.cookie': createHash('sha256').update(randomBytes(32)).digest('hex').slice(0, 20),
    enabled_plugins: '[].',
    'definitions.json': rabbitmqDefinitions(broker.access),
    'rabbitmq.conf': rabbitmqConfiguration(at('definitions.json'), `listeners.tcp.1 = 127.0.0.1:${broker.port}`),
  };
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(at(name), content, { mode: 0o400 });
    giveTo(user, at(name));
  }
  giveTo(user, broker.folder, at('home'));
}

function environment({ folder, port, distributionPort, epmdPort }: Broker): Record<string, string> {
  const at = (name: string) => join(folder, name);
  return {
    PATH: '/opt/homebrew/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: at('home'),
    LANG: 'C.UTF-8',
    RABBITMQ_CONF_ENV_FILE: '/dev/null',
    RABBITMQ_NODENAME: `cobro${port}@localhost`,
    RABBITMQ_NODE_PORT: String(port),
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_DIST_PORT: String(distributionPort),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: `${SMALL_PORT_TABLE} -kernel inet_dist_use_interface {127,0,0,1}`,
    RABBITMQ_BASE: folder,
    RABBITMQ_MNESIA_BASE: at('mnesia'),
    RABBITMQ_LOG_BASE: at('log'),
    RABBITMQ_LOGS: '-',
    RABBITMQ_CONFIG_FILE: at('rabbitmq.conf'),
    RABBITMQ_ADVANCED_CONFIG_FILE: at('advanced.config'),
    RABBITMQ_GENERATED_CONFIG_DIR: at('schema'),
    RABBITMQ_SCHEMA_DIR: at('schema'),
    RABBITMQ_ENABLED_PLUGINS_FILE: at('enabled_plugins'),
    RABBITMQ_PID_FILE: at('rabbit.pid'),
    RABBITMQ_FEATURE_FLAGS_FILE: at('feature_flags'),
    ERL_EPMD_PORT: String(epmdPort),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    // The start script then becomes the broker (by exec) instead of waiting for a child, so there is one pid, and we know it.
    RABBITMQ_ALLOW_INPUT: '1',
  };
}

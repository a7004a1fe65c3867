import { brokerUsers } from '@cobro/frame/broker-users.ts';
import { connect } from 'amqplib';
import { definitions, serviceNames } from '../../../services/definitions.ts';
import { newPassword } from './server.ts';

export interface RabbitmqSettings {
  /** How many virtual hosts the broker has from the start. Tests use one per worker. */
  virtualHosts: number;
}

/** How to reach a broker of ours. `virtualHostUrls` has one address per virtual host. */
export interface BrokerAccess {
  password: string;
  /** Passwords of the services' users, by service. */
  servicePasswords: Record<string, string>;
  virtualHosts: string[];
  virtualHostUrls: [string, ...string[]];
}

/** Limits a table of Erlang, which otherwise has a row for each file that may be opened, perhaps a billion. */
export const SMALL_PORT_TABLE = '+Q 65536';

export function brokerAccess({ virtualHosts }: RabbitmqSettings, port: number): BrokerAccess {
  const password = newPassword();
  const servicePasswords = Object.fromEntries(serviceNames.map((name) => [name, newPassword()]));
  const names = Array.from({ length: virtualHosts }, (_, i) => `cobro${i + 1}`);
  const urls = names.map((name) => `amqp://cobro:${password}@127.0.0.1:${port}/${name}`);
  return { password, servicePasswords, virtualHosts: names, virtualHostUrls: urls as [string, ...string[]] };
}

/** Lines of the configuration of every RabbitMQ of ours, however it is started. */
export function rabbitmqConfiguration(definitionsFile: string, ...more: string[]): string {
  return [
    `load_definitions = ${definitionsFile}`,
    'disk_free_limit.absolute = 50MB',
    'vm_memory_high_watermark.absolute = 1024MB',
    'raft.wal_max_size_bytes = 67108864',
    'log.console = true',
    'log.console.level = warning',
    'log.file = false',
    ...more,
    '',
  ].join('\n');
}

/** Prefixes of tests' exchanges and queues. Rights by routing key are for names without a prefix only. */
const TEST_PREFIXES = String.raw`cobro-[\w.-]+\.`;

/** Definitions that the broker loads as it boots, as JSON, because each virtual host that is made later costs half a second. */
export function rabbitmqDefinitions({ password, servicePasswords, virtualHosts }: BrokerAccess): string {
  const everything = { configure: '.*', write: '.*', read: '.*' };
  const services = brokerUsers({
    definitions,
    userOf: (name) => ({ name, password: servicePasswords[name] ?? '' }),
    virtualHosts,
    prefix: '',
    otherPrefixes: TEST_PREFIXES,
  });
  return JSON.stringify({
    ...services,
    users: [{ name: 'cobro', password, tags: 'administrator' }, ...services.users],
    vhosts: virtualHosts.map((name) => ({ name })),
    permissions: [...virtualHosts.map((vhost) => ({ user: 'cobro', vhost, ...everything })), ...services.permissions],
  });
}

export async function rabbitmqAnswers(url: string): Promise<boolean> {
  try {
    const connection = await connect(url, { timeout: 2_000 });
    await connection.close();
    return true;
  } catch {
    return false;
  }
}

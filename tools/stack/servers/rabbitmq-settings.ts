import { connect } from 'amqplib';

export interface RabbitmqSettings {
  /** How many virtual hosts to have from the start: tests use one per worker. */
  virtualHosts: number;
}

/** How a broker of ours is reached; `virtualHostUrls` has one address per virtual host. */
export interface BrokerAccess {
  password: string;
  virtualHosts: string[];
  virtualHostUrls: [string, ...string[]];
}

/** For Erlang: where a billion open files are allowed it would make a table with a row for each. */
export const SMALL_PORT_TABLE = '+Q 65536';

export function brokerAccess({ virtualHosts }: RabbitmqSettings, port: number, password: string): BrokerAccess {
  const names = Array.from({ length: Math.max(1, virtualHosts) }, (_, i) => `cobro${i + 1}`);
  const urls = names.map((name) => `amqp://cobro:${password}@127.0.0.1:${port}/${name}`);
  return { password, virtualHosts: names, virtualHostUrls: urls as [string, ...string[]] };
}

/** Lines of the configuration of every RabbitMQ of ours, whichever way it is started. */
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

/** Loaded by the broker as it boots, as JSON: virtual hosts made later cost half a second each. */
export function rabbitmqDefinitions({ password, virtualHosts }: BrokerAccess): string {
  const everything = { configure: '.*', write: '.*', read: '.*' };
  return JSON.stringify({
    users: [{ name: 'cobro', password, tags: 'administrator' }],
    vhosts: virtualHosts.map((name) => ({ name })),
    permissions: virtualHosts.map((vhost) => ({ user: 'cobro', vhost, ...everything })),
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

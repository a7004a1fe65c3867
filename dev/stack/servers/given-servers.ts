import { randomUUID } from 'node:crypto';
import { connect } from 'amqplib';
import pg from 'pg';
import { withRedis } from './redis-client.ts';
import { Sentence, type Server, type Servers, foreignServer, hostAndPort, messageOf } from './server.ts';

/**
 * Called by programs that harm servers.
 * @param why the beginning of the sentence: what they do
 * @throws Sentence if the environment names a server
 */
export function refuseGivenServers(why: string): void {
  for (const name of ['DATABASE_URL', 'AMQP_URL', 'REDIS_URL']) {
    if (process.env[name]) throw new Sentence(`${why}: unset ${name}.`);
  }
}

/** Servers that the environment names. Each is asked at once whether our rights suffice, before anything is made there. */
export async function givenPostgres(url: string): Promise<Server> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await reach('DATABASE_URL', url, () => client.connect());
    const { rows } = await client.query(
      'select rolsuper or (rolcreatedb and rolcreaterole) as enough, rolname as name from pg_roles where rolname = current_user',
    );
    const role = rows[0] as { enough: boolean; name: string };
    if (!role.enough) throw new Sentence(`DATABASE_URL: the role ${role.name} needs CREATEDB and CREATEROLE.`);
  } finally {
    await client.end().catch(() => {});
  }
  return foreignServer('postgres', url, 'DATABASE_URL');
}

export async function givenRabbitmq(url: string): Promise<Servers['rabbitmq']> {
  const connection = await reach('AMQP_URL', url, () => connect(url, { timeout: 5_000 }));
  connection.on('error', () => {});
  try {
    const name = `cobro-rights-${randomUUID()}`;
    const channel = await connection.createChannel();
    channel.on('error', () => {});
    await channel.assertExchange(name, 'topic', { durable: false, autoDelete: true });
    await channel.assertQueue(name, { durable: false, exclusive: true });
    await channel.bindQueue(name, name, '#');
    await channel.consume(name, () => {}, { noAck: true });
    await channel.deleteExchange(name);
  } catch (error) {
    throw new Sentence(
      `AMQP_URL: the user needs the rights to configure, write and read in its virtual host (${messageOf(error)}).`,
      { cause: error },
    );
  } finally {
    await connection.close().catch(() => {});
  }
  const server = foreignServer('rabbitmq', url, 'AMQP_URL');
  return { ...server, about: `${server.about}; all services share its one user`, virtualHostUrls: [url] };
}

export async function givenRedis(url: string): Promise<Server> {
  const key = `cobro-rights-${randomUUID()}`;
  await reach('REDIS_URL', url, () =>
    withRedis(url, async (client) => {
      await client.eval('redis.call("set", KEYS[1], 1, "EX", 5) return redis.call("get", KEYS[1])', { keys: [key] });
      await client.del(key);
    }),
  );
  return foreignServer('redis', url, 'REDIS_URL');
}

async function reach<T>(variable: string, url: string, connectTo: () => Promise<T>): Promise<T> {
  if (!URL.canParse(url)) throw new Sentence(`${variable} is not an address.`);
  try {
    return await connectTo();
  } catch (error) {
    throw new Sentence(`${variable}: the server at ${hostAndPort(url)} cannot be used (${messageOf(error)}).`, {
      cause: error,
    });
  }
}

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listParked } from '@cobro/events/parked.ts';
import { deadLetterExchange, eventsExchange } from '@cobro/events/topology.ts';
import { overhear } from '@cobro/testing/hear-events.ts';
import { testEnvironment } from '@cobro/testing/test-environment.ts';
import { withClient } from '@cobro/postgres/with-client.ts';
import { withRedis } from '../../dev/stack/servers/redis-client.ts';
import type { Stack } from '../../dev/stack/stack.ts';
import { fromTestEnvironment } from '../../dev/stack/test-environment.ts';

/** A text in which a secret may be, and where it was found. */
export interface Place {
  where: string;
  text: string;
}

/** The stack's logs and spans, and the logs of the servers that this test run has started. */
export function filesOf(stack: Stack): Place[] {
  return [stack.logFolder, dirname(testEnvironment().topologiesFile)].flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(log|jsonl)$/.test(entry.name))
      .map(({ name }) => ({ where: name, text: readFileSync(join(folder, name), 'utf8') })),
  );
}

/** The bank's books, byte by byte, because the bank locks them while it runs. */
export function bankLedger(stack: Stack): Place[] {
  return readdirSync(stack.run.dataFolder)
    .filter((name) => name.startsWith('bank.sqlite'))
    .map((name) => ({ where: name, text: readFileSync(join(stack.run.dataFolder, name), 'latin1') }));
}

/** Every row of every table of every schema that matches this regular expression. */
export async function tablesOf(stack: Stack, pattern = ''): Promise<Place[]> {
  return withClient({ connectionString: stack.databaseUrl }, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`);
    const places: Place[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string }>(
        `select t::text as text from ${name} t where t::text ~ $1`,
        [pattern],
      );
      places.push({ where: `table ${name}`, text: rows.map(({ text }) => text).join('\n') });
    }
    return places;
  });
}

/** Every Redis key of the stack with its dumped value. */
export function redisOf(stack: Stack): Promise<Place[]> {
  return withRedis(stack.redisUrl, async (client) => {
    const places: Place[] = [];
    for await (const keys of client.scanIterator({ MATCH: `${stack.redisPrefix}*`, COUNT: 1_000 })) {
      for (const key of keys) places.push({ where: 'redis', text: `${key} ${await client.dump(key)}` });
    }
    return places;
  });
}

export interface Overheard {
  /** All messages published so far and all parked ones, with headers. */
  messages(): Promise<Place[]>;
  close(): Promise<void>;
}

/** Gets a copy of every message to a queue from now on, even while the stack's services do not reach the broker. */
export async function overhearMessages(stack: Stack): Promise<Overheard> {
  const { eventsPrefix: prefix } = stack;
  const { url } = stack.servers.rabbitmq.owner === 'this-run' ? stack.servers.rabbitmq : fromTestEnvironment().rabbitmq;
  const heard: Place[] = [];
  const close = await overhear(url, [eventsExchange(prefix), deadLetterExchange(prefix)], (message) => {
    const text = `${JSON.stringify([message.fields, message.properties])} ${message.content.toString()}`;
    heard.push({ where: 'message', text });
  });
  return {
    messages: async () => {
      const parked = await listParked({ url, prefix });
      return [...heard, ...parked.map((event) => ({ where: 'parked', text: JSON.stringify(event) }))];
    },
    close,
  };
}

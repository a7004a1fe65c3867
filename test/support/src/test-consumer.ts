import type { Envelope } from '@cobro/contracts/events.ts';
import { createSignatureCheck } from '@cobro/events/event-signature.ts';
import type { EventHandler } from '@cobro/events/inbox.ts';
import { eventsMigrations } from '@cobro/events/migrations.ts';
import { consumerQueue, parkedQueue } from '@cobro/events/topology.ts';
import { openPatiently, sql } from '@cobro/postgres/database.ts';
import { connect } from 'amqplib';
import { generateKeys } from './keys.ts';
import { testBroker } from './test-broker.ts';
import { testDatabase } from './test-database.ts';

/**
 * For tests of how events are consumed, whatever they mean: a consumer's queue, its database with an inbox, and a handler whose
 * effect can be counted.
 */
export async function testConsumer(name: string, retryDelaysMs: readonly number[]) {
  const [topology, database] = await Promise.all([
    testBroker({ retryDelaysMs }),
    testDatabase({ name, migrations: [eventsMigrations] }),
  ]);
  const { url, prefix } = topology;
  const keys = generateKeys();
  const db = openPatiently({ url: database.url, schema: name });
  await db.run(sql`create table effect (event_id uuid not null)`);
  const connection = await connect(url);
  const channel = await connection.createChannel();
  const queue = consumerQueue(prefix, name);
  const leaveEffect: EventHandler = async (tx, event) => {
    await tx.run(sql`insert into effect (event_id) values (${event.id})`);
  };
  return {
    url,
    prefix,
    queue,
    channel,
    db,
    databaseUrl: database.url,
    leaveEffect,
    keys,
    checkSignature: createSignatureCheck(JSON.parse(keys.shared['INTERNAL_VERIFY_KEYS'] ?? '')),
    effectsOf: async (event: Envelope) =>
      Number((await db.one<{ n: bigint }>(sql`select count(*) as n from effect where event_id = ${event.id}`)).n),
    /** Puts an event, signed by its producer, or any text into the queue. */
    send: (message: Envelope | string, messageId = typeof message === 'string' ? 'text' : message.id) => {
      const { content, headers } =
        typeof message === 'string' ? { content: Buffer.from(message), headers: {} } : keys.signed(message);
      return channel.sendToQueue(queue, content, { messageId, persistent: true, headers });
    },
    /** How many messages nobody has taken from the queue yet. */
    waiting: async () => (await channel.checkQueue(queue)).messageCount,
    purge: async () => {
      for (const each of [queue, parkedQueue(prefix)]) await channel.purgeQueue(each);
    },
    drop: async () => {
      await connection.close();
      await db.close();
      await Promise.all([topology.drop(), database.drop()]);
    },
  };
}

export type TestConsumer = Awaited<ReturnType<typeof testConsumer>>;

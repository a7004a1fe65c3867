import type { Channel } from 'amqplib';
import { type ChannelKeeper, keepChannel } from './channel-keeper.ts';
import { type Connection, openConnection } from './connection.ts';
import { type Consumer, type ConsumeOptions, openConsumer } from './consumer.ts';
import type { Log } from './log.ts';
import { type OutgoingMessage, openPublisher } from './publisher.ts';

export interface Broker {
  /** The name of every exchange and queue begins with this. */
  readonly prefix: string;
  /** @throws PublishError */
  publish(message: OutgoingMessage): Promise<void>;
  canPublish(): boolean;
  consume(options: ConsumeOptions): Consumer;
  /** How many undelivered messages the queue has. Undefined while the broker is away. */
  countReady(queue: string): Promise<number | undefined>;
  /** True if there is a channel to publish on and every consumer is consuming. */
  ready(): boolean;
  close(): Promise<void>;
}

export interface BrokerOptions {
  url: string;
  /** The process's name, as the broker's own tools show it. */
  name: string;
  prefix?: string;
  confirmTimeoutMs?: number;
  log: Log;
}

/**
 * Never throws and waits for nothing. If the broker is away, the connection is made when the broker comes back, each time.
 */
export function openBroker({ url, name, prefix = '', confirmTimeoutMs = 5_000, log }: BrokerOptions): Broker {
  // Publishing has a connection of its own, because the broker stops reading from one that publishes too much, and acks must get
  // through.
  const publishing = openConnection({ url, name: `${name} publish`, log });
  let consuming: Connection | undefined;
  const publisher = openPublisher({ connection: publishing, name: `${name} publish`, confirmTimeoutMs, log });
  const consumers: Consumer[] = [];
  const openConsuming = () => (consuming ??= openConnection({ url, name: `${name} consume`, log }));
  // A channel of its own, opened by the first count, because the broker closes a channel that asks for a queue that is not there.
  let counting: ChannelKeeper<Channel> | undefined;
  const openCounting = () =>
    keepChannel({ what: `${name} count`, open: () => openConsuming().openChannel(), prepare: async () => {}, log });
  return {
    prefix,
    publish: (message) => publisher.publish(message),
    canPublish: () => publisher.canPublish(),
    consume: (options) => {
      const consumer = openConsumer({ ...options, connection: openConsuming(), log });
      consumers.push(consumer);
      return consumer;
    },
    countReady: async (queue) => {
      counting ??= openCounting();
      return (await counting.current()?.checkQueue(queue))?.messageCount;
    },
    ready: () => publisher.canPublish() && consumers.every((consumer) => consumer.isConsuming()),
    close: async () => {
      await Promise.all([publisher.close(), counting?.close(), ...consumers.map((consumer) => consumer.close())]);
      await Promise.all([publishing.close(), consuming?.close()]);
    },
  };
}

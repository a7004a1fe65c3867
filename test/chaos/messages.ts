import { deadLetterExchange, eventsExchange } from '@cobro/events/topology.ts';
import { connect } from 'amqplib';
import type { Stack } from '../../dev/stack/stack.ts';

export type Messages = Awaited<ReturnType<typeof keepMessages>>;

/** Makes the broker keep a copy of each message from now on, also across its restarts. */
export async function keepMessages({ brokerUrl, eventsPrefix: prefix }: Stack) {
  const queue = `${prefix}kept-for-the-chaos-run`;
  const kept = await connect(brokerUrl);
  const channel = await kept.createChannel();
  await channel.assertQueue(queue, { durable: true });
  for (const exchange of [eventsExchange(prefix), deadLetterExchange(prefix)])
    await channel.bindQueue(queue, exchange, '#');
  await kept.close();
  return {
    /** Passes each message so far, with its headers, to `show`. Resolves with their number. */
    read: async (show: (message: string) => void): Promise<number> => {
      const connection = await connect(brokerUrl);
      const reading = await connection.createChannel();
      const { messageCount } = await reading.checkQueue(queue);
      let left = messageCount;
      const all = Promise.withResolvers<void>();
      if (left === 0) all.resolve();
      await reading.consume(
        queue,
        (message) => {
          if (message === null) return all.reject(new Error('the broker has taken the queue away'));
          show(`${JSON.stringify(message.properties)} ${message.content.toString()}`);
          if (--left === 0) all.resolve();
        },
        { noAck: true },
      );
      await all.promise;
      await connection.close();
      return messageCount;
    },
  };
}

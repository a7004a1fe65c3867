import { deadLetterExchange, eventsExchange } from '@cobro/events/topology.ts';
import { connect } from 'amqplib';
import type { Stack } from '../../dev/stack/stack.ts';

export type Messages = Awaited<ReturnType<typeof keepMessages>>;

/** Has the broker keep a copy of each message from now on, also over its restarts. */
export async function keepMessages({ brokerUrl, eventsPrefix: prefix }: Stack) {
  const queue = `${prefix}kept-for-the-chaos-run`;
  const kept = await connect(brokerUrl);
  const channel = await kept.createChannel();
  await channel.assertQueue(queue, { durable: true });
  for (const exchange of [eventsExchange(prefix), deadLetterExchange(prefix)])
    await channel.bindQueue(queue, exchange, '#');
  await kept.close();
  return {
    /** All of them so far, each with its headers. */
    read: async () => {
      const connection = await connect(brokerUrl);
      const reading = await connection.createChannel();
      const all: string[] = [];
      for (;;) {
        const message = await reading.get(queue, { noAck: true });
        if (message === false) break;
        all.push(`${JSON.stringify(message.properties)} ${message.content.toString()}`);
      }
      await connection.close();
      return all;
    },
  };
}

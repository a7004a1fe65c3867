import { dataOf, type Envelope, type EventType, parseEnvelope } from '@cobro/contracts/events.ts';
import { eventsExchange } from '@cobro/events/topology.ts';
import { type ConsumeMessage, connect } from 'amqplib';
import { until } from './until.ts';

export type HeardEvents = Awaited<ReturnType<typeof hearEvents>>;

/** Listens, on a queue of its own, to everything that is published from now on. */
export async function hearEvents({ url, prefix }: { url: string; prefix: string }) {
  const heard: Envelope[] = [];
  const close = await overhear(url, [eventsExchange(prefix)], ({ content }) => {
    const event = parseEnvelope(JSON.parse(content.toString()));
    if (!heard.some(({ id }) => id === event.id)) heard.push(event);
  });
  /** All events of one aggregate so far, in the order of arrival. One that is published again counts once, as for all consumers. */
  const of = (subject: string) => heard.filter((event) => event.subject === subject);
  return {
    of,
    /** The data of the aggregate's first event of that type, read by its schema. Waits for the event. */
    data: async <T extends EventType>(type: T, subject: string) => {
      const find = () => of(subject).find((event) => event.type === type);
      await until(`${type} of ${subject}`, () => find() !== undefined);
      return dataOf(type, find() as Envelope);
    },
    close,
  };
}

/** Gets a copy of every message that goes through these exchanges from now on. Returns a function that stops it. */
export async function overhear(url: string, exchanges: string[], hear: (message: ConsumeMessage) => void) {
  const connection = await connect(url);
  const channel = await connection.createChannel();
  const { queue } = await channel.assertQueue('', { exclusive: true });
  for (const exchange of exchanges) await channel.bindQueue(queue, exchange, '#');
  await channel.consume(queue, (message) => void (message && hear(message)), { noAck: true });
  return () => connection.close();
}

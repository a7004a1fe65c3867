import type { KeyObject } from 'node:crypto';
import { shownTo } from '@cobro/certificates/shown-certificate.ts';
import { envelope } from '@cobro/contracts/events.ts';
import { type ConfirmChannel, connect, type GetMessage } from 'amqplib';
import { isSignedWith, NOT_SIGNED_BY } from './event-signature.ts';
import { ownHeaders } from './retry-or-park.ts';
import { parkedQueue } from './topology.ts';

export interface ParkedEvent {
  /** The queue whose consumer could not apply the event. */
  queue: string;
  /** The AMQP message id, which is the event's id. */
  eventId: string;
  /** Null if the message is not an event. */
  type: string | null;
  subject: string | null;
  time: string | null;
  /** How many deliveries failed; 0 if the consumer's process died with the event each time. */
  failures: number;
  /** The error of the last delivery; null if the broker parked the event because it was delivered too often. */
  reason: string | null;
  /** The message as it was sent. */
  body: string;
}

interface Access {
  url: string;
  prefix?: string;
}

const MOST = 10_000;

/** The oldest parked events, at most `limit`. They stay parked, but no other reader sees them meanwhile. */
export function listParked(access: Access, limit = 1_000): Promise<ParkedEvent[]> {
  return withParked(access, limit, async (_channel, messages) => messages.map(describe));
}

/** The parked copies of one event: one for each consumer that could not apply it. */
export async function showParked(access: Access, eventId: string): Promise<ParkedEvent[]> {
  return (await listParked(access, MOST)).filter((event) => event.eventId === eventId);
}

/**
 * Puts one parked event, or all, back to the consumers that failed on them; each gets all its deliveries again. Returns the events put
 * back.
 */
export function retryParked(access: Access, eventId?: string): Promise<ParkedEvent[]> {
  return withParked(access, MOST, async (channel, messages) => {
    const retried: ParkedEvent[] = [];
    for (const message of messages) {
      if (eventId !== undefined && message.properties.messageId !== eventId) continue;
      await putBack(channel, message);
      retried.push(describe(message));
    }
    return retried;
  });
}

/**
 * Throws away the parked messages of this id that are not events, or that their producer has not signed: no consumer can ever apply
 * them. Returns them. Other events stay parked, because each is a change that a follower has not applied.
 */
export function dropParked(access: Access, messageId: string): Promise<ParkedEvent[]> {
  return withParked(access, MOST, async (channel, messages) => {
    const dropped = messages.filter(
      (message) => message.properties.messageId === messageId && !isChange(describe(message)),
    );
    for (const message of dropped) channel.ack(message);
    return dropped.map(describe);
  });
}

/** Whether a parked message is the event of a change: it is an event, and was not parked for its signature. */
export const isChange = ({ body, reason }: ParkedEvent): boolean =>
  envelope.safeParse(readObject(body)).success && reason?.startsWith(NOT_SIGNED_BY) !== true;

/** How many of the parked events this key has signed. */
export const countSignedWith = (access: Access, key: KeyObject): Promise<number> =>
  withParked(access, MOST, async (_channel, messages) => messages.filter((one) => isSignedWith(key, one)).length);

/**
 * Takes the parked messages while `use` runs. When the channel closes, the broker puts back every message that was not
 * acknowledged.
 */
async function withParked<T>(
  { url, prefix = '' }: Access,
  limit: number,
  use: (channel: ConfirmChannel, messages: GetMessage[]) => Promise<T>,
): Promise<T> {
  const connection = await connect(url, { noDelay: true, timeout: 10_000, ...shownTo('rabbitmq') });
  connection.on('error', () => {});
  try {
    const channel = await connection.createConfirmChannel();
    channel.on('error', () => {});
    const messages: GetMessage[] = [];
    while (messages.length < limit) {
      const message = await channel.get(parkedQueue(prefix));
      if (message === false) break;
      messages.push(message);
    }
    const result = await use(channel, messages);
    await channel.close();
    return result;
  } finally {
    await connection.close().catch(() => {});
  }
}

async function putBack(channel: ConfirmChannel, message: GetMessage): Promise<void> {
  const { messageId, contentType, headers } = message.properties;
  const fresh = { ...ownHeaders(headers), attempt: 0, reason: undefined };
  let returned = false;
  const onReturn = () => (returned = true);
  channel.once('return', onReturn);
  const properties = { mandatory: true, persistent: true, contentType, messageId, headers: fresh };
  await new Promise<void>((resolve, reject) => {
    channel.sendToQueue(message.fields.routingKey, message.content, properties, (error: Error | null) =>
      error === null ? resolve() : reject(error),
    );
  });
  channel.off('return', onReturn);
  if (returned) throw new Error(`the queue ${message.fields.routingKey} is not there; the event stays parked`);
  channel.ack(message);
}

function describe({ fields, properties, content }: GetMessage): ParkedEvent {
  const body = content.toString();
  const event = readObject(body);
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    queue: fields.routingKey,
    eventId: String(properties.messageId),
    type: text(event['type']),
    subject: text(event['subject']),
    time: text(event['time']),
    failures: Number(properties.headers?.['attempt'] ?? 0),
    reason: text(properties.headers?.['reason']),
    body,
  };
}

function readObject(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

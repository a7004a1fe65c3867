import { createSemaphore } from '@cobro/async/semaphore.ts';
import type { ConfirmChannel, Message } from 'amqplib';
import { keepChannel } from './channel-keeper.ts';
import type { Connection } from './connection.ts';
import type { Log } from './log.ts';

export interface OutgoingMessage {
  exchange: string;
  routingKey: string;
  content: Buffer;
  messageId: string;
  headers: Record<string, unknown>;
}

/**
 * The broker does not, or may not, have the message. `returned`: no queue takes it. `refused`: a queue refused it.
 * `unavailable`: there was no channel, or it broke off. `timeout`: no confirm came.
 */
export class PublishError extends Error {
  readonly reason: 'returned' | 'refused' | 'unavailable' | 'timeout';
  constructor(reason: PublishError['reason']) {
    super(`the message was not published: ${reason}`);
    this.name = 'PublishError';
    this.reason = reason;
  }
}

export interface Publisher {
  /** Resolves when the broker has stored the message in every queue that the message is routed to. @throws PublishError */
  publish(message: OutgoingMessage): Promise<void>;
  /** True if there is a channel and the broker takes messages. */
  canPublish(): boolean;
  close(): Promise<void>;
}

/** The most messages under way. They fit into amqplib's write buffer of 1024 frames, so a publish never has to wait for 'drain'. */
const MOST_UNDER_WAY = 200;

export function openPublisher(options: {
  connection: Connection;
  name: string;
  confirmTimeoutMs: number;
  log: Log;
}): Publisher {
  const { connection } = options;
  const underWay = createSemaphore({ permits: MOST_UNDER_WAY });
  const returns = countReturns();
  const keeper = keepChannel<ConfirmChannel>({
    what: options.name,
    open: () => connection.openConfirmChannel(),
    prepare: async (channel) => {
      returns.clear();
      channel.on('return', (message: Message) => returns.add(message));
    },
    log: options.log,
  });

  const publishNow = (message: OutgoingMessage) =>
    new Promise<void>((resolve, reject) => {
      const channel = keeper.current();
      if (channel === undefined || connection.isBlocked()) return reject(new PublishError('unavailable'));
      const timer = setTimeout(() => {
        keeper.reopen();
        reject(new PublishError('timeout'));
      }, options.confirmTimeoutMs);
      const confirmed = (error: Error | null) => {
        clearTimeout(timer);
        // The broker returns a message that no queue takes, and then confirms it all the same.
        const returned = returns.take(message);
        if (error !== null) reject(new PublishError(error.message === 'message nacked' ? 'refused' : 'unavailable'));
        else if (returned) reject(new PublishError('returned'));
        else resolve();
      };
      try {
        channel.publish(message.exchange, message.routingKey, message.content, properties(message), confirmed);
      } catch {
        clearTimeout(timer);
        keeper.reopen();
        reject(new PublishError('unavailable'));
      }
    });

  return {
    publish: (message) => underWay.run(() => publishNow(message)),
    canPublish: () => keeper.current() !== undefined && !connection.isBlocked(),
    close: () => keeper.close(),
  };
}

function properties({ messageId, headers }: OutgoingMessage) {
  return {
    mandatory: true,
    persistent: true,
    contentType: 'application/cloudevents+json',
    messageId,
    headers,
  };
}

/** Counts returned messages by id, because the same event may be under way twice (from the outbox and from a retry). */
function countReturns() {
  const counts = new Map<string, number>();
  const key = (exchange: string, routingKey: string, messageId: string) => `${exchange} ${routingKey} ${messageId}`;
  return {
    clear: () => counts.clear(),
    add: ({ fields, properties: { messageId } }: Message) => {
      const name = key(fields.exchange, fields.routingKey, String(messageId));
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    take: (message: OutgoingMessage) => {
      const name = key(message.exchange, message.routingKey, message.messageId);
      const count = counts.get(name) ?? 0;
      if (count > 1) counts.set(name, count - 1);
      else counts.delete(name);
      return count > 0;
    },
  };
}

import type { Channel, ConsumeMessage } from 'amqplib';
import { keepChannel } from './channel-keeper.ts';
import type { Connection } from './connection.ts';
import type { Log } from './log.ts';

/**
 * One message that this process has received and must acknowledge. On a closed channel `ack` does nothing, because the broker
 * delivers the message again.
 */
export interface Delivery {
  message: ConsumeMessage;
  isOpen(): boolean;
  ack(): void;
}

export interface Consumer {
  isConsuming(): boolean;
  /** Takes no more deliveries. Those received before can still be acknowledged. */
  cancel(): Promise<void>;
  close(): Promise<void>;
}

export interface ConsumeOptions {
  queue: string;
  prefetch: number;
  onDelivery: (delivery: Delivery) => void;
}

export function openConsumer(options: ConsumeOptions & { connection: Connection; log: Log }): Consumer {
  const { queue, prefetch, onDelivery, log } = options;
  let consumerTag: string | undefined;
  let cancelled = false;

  const consume = async (channel: Channel) => {
    let open = true;
    channel.once('close', () => (open = false));
    const acks = openAcks(channel);
    if (cancelled) return;
    await channel.prefetch(prefetch);
    const started = await channel.consume(queue, (message) => {
      // The broker ended the consumer: its queue is gone or, from RabbitMQ 4.3 on, a delivery was kept for too long.
      if (message === null) {
        log.warn({ event: 'consumer_cancelled', queue }, 'the broker cancelled the consumer; consuming again');
        return keeper.reopen();
      }
      acks.expect(message);
      onDelivery({ message, isOpen: () => open, ack: () => acks.add(message) });
    });
    consumerTag = started.consumerTag;
    if (cancelled) await channel.cancel(consumerTag);
  };

  const keeper = keepChannel({
    what: queue,
    open: () => options.connection.openChannel(),
    prepare: consume,
    log,
  });

  return {
    isConsuming: () => keeper.current() !== undefined && !cancelled,
    cancel: async () => {
      cancelled = true;
      if (consumerTag !== undefined)
        await keeper
          .current()
          ?.cancel(consumerTag)
          .catch(() => {});
    },
    close: () => keeper.close(),
  };
}

/** Acknowledges finished messages by one frame, up to the first unfinished one; later finished ones by a frame each. */
function openAcks(channel: Channel) {
  /** The messages not yet acknowledged, in the order of their delivery, and whether they are finished. */
  const received = new Map<ConsumeMessage, boolean>();
  let isSoon = false;
  const acknowledge = () => {
    isSoon = false;
    const finished = [...received].filter(([, isFinished]) => isFinished).map(([message]) => message);
    const unfinished = [...received.values()].indexOf(false);
    const upTo = unfinished < 0 ? finished.length : unfinished;
    try {
      const last = finished[upTo - 1];
      if (last !== undefined) channel.ack(last, true);
      for (const message of finished.slice(upTo)) channel.ack(message);
    } catch {
      // The channel is closed or closing. The broker delivers the messages again, and the inbox recognizes them.
    }
    for (const message of finished) received.delete(message);
  };
  return {
    expect: (message: ConsumeMessage) => void received.set(message, false),
    add: (message: ConsumeMessage) => {
      received.set(message, true);
      if (!isSoon) queueMicrotask(acknowledge);
      isSoon = true;
    },
  };
}

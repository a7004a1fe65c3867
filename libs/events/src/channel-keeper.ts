import { backOff, pause, within } from '@cobro/async/time-limit.ts';
import type { Channel } from 'amqplib';
import type { Log } from './log.ts';

/**
 * Keeps one channel open. amqplib restores a lost connection, but neither a channel that the server closed nor what was set up on
 * it.
 */
export interface ChannelKeeper<C extends Channel> {
  /** The channel, or undefined until one is open and prepared. */
  current(): C | undefined;
  /** Gives the channel up and opens a new one. */
  reopen(): void;
  /** Sends what is still buffered, closes the channel and opens no other. */
  close(): Promise<void>;
}

export interface ChannelKeeperOptions<C extends Channel> {
  what: string;
  open: () => Promise<C>;
  prepare: (channel: C) => Promise<void>;
  log: Log;
}

const PREPARE_WITHIN_MS = 10_000;
const CLOSE_WITHIN_MS = 2_000;
/** A channel that was open for longer counts as no failure. */
const HELD_MS = 5_000;
const delayAfter = backOff(100, HELD_MS);

export function keepChannel<C extends Channel>(options: ChannelKeeperOptions<C>): ChannelKeeper<C> {
  const { what, log } = options;
  const stop = new AbortController();
  let current: C | undefined;
  let giveUp: () => void = () => {};

  const holdOneChannel = async () => {
    const channel = await options.open();
    const ended = new Promise<void>((resolve) => {
      channel.once('close', resolve);
      giveUp = resolve;
    });
    channel.on('error', (error: Error) =>
      log.warn({ event: 'channel_error', connection: what, error }, 'channel closed'),
    );
    try {
      // The broker never replies to a consume on a queue that lost its storage.
      await within(PREPARE_WITHIN_MS, options.prepare(channel));
      current = channel;
      await ended;
    } finally {
      current = undefined;
      channel.close().catch(() => {});
    }
  };

  const keep = async () => {
    for (let failures = 0; !stop.signal.aborted; failures++) {
      const openedAt = Date.now();
      await holdOneChannel().catch((error: unknown) => {
        if (stop.signal.aborted) return;
        log.warn({ event: 'channel_not_open', connection: what, error }, 'could not open a channel; trying again');
      });
      if (Date.now() - openedAt > HELD_MS) failures = 0;
      await pause(delayAfter(failures), stop.signal);
    }
  };
  void keep();

  return {
    current: () => current,
    reopen: () => giveUp(),
    close: async () => {
      stop.abort();
      const last = current;
      // Once the broker has replied to the close, it has received every ack that was sent before.
      if (last !== undefined) await within(CLOSE_WITHIN_MS, last.close()).catch(() => {});
      giveUp();
    },
  };
}

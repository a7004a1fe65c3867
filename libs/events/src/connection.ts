import { shownTo } from '@cobro/certificates/shown-certificate.ts';
import { connect, type Channel, type ChannelModel, type ConfirmChannel, type RecoveringChannelModel } from 'amqplib';
import type { Log } from './log.ts';
import { within } from '@cobro/async/time-limit.ts';

/** One connection to the broker, reconnected for ever. A broker that is away is no error. */
export interface Connection {
  /** Waits for the connection as long as it takes. */
  openChannel(): Promise<Channel>;
  openConfirmChannel(): Promise<ConfirmChannel>;
  /** True while the broker is short of memory or disk and therefore reads nothing from us. */
  isBlocked(): boolean;
  close(): Promise<void>;
}

const CLOSE_WITHIN_MS = 2_000;

export function openConnection(options: { url: string; name: string; log: Log }): Connection {
  const { name, log } = options;
  let blocked = false;
  const opening = connect(withHeartbeat(options.url), {
    // Nagle's algorithm would cost the relay 70 ms for each batch.
    noDelay: true,
    keepAlive: true,
    timeout: 10_000,
    ...shownTo('rabbitmq'),
    clientProperties: { connection_name: name },
    recovery: {
      waitForConnect: false,
      initialDelay: 100,
      maxDelay: 2_000,
      // Until the set-up is over there is no other listener, and an 'error' event without a listener ends the process.
      setup: async (model: ChannelModel) => void model.on('error', () => {}),
    },
  }).then((model) => {
    watch(model, name, log, (now) => (blocked = now));
    return model;
  });
  return {
    openChannel: async () => (await opening).createChannel(),
    openConfirmChannel: async () => (await opening).createConfirmChannel(),
    isBlocked: () => blocked,
    close: async () => {
      const model = await opening;
      // A broker that hangs must not hold up the exit of the process.
      await within(CLOSE_WITHIN_MS, model.close()).catch(() => {});
    },
  };
}

function watch(model: RecoveringChannelModel, connection: string, log: Log, setBlocked: (now: boolean) => void): void {
  let away = false;
  model.on('connect', () => {
    away = false;
    setBlocked(false);
    log.info({ event: 'broker_connected', connection }, 'connected to the broker');
  });
  model.on('disconnect', (error: Error) => {
    away = true;
    setBlocked(false);
    log.warn({ event: 'broker_lost', connection, error }, 'lost the broker; connecting again');
  });
  model.on('connect-failed', (error: Error) => {
    if (!away) log.warn({ event: 'broker_unreachable', connection, error }, 'the broker is not there; trying on');
    away = true;
  });
  model.on('blocked', () => {
    setBlocked(true);
    log.warn({ event: 'broker_blocked', connection }, 'the broker is short of memory or disk; publishing waits');
  });
  model.on('unblocked', () => {
    setBlocked(false);
    log.info({ event: 'broker_unblocked', connection }, 'the broker takes messages again');
  });
  // 'disconnect' always follows and is logged.
  model.on('error', () => {});
}

function withHeartbeat(url: string): string {
  const address = new URL(url);
  if (!address.searchParams.has('heartbeat')) address.searchParams.set('heartbeat', '10');
  return address.href;
}

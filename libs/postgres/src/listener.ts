import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pause } from '@cobro/async/time-limit.ts';
import pg from 'pg';
import { shownToPostgres } from './shown-to-postgres.ts';

export interface ListenerOptions {
  url: string;
  /** Of the connection, as Postgres shows it. */
  name: string;
  channel: string;
  onNotice: (payload: string) => void;
  /** Called whenever listening begins: what was notified before has not been heard. */
  onGap: () => void;
  log: { warn(fields: object, message: string): void };
}

export interface Listener {
  close(): Promise<void>;
}

const ANSWER_WITHIN_MS = 2_000;
const PROBE_EVERY_MS = 2_000;
const TRY_AGAIN_MS = 500;
const GOODBYE_MS = 500;

/** Hears what is notified on a channel, on a connection of its own that is made again whenever it breaks or falls silent. */
export function openListener(options: ListenerOptions): Listener {
  const stop = new AbortController();
  const running = listenOn(options, stop.signal);
  return {
    close: async () => {
      stop.abort();
      await running;
    },
  };
}

async function listenOn(options: ListenerOptions, stop: AbortSignal): Promise<void> {
  for (let failing = false; !stop.aborted;) {
    try {
      await listenOnce(options, stop, () => (failing = false));
    } catch (error) {
      if (!failing) options.log.warn({ error, event: 'listener_waits' }, 'nothing is heard; trying on');
      failing = true;
      await pause(TRY_AGAIN_MS, stop);
    }
  }
}

/** Listens until the connection breaks, or until `stop`. */
async function listenOnce(
  { url, name, channel, onNotice, onGap }: ListenerOptions,
  stop: AbortSignal,
  onListening: () => void,
) {
  const client = new pg.Client({
    connectionString: shownToPostgres(url),
    application_name: `${name} listener`,
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
    keepAlive: true,
  });
  // A connection that breaks fails the next probe as well. Without a listener the error event would end the process.
  client.on('error', () => {});
  client.on('notification', ({ payload }) => payload !== undefined && onNotice(payload));
  try {
    await client.connect();
    await client.query(`listen ${channel}`);
    onListening();
    onGap();
    while (!stop.aborted) {
      await pause(PROBE_EVERY_MS, stop);
      // A server that has stopped notifies nobody, and without a query that goes unnoticed.
      await client.query('select 1');
    }
  } finally {
    await Promise.race([client.end().catch(() => {}), sleep(GOODBYE_MS)]);
    // A server that has stopped does not say goodbye.
    (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
  }
}

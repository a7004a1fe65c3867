import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pause } from '@cobro/async/time-limit.ts';
import pg from 'pg';
import { shownToPostgres } from './shown-to-postgres.ts';

export interface SessionOptions<T> {
  url: string;
  /** Of the connection, as Postgres shows it. */
  name: string;
  /** Where it is given, statements need not name it. */
  schema?: string;
  /** Begins what lasts as long as the session. */
  begin: (client: pg.Client) => Promise<T>;
  log: { warn(fields: object, message: string): void };
}

/** What a session has begun. */
export interface Session<T> {
  is: T;
  /** Aborted when the session has ended, or has fallen silent. */
  ended: AbortSignal;
}

export interface KeptSession<T> {
  /** Undefined while there is none. */
  current(): Session<T> | undefined;
  close(): Promise<void>;
}

const ANSWER_WITHIN_MS = 2_000;
const PROBE_EVERY_MS = 2_000;
const TRY_AGAIN_MS = 500;
const GOODBYE_MS = 500;
/** A server asks after a machine that is silent, and ends its session 20 s later: long after the process has found it silent. */
const ASKED_AFTER = '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';

/**
 * A connection of its own, made again whenever it breaks or falls silent. What begins with its session (listening, an advisory lock)
 * ends with it, so also when the process dies.
 */
export function keepSession<T>(options: SessionOptions<T>): KeptSession<T> {
  const stop = new AbortController();
  let current: Session<T> | undefined;
  const running = keep(options, stop.signal, (session) => (current = session));
  return {
    current: () => current,
    close: async () => {
      stop.abort();
      await running;
    },
  };
}

type Note<T> = (session: Session<T> | undefined) => void;

async function keep<T>(options: SessionOptions<T>, stop: AbortSignal, note: Note<T>): Promise<void> {
  for (let failing = false; !stop.aborted;) {
    try {
      await lastOnce(options, stop, (session) => {
        if (session !== undefined) failing = false;
        note(session);
      });
    } catch (error) {
      const fields = { error, event: 'session_waits', connection: options.name };
      if (!failing) options.log.warn(fields, 'a session with the database has ended; trying on');
      failing = true;
      await pause(TRY_AGAIN_MS, stop);
    }
  }
}

/** Lasts until the connection breaks, or until `stop`. */
async function lastOnce<T>({ url, name, schema, begin }: SessionOptions<T>, stop: AbortSignal, note: Note<T>) {
  const over = new AbortController();
  const client = new pg.Client({
    connectionString: shownToPostgres(url),
    application_name: name,
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
    keepAlive: true,
    options: schema === undefined ? ASKED_AFTER : `${ASKED_AFTER} -c search_path=${schema}`,
  });
  const end = () => {
    note(undefined);
    over.abort();
  };
  // Without a listener the error event would end the process.
  client.on('error', end);
  client.on('end', end);
  try {
    await client.connect();
    note({ is: await begin(client), ended: over.signal });
    while (!stop.aborted && !over.signal.aborted) {
      await pause(PROBE_EVERY_MS, AbortSignal.any([stop, over.signal]));
      // A server that has stopped notifies nobody, and without a query that goes unnoticed.
      await client.query('select 1');
    }
  } finally {
    end();
    await Promise.race([client.end().catch(() => {}), sleep(GOODBYE_MS)]);
    // A server that has stopped does not say goodbye.
    (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
  }
}

import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pause } from '@cobro/async/time-limit.ts';
import pg from 'pg';
import { shownToPostgres } from './shown-to-postgres.ts';

export interface SessionOptions<T> {
  url: string;
  /** The connection's name, as Postgres shows it. */
  name: string;
  /** If it is given, statements need not name it. */
  schema?: string;
  /** Starts what ends with the session, such as listening. */
  begin: (client: pg.Client) => Promise<T>;
  log: { warn(fields: object, message: string): void };
}

/** An open session. `is` is what `begin` returned. */
export interface Session<T> {
  is: T;
  /** Aborted when the session has ended, or has fallen silent. */
  ended: AbortSignal;
}

export interface KeptSession<T> {
  /** Undefined while no session is open. */
  current(): Session<T> | undefined;
  close(): Promise<void>;
}

const ANSWER_WITHIN_MS = 2_000;
const PROBE_EVERY_MS = 2_000;
const TRY_AGAIN_MS = 500;
const GOODBYE_MS = 500;
/** The server probes a silent client, and ends its session after 20 s: long after this process has noticed the silence. */
const ASKED_AFTER = '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';

/**
 * Keeps one connection, and makes it again whenever it breaks or falls silent. What `begin` starts (listening, an advisory lock) ends
 * with the session, so also when the process dies.
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

/** Holds one session until the connection breaks or `stop` is aborted. */
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
      // A frozen server sends no notices; only a query shows that it is frozen.
      await client.query('select 1');
    }
  } finally {
    end();
    await Promise.race([client.end().catch(() => {}), sleep(GOODBYE_MS)]);
    // A frozen server does not close the connection.
    (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
  }
}

import { createHash } from 'node:crypto';
import { createClient } from 'redis';
import type { Log } from './log.ts';

/** A Lua script, which Redis runs as one step. */
export interface Script {
  text: string;
  /** By which Redis knows it once it has seen the text. */
  sha1: string;
}

export const luaScript = (text: string): Script => ({ text, sha1: createHash('sha1').update(text).digest('hex') });

/** Redis, which may be slow, stalled or away at any moment. */
export interface Redis {
  /**
   * What the script replies, or undefined where Redis gives no reply within 70 ms: then the caller decides alone. A script that
   * was sent may still run later. Never rejects.
   * @param keys without the prefix, which is put before each
   */
  run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>;
  close(): void;
}

export interface RedisOptions {
  url: string;
  /** Stands before the name of every key. */
  prefix: string;
  log: Log;
  /** So long a request waits for Redis: 70 ms, with what else the request takes less than 100 ms, unless a test has more time. */
  patienceMs?: number;
}

/**
 * A Redis that owes a reply for so many times the patience of a request is asked nothing more until it replies. Until then it is
 * asked all the same, because on a busy machine it often is only late: what it was sent it counts, and so no request is missing
 * from its counts.
 */
const SILENT_AFTER = 7;
const BEAT_EVERY_MS = 500;
/** More than the time between two beats, so that only a connection whose other end is gone is given up. */
const SOCKET_TIMEOUT_MS = 2_000;
const CONNECT_TIMEOUT_MS = 2_000;
const MOST_BETWEEN_CONNECTS_MS = 1_000;

/** Begins to connect, and goes on trying for as long as it takes. Neither opening nor asking ever throws. */
export function openRedis({ url, prefix, log, patienceMs = 70 }: RedisOptions): Redis {
  const health = watchHealth(log);
  const client = createClient({
    url,
    disableOfflineQueue: true,
    // It would leave a timer and a weak reference for each command, and does not cover one that was sent.
    commandOptions: { timeout: 0 },
    maintNotifications: 'disabled',
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      reconnectStrategy: (retries) => Math.min(MOST_BETWEEN_CONNECTS_MS, 50 * 2 ** Math.min(retries, 10)),
    },
  });
  client.on('error', (error: unknown) => health.failed(error));
  // It rejects where it is closed before it was connected; anything else comes as an 'error'.
  client.connect().catch(() => {});

  /** When each command was sent that has no reply yet; the oldest comes first. */
  const unreplied = new Set<{ sentAt: number }>();
  const silentForMs = () => {
    const [oldest] = unreplied;
    return oldest === undefined ? 0 : performance.now() - oldest.sentAt;
  };
  const send = async (command: readonly string[]): Promise<unknown> => {
    const sent = { sentAt: performance.now() };
    unreplied.add(sent);
    try {
      return await client.sendCommand(command);
    } finally {
      unreplied.delete(sent);
    }
  };
  const evaluate = async (script: Script, rest: readonly string[]): Promise<unknown> => {
    try {
      return await send(['EVALSHA', script.sha1, ...rest]);
    } catch (error) {
      if (!isUnknownScript(error)) throw error;
      return send(['EVAL', script.text, ...rest]);
    }
  };
  const beat = setInterval(() => {
    if (!client.isReady || unreplied.size > 0) return;
    // While it does not work, a write: a Redis that is full or only a copy answers a PING all the same.
    const command = health.works() ? ['PING'] : ['SET', `${prefix}beat`, '1', 'PX', '5000'];
    void inTime(send(command), patienceMs).then(health.replied, () => {});
  }, BEAT_EVERY_MS).unref();

  return {
    run: async (script, keys, args) => {
      if (!client.isReady || silentForMs() > SILENT_AFTER * patienceMs) return health.unreachable();
      const rest = [String(keys.length), ...keys.map((key) => prefix + key), ...args.map(String)];
      try {
        const reply = await inTime(evaluate(script, rest), patienceMs);
        health.replied();
        return reply;
      } catch (error) {
        return health.failed(error);
      }
    },
    close: () => {
      clearInterval(beat);
      health.close();
      client.destroy();
    },
  };
}

const isUnknownScript = (error: unknown) => error instanceof Error && error.message.startsWith('NOSCRIPT');

function inTime(reply: Promise<unknown>, patienceMs: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`Redis did not answer within ${patienceMs} ms`));
    // A reply that came while this process was busy is read before the immediate runs.
    const timer = setTimeout(() => setImmediate(late), patienceMs);
    reply.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** So long nothing may have failed before the fall-back counts as over: a Redis at its limits is not a line per request. */
const CALM_MS = 1_000;

/** Says by one line when the limits are kept by this process alone, and by one when by all together again. */
function watchHealth(log: Log) {
  let state: 'opening' | 'works' | 'does not work' | 'closed' = 'opening';
  let failedAt = Number.NEGATIVE_INFINITY;
  const say = (why: { error?: unknown; reason?: string }): undefined => {
    failedAt = performance.now();
    if (state === 'does not work' || state === 'closed') return;
    state = 'does not work';
    log.warn(why, 'Redis does not answer: this process keeps the limits alone');
  };
  return {
    works: () => state !== 'does not work',
    failed: (error: unknown) => say({ error }),
    /** It is not even asked. As long as the first connection is on its way this is no news. */
    unreachable: (): undefined => (state === 'opening' ? undefined : say({ reason: 'not connected, or silent' })),
    replied: () => {
      if (state === 'opening') state = 'works';
      if (state !== 'does not work' || performance.now() - failedAt < CALM_MS) return;
      state = 'works';
      log.info({}, 'Redis answers again: all processes keep the limits together');
    },
    close: () => {
      state = 'closed';
    },
  };
}

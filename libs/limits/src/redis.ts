import { createHash } from 'node:crypto';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { within } from '@cobro/async/time-limit.ts';
import { openConnection } from './connection.ts';
import { watchHealth } from './health.ts';
import type { Log } from './log.ts';
import { readRedisAddress } from './redis-address.ts';

/** A Lua script, which Redis runs as one step. */
export interface Script {
  text: string;
  /** Names the script to Redis once it has seen the text. */
  sha1: string;
}

export const luaScript = (text: string): Script => ({ text, sha1: createHash('sha1').update(text).digest('hex') });

/** Redis, which may be slow, stalled or away at any moment. */
export interface Redis {
  /**
   * Resolves with the script's reply, or with undefined if Redis fails or sends none within 70 ms: then the caller decides alone.
   * A script that was sent may still run later. Never rejects.
   * @param key the script's only key, because a cluster's keys lie on several servers; without the prefix
   */
  run(script: Script, key: string, args: readonly (string | number)[]): Promise<unknown>;
  /** Whether Redis replies but refuses what limits need, so that each process keeps them alone. */
  refuses(): boolean;
  close(): void;
}

export interface RedisOptions {
  /** As `readRedisAddress` reads it. */
  url: string;
  /** Stands before the name of every key. */
  prefix: string;
  log: Log;
  /** How long a request waits for Redis: 70 ms, so that it takes less than 100 ms as a whole, unless a test has more time. */
  patienceMs?: number;
}

/**
 * After seven silent timeouts Redis is not asked until it replies. Until then it is asked, because on a busy machine it often is
 * only late and still counts what it was sent.
 */
const SILENT_AFTER = 7;
const BEAT_EVERY_MS = 500;

/** Begins to connect, and tries for as long as it takes. Throws only if `url` is no address of Redis; asking never throws. */
export function openRedis({ url, prefix, log, patienceMs = 70 }: RedisOptions): Redis {
  const address = readRedisAddress(url);
  if (address === undefined) throw new Error('this is no address of Redis');
  const health = watchHealth(log);
  const connection = openConnection(address, health.failed);

  /** The commands that have no reply yet, the oldest first. */
  const unreplied = new Set<{ sentAt: number }>();
  const silentForMs = () => {
    const [oldest] = unreplied;
    return oldest === undefined ? 0 : performance.now() - oldest.sentAt;
  };
  const send = async (key: string, command: readonly string[]): Promise<unknown> => {
    const sent = { sentAt: performance.now() };
    unreplied.add(sent);
    const span = spanOf(command);
    try {
      return await connection.send(key, command);
    } catch (error) {
      span?.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span?.end();
      unreplied.delete(sent);
    }
  };
  const evaluate = async (script: Script, key: string, args: readonly string[]): Promise<unknown> => {
    try {
      return await send(key, ['EVALSHA', script.sha1, '1', key, ...args]);
    } catch (error) {
      if (!isUnknownScript(error)) throw error;
      return send(key, ['EVAL', script.text, '1', key, ...args]);
    }
  };
  const beat = setInterval(() => {
    if (!connection.isReady() || !health.isUsable() || unreplied.size > 0) return;
    // While Redis fails, the beat is a write, because a full Redis or a replica still replies to reads.
    const key = `${prefix}beat`;
    const command = health.works() ? ['GET', key] : ['SET', key, '1', 'PX', '5000'];
    void within(patienceMs, send(key, command)).then(health.replied, () => {});
  }, BEAT_EVERY_MS).unref();

  return {
    run: async (script, key, args) => {
      if (!health.isUsable()) return undefined;
      if (!connection.isReady() || silentForMs() > SILENT_AFTER * patienceMs) return health.unreachable();
      try {
        const reply = await within(patienceMs, evaluate(script, prefix + key, args.map(String)));
        health.replied();
        return reply;
      } catch (error) {
        return health.failed(error);
      }
    },
    refuses: health.refuses,
    close: () => {
      clearInterval(beat);
      health.close();
      connection.close();
    },
  };
}

const tracer = trace.getTracer('@cobro/limits');

/** A span if the request is recorded. It has only the command's name, because keys contain addresses and fingerprints of cards. */
const spanOf = ([name = '']: readonly string[]) =>
  trace.getActiveSpan()?.isRecording() === true
    ? tracer.startSpan(`redis-${name}`, { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'redis' } })
    : undefined;

const isUnknownScript = (error: unknown) => error instanceof Error && error.message.startsWith('NOSCRIPT');

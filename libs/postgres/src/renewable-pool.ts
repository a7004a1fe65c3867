import { setImmediate as nextTurn } from 'node:timers/promises';
import { createInFlight } from '@cobro/async/in-flight.ts';
import pg from 'pg';

/** A pool whose connections can all be replaced at once. */
export interface RenewablePool {
  current(): pg.Pool;
  /**
   * Replaces the connections of `used`, unless another call has done so already. Those in use go on to the end of their work and
   * are closed then. Returns false, and replaces nothing, if `used` has been open for less than a second.
   */
  renew(used: pg.Pool): boolean;
  /** Resolves when the connections are closed. */
  end(): Promise<void>;
}

const RENEWED_FOR_MS = 1_000;

export function openRenewablePool(config: pg.PoolConfig): RenewablePool {
  const open = () => {
    const pool = new pg.Pool(config);
    // The pool replaces an idle connection that breaks, and the next statement shows whether the server is there.
    pool.on('error', () => {});
    // A connection that breaks in use fails its statement as well. Without a listener the error event would end the process.
    pool.on('connect', (client) => void client.on('error', () => {}));
    return pool;
  };
  const ending = createInFlight();
  let pool = open();
  let renewedAt = Number.NEGATIVE_INFINITY;
  return {
    current: () => pool,
    renew: (used) => {
      if (used !== pool) return true;
      if (performance.now() - renewedAt < RENEWED_FOR_MS) return false;
      renewedAt = performance.now();
      const old = pool;
      pool = open();
      // A statement that has asked the old pool for a connection in this turn gets the connection in the next one.
      void ending.add(nextTurn().then(() => old.end()));
      return true;
    },
    end: async () => void (await Promise.all([ending.idle(), pool.end()])),
  };
}

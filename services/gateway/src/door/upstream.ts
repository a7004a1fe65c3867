import { boundedQueue } from '@cobro/service-kit/connection-queue.ts';
import { type Dispatcher, Pool } from 'undici';

/** Connections to one service. Reads have their own, so that none waits behind a request that the bank does not answer. */
export interface Upstream {
  money: Dispatcher;
  read: Dispatcher;
  destroy(): Promise<void>;
}

/** More than a service has calls to the bank under way (256), so that it can still refuse what it has no place for. */
const MONEY_CONNECTIONS = 320;
const READ_CONNECTIONS = 128;

export function openUpstream(baseUrl: string): Upstream {
  const money = openPool(baseUrl, MONEY_CONNECTIONS);
  const read = openPool(baseUrl, READ_CONNECTIONS);
  return {
    money,
    read,
    destroy: async () => void (await Promise.all([money.destroy(), read.destroy()])),
  };
}

/**
 * Each connection is closed after four idle seconds: sooner than the five that a service leaves them
 * after its listener has closed, so that none of them dies with a request on it.
 */
function openPool(baseUrl: string, connections: number): Dispatcher {
  const pool = new Pool(baseUrl, {
    connections,
    pipelining: 1,
    connect: { timeout: 1_000 },
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 4_000,
    // forwardRequest keeps the time of the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return pool.compose(boundedQueue(connections));
}

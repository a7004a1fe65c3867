import { boundedQueue } from '@cobro/service-kit/connection-queue.ts';
import { type Dispatcher, Pool } from 'undici';

/** Connections to one service. Reads have their own, so that no read waits behind a request that waits for a silent bank. */
export interface Upstream {
  money: Dispatcher;
  read: Dispatcher;
  destroy(): Promise<void>;
}

/**
 * More than the calls to the bank that a service may have under way (256), so that the service can still refuse what it has no
 * place for.
 */
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
 * Closes each connection after four idle seconds. A service leaves connections open for five seconds after its listener has
 * closed, so no connection dies with a request on it.
 */
function openPool(baseUrl: string, connections: number): Dispatcher {
  const pool = new Pool(baseUrl, {
    connections,
    pipelining: 1,
    connect: { timeout: 1_000 },
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 4_000,
    // No timeouts here, because forwardRequest limits the time of the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return pool.compose(boundedQueue(connections));
}

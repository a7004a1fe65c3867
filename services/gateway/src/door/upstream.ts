import { boundedQueue } from '@cobro/service-kit/connection-queue.ts';
import { connectToOwn, type OwnTls } from '@cobro/service-kit/own-certificate.ts';
import type { Dispatcher } from 'undici';
import Pool from 'undici/lib/dispatcher/pool.js';

/**
 * Connections to one service, for each lane of its contracts: no read waits behind a request that waits for a silent bank, and
 * nothing waits behind terminals that poll for their next intent.
 */
export interface Upstream {
  money: Dispatcher;
  read: Dispatcher;
  poll: Dispatcher;
  stream: Dispatcher;
  destroy(): Promise<void>;
}

/**
 * More than the default of BANK_CALLS (256), so that the service itself can refuse what it has no permit
 * for.
 */
const MONEY_CONNECTIONS = 320;
const READ_CONNECTIONS = 128;
/** One caller gets at most half of the connections for money or reads, so that its flood leaves the other half to all others. */
const CALLERS_SHARE = 0.5;
/** One for each terminal that waits; a connection costs nothing until it is used. */
const POLL_CONNECTIONS = 4_096;

/** A stream keeps its connection while its caller reads; a caller gets at most four. */
const STREAM_CONNECTIONS = 64;
const STREAMS_SHARE = 1 / 16;

export function openUpstream(baseUrl: string, tls?: OwnTls): Upstream {
  const openPool = (connections: number, share: number) => openLane(baseUrl, connections, share, tls);
  const money = openPool(MONEY_CONNECTIONS, CALLERS_SHARE);
  const read = openPool(READ_CONNECTIONS, CALLERS_SHARE);
  const poll = openPool(POLL_CONNECTIONS, 1);
  const stream = openPool(STREAM_CONNECTIONS, STREAMS_SHARE);
  return {
    money,
    read,
    poll,
    stream,
    destroy: async () => void (await Promise.all([money, read, poll, stream].map((pool) => pool.destroy()))),
  };
}

/**
 * Closes each connection after four idle seconds. A service leaves connections open for five seconds after its listener has
 * closed, so no connection dies with a request on it.
 */
function openLane(baseUrl: string, connections: number, share: number, tls: OwnTls | undefined): Dispatcher {
  const pool = new Pool(baseUrl, {
    connections,
    pipelining: 1,
    connect: connectToOwn(tls),
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 4_000,
    // No timeouts here, because forwardRequest limits the time of the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return pool.compose(boundedQueue(connections, connections * share));
}

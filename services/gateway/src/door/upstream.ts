import { Pool } from 'undici';

/**
 * Connections to one service, each closed after four idle seconds: sooner than the five that a service leaves them
 * after its listener has closed, so that none of them dies with a request on it.
 */
export function openUpstream(baseUrl: string): Pool {
  return new Pool(baseUrl, {
    connections: 128,
    pipelining: 1,
    connect: { timeout: 1_000 },
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 4_000,
    // forwardRequest keeps the time of the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

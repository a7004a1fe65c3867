import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { createTlsServer, type TlsServerOptions } from './tls-server.ts';

/**
 * Milliseconds that a listener waits for a request's headers, and for the whole request. Node also counts time in which this process
 * had no turn to read, so these are longer than any delay of a busy machine.
 */
const TIME_LIMITS = { headersTimeout: 30_000, requestTimeout: 30_000 };

export interface HttpServerOptions {
  limits?: typeof TIME_LIMITS | undefined;
  tls?: TlsServerOptions | undefined;
}

/**
 * The HTTP server of every listener. A connection whose request takes longer to come gets 408 and is closed, also if the request
 * has been refused already. The wait for an answer has no limit here.
 */
export function createHttpServer(
  serve: RequestListener,
  { limits = TIME_LIMITS, tls }: HttpServerOptions = {},
): Server {
  const options = {
    ...limits,
    // How often Node looks for connections past these limits. Often, because closing many at once holds others up.
    connectionsCheckingInterval: 500,
    // Longer than any load balancer keeps an idle connection (Envoy an hour), because closing it from this side could lose a request.
    keepAliveTimeout: 3_700_000,
  };
  if (tls === undefined) return createServer(options, serve);
  // An https.Server has all members of an http.Server, although it is not its subclass.
  return createTlsServer(options, serve, tls);
}

/** Calls `take` with each socket on which requests come: with TLS, the decrypted one. */
export const onConnection = (server: Server, take: (socket: Socket) => void): void =>
  void (server as NetServer).on((server as NetServer) instanceof TlsServer ? 'secureConnection' : 'connection', take);

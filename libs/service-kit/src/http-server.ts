import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { createTlsServer, type TlsServerOptions } from './tls-server.ts';

/**
 * Milliseconds that a listener waits for the headers of a request, and for all of it. Node also counts time in which this process
 * had no turn to read, so these are longer than a busy machine makes anybody wait.
 */
const TIME_LIMITS = { headersTimeout: 30_000, requestTimeout: 30_000 };

export interface HttpServerOptions {
  limits?: typeof TIME_LIMITS | undefined;
  tls?: TlsServerOptions | undefined;
}

/**
 * The HTTP server of every listener. A connection on which a request takes longer to come gets 408 and is closed, also where the
 * request has been refused already; the wait for an answer has no limit here.
 */
export function createHttpServer(
  serve: RequestListener,
  { limits = TIME_LIMITS, tls }: HttpServerOptions = {},
): Server {
  const options = {
    ...limits,
    // How often Node looks for connections that are past these limits: few are closed at once, because that holds others up.
    connectionsCheckingInterval: 500,
    // Longer than any load balancer keeps an idle connection (Envoy an hour): closed from this side, it could take a request with it.
    keepAliveTimeout: 3_700_000,
  };
  if (tls === undefined) return createServer(options, serve);
  // It has all that an http.Server has, although it is none.
  return createTlsServer(options, serve, tls);
}

/** Calls `take` with each socket on which requests come: with TLS that is not the one of the connection. */
export const onConnection = (server: Server, take: (socket: Socket) => void): void =>
  void (server as NetServer).on((server as NetServer) instanceof TlsServer ? 'secureConnection' : 'connection', take);

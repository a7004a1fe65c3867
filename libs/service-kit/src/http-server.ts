import { createServer, type RequestListener, type Server } from 'node:http';

/**
 * How long a listener waits for the headers of a request, and for all of it. Milliseconds. Node counts also the time for which this
 * process had no turn to read what had come, so these limits are longer than a busy machine makes anybody wait.
 */
const TIME_LIMITS = { headersTimeout: 30_000, requestTimeout: 30_000 };

/**
 * The HTTP server of every listener. A connection on which a request takes longer to come gets 408 and is closed, also where the
 * request has been refused already; the wait for an answer has no limit here.
 */
export function createHttpServer(serve: RequestListener, limits = TIME_LIMITS): Server {
  return createServer(
    {
      ...limits,
      // How often Node looks for connections that are past these limits: few are closed at once, because that holds others up.
      connectionsCheckingInterval: 500,
      // Longer than the idle time of a load balancer or of the gateway, so that the service never closes first.
      keepAliveTimeout: 75_000,
    },
    serve,
  );
}

import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log.ts';
import { stopTelemetry } from './telemetry.ts';

export interface Listener {
  app: RequestListener;
  host: string;
  port: number;
}

export interface RunOptions {
  log: Log;
  listeners: Listener[];
  drainDelayMs: number;
  /** Ends jobs and consumers while requests are still answered. */
  beforeClose?: () => Promise<void>;
  /** After the last answer: the relay, then connections and pools. */
  afterClose: () => Promise<void>;
}

const CLOSE_WITHIN_MS = 25_000;
const UNDER_WAY_MS = 300;
const SILENT_FOR_MS = 500;

/**
 * Serves until SIGTERM or SIGINT, then drains: readiness 503 and `Connection: close` while requests still come in, then
 * `beforeClose` (jobs, consumers, relay), the servers, `afterClose` (pools), telemetry, exit 0.
 */
export async function runService(options: RunOptions): Promise<void> {
  let draining = false;
  const servers = await Promise.all(options.listeners.map((listener) => listen(listener, () => draining)));
  options.log.info({ port: options.listeners[0]?.port }, 'listening');
  const signal = await new Promise<string>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT']) process.on(name, () => resolve(name));
  });
  draining = true;
  options.log.info({ signal }, 'draining');
  await sleep(options.drainDelayMs);
  await options.beforeClose?.();
  await Promise.all(servers.map(closeServer));
  await options.afterClose();
  options.log.info('stopped');
  await stopTelemetry();
  process.exit(0);
}

interface Serving {
  server: Server;
  sockets: Set<Socket>;
}

async function listen({ app, host, port }: Listener, draining: () => boolean): Promise<Serving> {
  const server = createServer((req, res) => {
    if (draining()) {
      res.setHeader('connection', 'close');
      if (req.url === '/health/ready') return void res.writeHead(503).end();
    }
    app(req, res);
  });
  // Longer than a load balancer's or the gateway's own idle time, so that it is never us who closes first.
  server.keepAliveTimeout = 75_000;
  server.headersTimeout = 80_000;
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return { server, sockets };
}

/**
 * Stops listening, and first gives requests that are under way on kept-alive connections the time to come in: they are
 * answered with `Connection: close`. http's own `close` would cut those connections off under them. Then connections are closed
 * as they go idle. Node takes a socket on which nothing has come yet for a busy one; its request, if one is under way, gets half
 * a second.
 */
async function closeServer({ server, sockets }: Serving): Promise<void> {
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  await sleep(UNDER_WAY_MS);
  const idle = setInterval(() => server.closeIdleConnections(), 25);
  const silent = setTimeout(() => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  }, SILENT_FOR_MS);
  const force = setTimeout(() => server.closeAllConnections(), CLOSE_WITHIN_MS);
  await closed;
  clearInterval(idle);
  for (const timer of [silent, force]) clearTimeout(timer);
}

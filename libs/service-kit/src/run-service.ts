import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
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
 * Serves until SIGTERM or SIGINT, then drains: readiness 503 while requests still come in, `beforeClose` (jobs, consumers), no
 * new connections and `Connection: close` on those that are there, `afterClose` (relay, pools), telemetry, exit 0.
 */
export async function runService(options: RunOptions): Promise<void> {
  const phase: Phase = { ready: true, closing: false };
  const all = await Promise.all(options.listeners.map((listener) => listen(listener, phase)));
  options.log.info({ port: options.listeners[0]?.port }, 'listening');
  const signal = await new Promise<string>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT']) process.on(name, () => resolve(name));
  });
  phase.ready = false;
  options.log.info({ signal }, 'draining');
  await sleep(options.drainDelayMs);
  await options.beforeClose?.();
  phase.closing = true;
  await Promise.all(all.map((serving) => closeServer(serving, Math.max(options.drainDelayMs, UNDER_WAY_MS))));
  await options.afterClose();
  options.log.info('stopped');
  await stopTelemetry();
  process.exit(0);
}

interface Phase {
  ready: boolean;
  closing: boolean;
}

interface Serving {
  server: Server;
  sockets: Set<Socket>;
  /** Those that have not been sent yet. */
  answers: Set<ServerResponse>;
}

async function listen({ app, host, port }: Listener, phase: Phase): Promise<Serving> {
  const answers = new Set<ServerResponse>();
  const server = createServer((req, res) => {
    answers.add(res);
    res.once('close', () => answers.delete(res));
    if (phase.closing) res.setHeader('connection', 'close');
    if (!phase.ready && req.url === '/health/ready') return void res.writeHead(503).end();
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
  return { server, sockets, answers };
}

/**
 * Stops listening, and leaves kept-alive connections to their clients for a while: requests on them are answered with
 * `Connection: close`, and not before, because a client that has to connect anew at the moment in which the listener closes is
 * cut off by the system. http's own `close` would cut off the kept-alive ones. Then connections are closed as they go idle.
 * Node takes a socket on which nothing has come yet for a busy one; its request, if one is under way, gets half a second.
 */
async function closeServer({ server, sockets, answers }: Serving, patienceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  for (const answer of answers) if (!answer.headersSent) answer.setHeader('connection', 'close');
  await Promise.race([closed, sleep(patienceMs)]);
  const idle = setInterval(() => server.closeIdleConnections(), 25);
  const silent = setTimeout(() => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  }, SILENT_FOR_MS);
  const force = setTimeout(() => server.closeAllConnections(), CLOSE_WITHIN_MS);
  await closed;
  clearInterval(idle);
  for (const timer of [silent, force]) clearTimeout(timer);
}

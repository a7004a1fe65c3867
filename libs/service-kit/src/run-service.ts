import type { RequestListener, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHttpServer, onConnection } from './http-server.ts';
import type { Log } from './log.ts';
import type { OwnTls } from './own-certificate.ts';
import { type Door, inServerSpan } from './server-span.ts';
import { isTraced, stopTelemetry } from './telemetry.ts';

export interface Listener {
  app: RequestListener;
  host: string;
  port: number;
  /** Given if everybody can reach this listener. */
  door?: Door;
  /** Gets the server before it listens. */
  watch?: (server: Server) => void;
}

export interface RunOptions {
  log: Log;
  listeners: Listener[];
  /** TLS of all listeners. Without it they take requests in clear. */
  tls?: OwnTls | undefined;
  drainDelayMs: number;
  /** Lets answers that only wait for something go out at once. */
  atDrain?: () => void;
  /** Ends jobs and consumers while requests are still answered. */
  beforeClose?: () => Promise<void>;
  /** Ends the relay, then connections and pools, after the last answer. */
  afterClose: () => Promise<void>;
}

/** The most connections that wait to be accepted. Beyond Node's 511, a client would try again only after a second. */
const BACKLOG = 4_096;
const CLOSE_WITHIN_MS = 25_000;
const UNDER_WAY_MS = 300;
const SILENT_FOR_MS = 500;

/**
 * Serves until SIGTERM or SIGINT, then drains in this order:
 * 1. Readiness answers 503 while requests still come in. `atDrain` ends what only waits.
 * 2. `beforeClose` ends jobs and consumers.
 * 3. No new connections are accepted, and existing ones get `Connection: close`.
 * 4. `afterClose` ends the relay and the pools.
 * 5. Telemetry is sent, and the process exits with 0.
 */
export async function runService(options: RunOptions): Promise<void> {
  const phase: Phase = { ready: true, closing: false };
  const all = await Promise.all(options.listeners.map((listener) => listen(listener, phase, options)));
  options.log.info({ port: options.listeners[0]?.port }, 'listening');
  const signal = await new Promise<string>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT']) process.on(name, () => resolve(name));
  });
  phase.ready = false;
  options.log.info({ signal }, 'draining');
  options.atDrain?.();
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
  /** Answers that have not been sent yet. */
  answers: Set<ServerResponse>;
}

async function listen(
  { app, host, port, door, watch }: Listener,
  phase: Phase,
  { tls }: Pick<RunOptions, 'tls'>,
): Promise<Serving> {
  const serve = isTraced ? inServerSpan(app, door) : app;
  const answers = new Set<ServerResponse>();
  const server = createHttpServer(
    (req, res) => {
      answers.add(res);
      res.once('close', () => answers.delete(res));
      if (phase.closing) res.setHeader('connection', 'close');
      if (!phase.ready && req.url === '/health/ready') return void res.writeHead(503).end();
      serve(req, res);
    },
    { tls: tls && { ...tls, servesStrangers: door !== undefined } },
  );
  watch?.(server);
  const sockets = new Set<Socket>();
  onConnection(server, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, BACKLOG, resolve));
  return { server, sockets, answers };
}

/**
 * Stops listening, and answers requests on kept-alive connections with `Connection: close` for a while. Closing them at once, as
 * http's own `close` does, would cut off a client that connects anew at that moment. Then connections are closed as they go idle.
 * Node counts a new socket without a request as busy, so it is closed after half a second, in which a request under way can
 * arrive.
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

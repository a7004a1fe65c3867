import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '@cobro/limits/network.ts';
import { onConnection } from './http-server.ts';
import type { Log } from './log.ts';
import { clientAddress } from './client-address.ts';

/** How many requests of one address may be incomplete at once. */
const MOST_OF_ONE = 256;
const LOOK_EVERY_MS = 1_000;

interface Connection {
  socket: Socket;
  /** The request whose headers have come and whose body may still be coming. */
  request: IncomingMessage | undefined;
  /** `socket.bytesRead` when the last request was complete. Later bytes begin the next one. */
  bytesBefore: number;
  /** When the request was first seen incomplete, a `performance.now()` value. */
  since: number | undefined;
}

export interface UnfinishedOptions {
  log: Log;
  trustedProxyHops: number;
  mostOfOne?: number;
}

/**
 * Once a second, closes the oldest connections of each address that has too many incomplete requests. Requests that wait for
 * their answer and idle connections do not count, so any number of terminals may wait behind one address. Behind our proxies a
 * request counts once its headers show the caller's address.
 */
export function boundUnfinished(server: Server, { mostOfOne = MOST_OF_ONE, ...options }: UnfinishedOptions): void {
  const connections = new Map<Socket, Connection>();
  onConnection(server, (socket) => {
    connections.set(socket, { socket, request: undefined, bytesBefore: socket.bytesRead, since: undefined });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', (request: IncomingMessage) => {
    const connection = connections.get(request.socket);
    if (connection === undefined) return;
    connection.request = request;
    request.once('close', () => {
      if (connection.request !== request) return;
      connection.request = undefined;
      connection.bytesBefore = connection.socket.bytesRead;
    });
  });
  const look = setInterval(() => {
    const unfinished = [...connections.values()].filter((connection) => isUnfinished(connection, options));
    const byAddress = Map.groupBy(unfinished, (connection) => addressOf(connection, options));
    const tooMany = [...byAddress.values()].flatMap((all) => oldestBeyond(all, mostOfOne));
    for (const { socket } of tooMany) socket.destroy();
    if (tooMany.length > 0) options.log.warn({ count: tooMany.length }, 'closed connections of unfinished requests');
  }, LOOK_EVERY_MS);
  server.once('close', () => clearInterval(look));
}

/** Also notes since when. */
function isUnfinished(connection: Connection, { trustedProxyHops }: UnfinishedOptions): boolean {
  const { request, socket, bytesBefore } = connection;
  const headersCome = trustedProxyHops === 0 && socket.bytesRead > bytesBefore;
  const unfinished = request === undefined ? headersCome : !request.complete;
  connection.since = unfinished ? (connection.since ?? performance.now()) : undefined;
  return unfinished;
}

const addressOf = ({ request, socket }: Connection, { trustedProxyHops }: UnfinishedOptions) =>
  networkOf(request === undefined ? (socket.remoteAddress ?? '') : clientAddress(request, trustedProxyHops));

const oldestBeyond = (all: Connection[], most: number) =>
  all.toSorted((one, other) => (one.since ?? 0) - (other.since ?? 0)).slice(0, Math.max(0, all.length - most));

import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from './free-port.ts';

export type TcpProxy = Awaited<ReturnType<typeof proxyTo>>;

/**
 * Stands between clients and the server at an address, and can act as a server that is down, hangs, goes away or comes back. It starts
 * cut, so call `restore` first. @param hear gets every byte
 */
export async function proxyTo(url: string, hear?: (bytes: Buffer) => void) {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    if (hear) socket.on('data', hear);
  };
  let holdsNew = false;
  let connections = 0;
  const server = createServer((client) => {
    connections++;
    if (holdsNew) return keep(client);
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) keep(socket);
    client.pipe(upstream).pipe(client);
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
  });
  // `freePort` keeps others from getting the port while the proxy is cut.
  const port = await freePort();
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String(port);
  return {
    /** The given address with the proxy's host and port. */
    url: through.href,
    /** How many were accepted so far. */
    connections: () => connections,
    /** Breaks off every connection and refuses new ones. */
    cut: () => close(server, sockets),
    restore: async () => void (await once(server.listen(port, '127.0.0.1'), 'listening')),
    /** Keeps the connections but lets no byte through, until `resume`. */
    hang: () => sockets.forEach((socket) => socket.pause()),
    resume: () => sockets.forEach((socket) => socket.resume()),
    /** Whether new connections are accepted but lead nowhere. */
    holdNew: (holds: boolean) => void (holdsNew = holds),
  };
}

async function close(server: Server, sockets: Set<Socket>): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise((resolve) => server.close(resolve));
  for (const socket of sockets) socket.destroy();
  await closed;
}

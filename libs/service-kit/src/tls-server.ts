import type { RequestListener } from 'node:http';
import { createServer, type Server, type ServerOptions } from 'node:https';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { type OwnTls, readOwnCertificate } from './own-certificate.ts';
import { watchCertificates } from './watch-certificates.ts';

export interface TlsServerOptions extends OwnTls {
  /** True at the door, whose callers show keys. Elsewhere a client without a certificate of our authority gets only the health. */
  servesStrangers: boolean;
}

/** How long a handshake, or the first byte, may take. Milliseconds. */
const HANDSHAKE_WITHIN_MS = 10_000;

/**
 * An HTTPS server for our own processes, whose certificate may be replaced while it runs. A client without a certificate can connect,
 * because the kubelet, which asks for the health, has none.
 */
export function createTlsServer(options: ServerOptions, serve: RequestListener, tls: TlsServerOptions): Server {
  const check = { requestCert: !tls.servesStrangers, rejectUnauthorized: false };
  const server = createServer(
    { ...options, ...check, ...readOwnCertificate(tls), handshakeTimeout: HANDSHAKE_WITHIN_MS },
    tls.servesStrangers ? serve : refuseStrangers(serve),
  );
  const turn = () => server.setSecureContext(readOwnCertificate(tls));
  const watcher = watchCertificates('TLS_FOLDER', tls.folder, turn);
  server.once('close', () => watcher.close());
  if (!tls.required) takeInClearToo(server);
  return server;
}

const HEALTH = new Set(['/health/live', '/health/ready']);

function refuseStrangers(serve: RequestListener): RequestListener {
  return (req, res) => {
    const { socket } = req;
    if (!(socket instanceof TLSSocket) || socket.authorized || HEALTH.has(req.url ?? '')) return serve(req, res);
    res.writeHead(403, { connection: 'close' }).end();
  };
}

const TLS_HANDSHAKE = 22;

/** Looks at each connection's first byte: TLS begins with 22, a request in clear with a letter. */
function takeInClearToo(server: Server): void {
  const [beginTls] = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const late = setTimeout(() => socket.destroy(), HANDSHAKE_WITHIN_MS);
    socket.once('error', () => {}).once('close', () => clearTimeout(late));
    socket.once('data', (first: Buffer) => {
      clearTimeout(late);
      socket.pause();
      socket.unshift(first);
      if (first[0] === TLS_HANDSHAKE) return beginTls?.call(server, socket);
      server.emit('secureConnection', socket);
      socket.resume();
    });
  });
}

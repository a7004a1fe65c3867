import { request } from 'node:http';
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import connector from 'undici/lib/core/connect.js';

/** The proxy has made no tunnel, so nothing of a request has left for the bank. */
class NoTunnel extends Error {
  readonly code = 'NO_TUNNEL';
}

/**
 * Connects to an https origin through a proxy, by CONNECT. A failure before the tunnel stands is a NoTunnel; a later one is the
 * connection's error, after which the other side may have acted.
 */
export function connectThrough(
  proxy: URL,
  tls: buildConnector.BuildOptions & { timeout: number },
): buildConnector.connector {
  const inTunnel = connector(tls);
  return (target, callback) => {
    const { hostname, port } = target;
    const connect = async () => {
      let httpSocket: Socket;
      try {
        httpSocket = await openTunnel(proxy, `${hostname}:${port || 443}`, tls.timeout);
      } catch (error) {
        return callback(new NoTunnel('the proxy made no tunnel', { cause: error }), null);
      }
      inTunnel({ ...target, httpSocket }, callback);
    };
    void connect();
  };
}

function openTunnel(proxy: URL, target: string, timeoutMs: number): Promise<Socket> {
  const { hostname, port, username, password } = proxy;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization = username === '' ? {} : { 'proxy-authorization': `Basic ${btoa(credentials)}` };
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const headers = { host: target, ...authorization };
    request({ host: hostname, port: port || 80, method: 'CONNECT', path: target, headers, agent: false, signal })
      .on('connect', ({ statusCode }, socket) => {
        if (statusCode === 200) return resolve(socket);
        socket.destroy();
        reject(new Error(`the proxy answered ${statusCode}`));
      })
      .on('response', ({ statusCode }) => reject(new Error(`the proxy answered ${statusCode}`)))
      .on('error', reject)
      .end();
  });
}

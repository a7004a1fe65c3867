import { request as requestByHttp } from 'node:http';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectByTls } from 'node:tls';
import type { buildConnector } from 'undici';

export const withoutBrackets = (host: string) => host.replace(/^\[(.*)\]$/, '$1');

/**
 * Connects through a proxy, which is asked for the address that `lookup` has checked and never for its name: the proxy might resolve
 * the name differently.
 */
export function connectThrough(proxy: URL, lookup: LookupFunction, withinMs: number): buildConnector.connector {
  return ({ hostname, port, protocol, servername }, callback) => {
    const host = withoutBrackets(hostname);
    const isEncrypted = protocol === 'https:';
    const settled = once(callback);
    lookup(host, {}, (error, found) => {
      if (error !== null) return settled(error, null);
      const address = found as string;
      const target = `${isIP(address) === 6 ? `[${address}]` : address}:${port || (isEncrypted ? '443' : '80')}`;
      const timer = setTimeout(() => asking.destroy(new Error('the proxy does not connect')), withinMs);
      const asking = requestByHttp({
        host: withoutBrackets(proxy.hostname),
        port: proxy.port || 80,
        method: 'CONNECT',
        path: target,
        headers: { host: target, ...credentialsOf(proxy) },
        agent: false,
      });
      asking.once('error', (failure) => settled(failure, null));
      asking.once('response', () => asking.destroy(new Error('the proxy refuses')));
      asking.once('close', () => clearTimeout(timer));
      asking.once('connect', ({ statusCode }, socket) => {
        clearTimeout(timer);
        if (statusCode !== 200) {
          socket.destroy();
          return settled(new Error('the proxy refuses'), null);
        }
        if (!isEncrypted) return settled(null, socket);
        encrypt(socket, servername ?? host, settled, withinMs);
      });
      asking.end();
    });
  };
}

function encrypt(socket: Socket, name: string, settled: buildConnector.Callback, withinMs: number): void {
  const secured = connectByTls({
    socket,
    host: name,
    ALPNProtocols: ['http/1.1'],
    ...(isIP(name) === 0 && { servername: name }),
  });
  const timer = setTimeout(() => secured.destroy(new Error('no certificate in time')), withinMs);
  secured.once('secureConnect', () => {
    clearTimeout(timer);
    settled(null, secured);
  });
  secured.once('error', (error) => {
    clearTimeout(timer);
    settled(error, null);
  });
}

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const said = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(said).toString('base64')}` };
}

/** A connection may also fail after it was made; its user notices by itself. */
function once(callback: buildConnector.Callback): buildConnector.Callback {
  let isSettled = false;
  return (...args: Parameters<buildConnector.Callback>) => {
    if (!isSettled) callback(...args);
    isSettled = true;
  };
}

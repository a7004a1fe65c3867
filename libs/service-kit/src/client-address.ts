import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * The caller's address. Each of our own proxies appends to X-Forwarded-For the address that connected to it. So behind n proxies the
 * caller's address is the nth entry from the end; entries before it can be forged. If that entry is missing or is no address, the
 * caller is the connection's peer.
 */
export function clientAddress({ headers, socket }: IncomingMessage, trustedProxyHops: number): string {
  const peer = socket.remoteAddress ?? '';
  if (trustedProxyHops === 0) return peer;
  const entries = String(headers['x-forwarded-for'] ?? '').split(',');
  return addressIn(entries.at(-trustedProxyHops) ?? '') ?? peer;
}

/** Some proxies also write the port: `192.0.2.1:80`, `[2001:db8::1]:80`. */
function addressIn(entry: string): string | undefined {
  const text = entry.trim();
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  const address = bracketed ?? dotted ?? text;
  return isIP(address) === 0 ? undefined : address;
}

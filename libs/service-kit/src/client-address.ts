import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * The caller's address. Each of our own proxies appends to X-Forwarded-For the address that connected to it. So the caller's is the
 * entry at the place, from the end, of our number of proxies; entries before it can be forged. Without such an entry, or an address
 * there, the caller is whoever has connected.
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

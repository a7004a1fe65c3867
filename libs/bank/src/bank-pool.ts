import { shownTo } from '@cobro/certificates/shown-certificate.ts';
import type { Secret } from '@cobro/contracts/secret.ts';
import Pool from 'undici/lib/dispatcher/pool.js';
import { connectThrough } from './proxy-tunnel.ts';

export interface BankAddress {
  url: string;
  /** The proxy through which an https bank is reached. */
  proxyUrl?: Secret<string> | undefined;
  connectTimeoutMs: number;
  /** The token that the bank knows us by. */
  token?: Secret<string> | undefined;
}

export const authorizationOf = ({ token }: Pick<BankAddress, 'token'>): { authorization?: string } =>
  token === undefined ? {} : { authorization: `Bearer ${token.reveal()}` };

export function openBankPool({ url, proxyUrl, connectTimeoutMs: timeout }: BankAddress, connections: number): Pool {
  const isProxied = proxyUrl !== undefined && url.startsWith('https:');
  const shown = shownTo('bank');
  // In a resumed TLS session the bank would know us by the certificate of its beginning.
  const tls = { timeout, ...shown, ...(shown.secureContext && { maxCachedSessions: 0 }) };
  const connect = isProxied ? connectThrough(new URL(proxyUrl.reveal()), tls) : tls;
  return new Pool(url, { connections, connect });
}

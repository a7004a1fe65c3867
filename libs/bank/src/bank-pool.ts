import type { Secret } from '@cobro/contracts/secret.ts';
import { Pool } from 'undici';
import { connectThrough } from './proxy-tunnel.ts';

export interface BankAddress {
  url: string;
  /** The proxy through which an https bank is reached. */
  proxyUrl?: Secret<string> | undefined;
  connectTimeoutMs: number;
  /** What the bank knows us by. */
  token?: Secret<string> | undefined;
}

export const authorizationOf = ({ token }: Pick<BankAddress, 'token'>): { authorization?: string } =>
  token === undefined ? {} : { authorization: `Bearer ${token.reveal()}` };

export function openBankPool({ url, proxyUrl, connectTimeoutMs: timeout }: BankAddress, connections: number): Pool {
  const isProxied = proxyUrl !== undefined && url.startsWith('https:');
  const connect = isProxied ? connectThrough(new URL(proxyUrl.reveal()), timeout) : { timeout };
  return new Pool(url, { connections, connect });
}

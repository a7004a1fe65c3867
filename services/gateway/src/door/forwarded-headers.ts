import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** The headers of a request that a service gets to see. `forwardRequest` adds those of the trace. */
const PASSED_ON = [
  'accept',
  'accept-language',
  'content-encoding',
  'content-type',
  'idempotency-key',
  'user-agent',
] as const;

/** A page of the checkout also gets the headers that say which page a form was sent from. */
const PASSED_ON_TO_PAGES = [...PASSED_ON, 'origin', 'sec-fetch-site'] as const;

/** Headers that belong to one connection and not to the message (RFC 9110, 7.6.1), and headers that only we set. */
const DROPPED = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-powered-by',
  // The gateway has already set the same one.
  'x-request-id',
]);

/** What the gateway itself knows of a request. */
export interface Known {
  requestId: string;
  /** The caller's address. */
  address: string;
  /** Whether the request goes to a page of the checkout. */
  isPage: boolean;
}

/** Headers of the request to a service, as a list of name, value, name, value. */
export function requestHeaders({ headers }: IncomingMessage, { requestId, address, isPage }: Known): string[] {
  const named = namedIn(headers.connection);
  const passed: string[] = [];
  for (const name of isPage ? PASSED_ON_TO_PAGES : PASSED_ON) {
    const value = headers[name];
    if (typeof value === 'string' && !named?.has(name)) passed.push(name, value);
  }
  passed.push('x-request-id', requestId, 'x-forwarded-for', address);
  if (headers.host !== undefined) passed.push('x-forwarded-host', headers.host);
  return passed;
}

/** The headers of a service's answer that the caller gets. */
export function responseHeaders(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const named = namedIn(headers.connection);
  const passed: Record<string, string | string[]> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || DROPPED.has(name) || name.startsWith('x-internal-') || named?.has(name)) continue;
    passed[name] = value;
  }
  return passed;
}

function namedIn(connection: string | undefined): Set<string> | undefined {
  if (connection === undefined || connection === 'keep-alive') return undefined;
  return new Set(
    connection
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  );
}

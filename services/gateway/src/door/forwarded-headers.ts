import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** What a service gets to see of a request's own headers; trace headers come from the instrumentation. */
const PASSED_ON = ['accept', 'accept-language', 'content-type', 'idempotency-key', 'user-agent'] as const;

/** What a page of the checkout gets to see besides: by these a browser says which page a form was sent from. */
const PASSED_ON_TO_PAGES = [...PASSED_ON, 'origin', 'sec-fetch-site'] as const;

/** Of one connection, not of the message (RFC 9110, 7.6.1), and what is ours alone. */
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
  // Ours: the same one, set before.
  'x-request-id',
]);

/** What the gateway itself says of a request. */
export interface Known {
  requestId: string;
  /** The caller's. */
  address: string;
  /** Whether it goes to a page of the checkout. */
  isPage: boolean;
}

/** Headers of the request to a service, as name, value, name, value. */
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

/** Headers of a service's answer that the caller gets. */
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

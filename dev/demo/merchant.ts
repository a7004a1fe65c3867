import { printRequest } from './print.ts';

export interface Answered {
  /** The id of what was made or read. */
  id: string;
  body: Record<string, unknown>;
}

export interface Sent {
  /** The expected status. Any other ends the tour. */
  status: number;
  body?: unknown;
  /** The fields of the answer that the tour prints. `a.b` is a field of an object. */
  show?: string[];
}

/** Somebody with a key. Each request is printed as it happens. */
export type Merchant = (method: string, path: string, sent: Sent) => Promise<Answered>;

export class TourError extends Error {}

/** @param apiKey none: a customer, who has no key */
export function createMerchant(baseUrl: string, apiKey: string | undefined): Merchant {
  return async (method, path, { status, body, show = [] }) => {
    const begun = performance.now();
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    const shown = show.map((name) => `${name}=${showField(answer, name)}`);
    if (response.headers.get('idempotent-replayed') === 'true') shown.push('replayed');
    const ms = performance.now() - begun;
    printRequest({ request: `${method} ${shorten(path)}`, status: response.status, shown: shown.join(' '), ms });
    if (response.status === status) return { id: String(answer['id']), body: answer };
    throw new TourError(`${method} ${path} answered ${response.status}, not ${status}: ${JSON.stringify(answer)}`);
  };
}

/** Shortens ids to their last part, which is enough to distinguish them. */
const shorten = (path: string) => path.replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}([0-9a-f]{12})/g, '…$1');

function showField(answer: unknown, name: string): string {
  let value = answer;
  for (const part of name.split('.')) value = (value as Record<string, unknown> | undefined)?.[part];
  return shorten(Array.isArray(value) ? `${value.length} rows` : String(value));
}

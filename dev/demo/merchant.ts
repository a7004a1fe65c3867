import type { Call } from '@cobro/client/call.ts';
import type { Fetch } from '@cobro/client/exchange.ts';
import { type Client, createClient } from '@cobro/client/merchant.ts';
import { createPartner } from '@cobro/client/partner.ts';
import { printRequest } from './print.ts';

/**
 * Sends a request by a client and returns the answer's body. Any other status than `status` ends the tour. `show` names the fields that are
 * printed; `a.b` is a field of an object.
 */
export type Asks<C> = <T>(
  status: number,
  use: (client: C) => Call<T>,
  ...show: string[]
) => Promise<T & Readonly<Record<string, unknown>>>;

export type Merchant = Asks<Client>;

export class TourError extends Error {}

/** @param apiKey absent for a customer, who has no key */
export const createMerchant = (baseUrl: string, apiKey = ''): Merchant =>
  asking((fetch) => createClient({ baseUrl, apiKey, fetch }));

export const createReader = (baseUrl: string, apiKey: string): Asks<ReturnType<typeof createPartner>> =>
  asking((fetch) => createPartner({ baseUrl, apiKey, fetch }));

interface Seen {
  request: string;
  status: number;
  replayed: boolean;
  body: Record<string, unknown>;
  ms: number;
}

/** Each request is printed as it happens. */
function asking<C>(open: (fetch: Fetch) => C): Asks<C> {
  return async (status, use, ...show) => {
    const seen: Seen[] = [];
    const client = open(async (url, init) => {
      const begun = performance.now();
      const response = await fetch(url, init);
      const body = (await response.clone().json()) as Record<string, unknown>;
      const request = `${init.method} ${new URL(url).pathname.slice('/api'.length)}${new URL(url).search}`;
      const replayed = response.headers.get('idempotent-replayed') === 'true';
      const one = { request, status: response.status, replayed, body, ms: performance.now() - begun };
      seen.push(one);
      print(one, show);
      return response;
    });
    const result = await use(client).result();
    const last = seen.at(-1);
    if (last === undefined) throw new TourError(`no answer came: ${result.kind === 'lost' ? result.why : ''}`);
    if (last.status === status) return last.body as never;
    throw new TourError(`${last.request} answered ${last.status}, not ${status}: ${JSON.stringify(last.body)}`);
  };
}

function print({ request, status, replayed, body, ms }: Seen, show: readonly string[]): void {
  const shown = show.map((name) => `${name}=${showField(body, name)}`);
  if (replayed) shown.push('replayed');
  printRequest({ request: shorten(request), status, shown: shown.join(' '), ms });
}

/** Shortens ids to their last part, which is enough to distinguish them. */
const shorten = (path: string) => path.replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}([0-9a-f]{12})/g, '…$1');

function showField(answer: unknown, name: string): string {
  let value = answer;
  for (const part of name.split('.')) value = (value as Record<string, unknown> | undefined)?.[part];
  return shorten(Array.isArray(value) ? `${value.length} rows` : String(value));
}

import { Agent, request } from 'undici';
import { parsed } from '@cobro/testing/parsed.ts';
import { clientOf, type Client, type Send } from '../e2e/client.ts';

/** The Ingress of the release: its address, and the two hosts that it knows. */
export interface Door {
  url: string;
  main: string;
  partner: string;
}

export const merchantAt = (door: Door, apiKey: string): Client => clientAt(door.url, door.main, apiKey);
export const partnerAt = (door: Door, apiKey: string): Client => clientAt(door.url, door.partner, apiKey);
/** A caller without a key at the main host; paths are complete (`/api/…`). */
export const strangerAt = (door: Door): Send => sendTo(door.url, door.main, {});

const clientAt = (url: string, host: string, apiKey: string): Client =>
  clientOf(sendTo(`${url}/api`, host, { 'x-api-key': apiKey }));

const JSON_TYPE = { 'content-type': 'application/json' };

/** Sends to one address with a host header, because no DNS knows the host. It retries nothing. */
function sendTo(url: string, host: string, fixed: Record<string, string>): Send {
  // Longer than the gateway takes at most.
  const dispatcher = new Agent({ connections: 20, headersTimeout: 35_000 });
  return async (method, path, { body, headers = {} } = {}) => {
    const answer = await request(`${url}${path}`, {
      method: method as 'GET',
      dispatcher,
      headers: { host, ...fixed, ...(body !== undefined && JSON_TYPE), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    const sent = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as [string, string]);
    return { status: answer.statusCode, headers: new Headers(sent), body: parsed(text) as never };
  };
}

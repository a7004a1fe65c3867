import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';
import Agent from 'undici/lib/dispatcher/agent.js';
import { connectThrough, withoutBrackets } from './connect-through.ts';
import { isGlobal, isLoopback } from './global-address.ts';
import { type LookUp, openLookUp } from './look-up.ts';

/** Strangers may not make us send to this address. Nothing was sent. */
export class AddressRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AddressRefused';
  }
}

export interface OutboundAnswer {
  status: number;
  retryAfter: string | undefined;
  contentType: string | undefined;
  /** The beginning of the body, as it came. */
  text: string;
}

export interface OutboundRequest {
  url: URL;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body: string;
  withinMs: number;
  /** How much of the answer is read; the rest is left. */
  mostBytes: number;
  /** Aborted when nobody waits for the answer any longer. */
  until?: AbortSignal;
}

/** Requests to addresses that strangers have chosen. */
export interface Outbound {
  /** Why nothing may be sent there, judged by the address itself and by what its name leads to now; undefined if it may. */
  refusalOf(url: URL): Promise<string | undefined>;
  /**
   * Sends a request and resolves with the beginning of its answer. Follows no redirect. @throws AddressRefused, the error of the
   * connection, or a TimeoutError if no answer began in time
   */
  request(request: OutboundRequest): Promise<OutboundAnswer>;
  /** The same with POST, for the first kilobyte of the answer. */
  post(request: Omit<OutboundRequest, 'method' | 'mostBytes'>): Promise<OutboundAnswer>;
  close(): Promise<void>;
}

export interface OutboundOptions {
  /** True on a developer's machine: http, this machine's own names and its loopback addresses are allowed. */
  allowsLoopback: boolean;
  /** Everything goes through this proxy, if the process has no other way out. */
  proxy?: URL | undefined;
  lookUp?: LookUp;
}

const CONNECT_WITHIN_MS = 5_000;
const MOST_TEXT = 1_024;

/** A name is looked up once for each connection, each address that it leads to is checked, and the connection goes to one of these. */
export function openOutbound({
  allowsLoopback,
  proxy,
  lookUp = allowsLoopback ? systemLookup : openLookUp(),
}: OutboundOptions): Outbound {
  const mayReach = (address: string) => isGlobal(address) || (allowsLoopback && isLoopback(address));
  const checkedLookup: LookupFunction = (hostname, options, callback) => {
    lookUp(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error !== null) return callback(error, []);
      const refused = addresses.find(({ address }) => !mayReach(address));
      if (refused !== undefined || addresses.length === 0) return callback(new AddressRefused(NOT_PUBLIC), []);
      if (options.all === true) return callback(null, addresses);
      const [{ address, family }] = addresses as [LookupAddress];
      return callback(null, address, family);
    });
  };
  const agent = new Agent({
    connect:
      proxy === undefined
        ? { timeout: CONNECT_WITHIN_MS, lookup: checkedLookup }
        : connectThrough(proxy, checkedLookup, CONNECT_WITHIN_MS),
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 4_000,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  /** Judges the address as it is written. An IP address in it is plain, because the URL parser rewrites other notations. */
  const refusalAsWritten = (url: URL): string | undefined => {
    if (url.protocol !== 'https:' && !(allowsLoopback && url.protocol === 'http:')) return 'must be https';
    if (url.username !== '' || url.password !== '') return 'must not hold a user or password';
    const host = withoutBrackets(url.hostname);
    if (isIP(host) !== 0 && !mayReach(host)) return NOT_PUBLIC;
    return undefined;
  };
  const request: Outbound['request'] = async (wanted) => {
    const refusal = refusalAsWritten(wanted.url);
    if (refusal !== undefined) throw new AddressRefused(refusal);
    return exchange(agent, wanted);
  };
  return {
    refusalOf: async (url) => {
      const refusal = refusalAsWritten(url);
      const host = withoutBrackets(url.hostname);
      if (refusal !== undefined || isIP(host) !== 0) return refusal;
      return new Promise((resolve) => {
        // A name that cannot be resolved yet, or not in time, may be later.
        setTimeout(resolve, CONNECT_WITHIN_MS, undefined).unref();
        checkedLookup(host, { all: true }, (error) =>
          resolve(error instanceof AddressRefused ? NOT_PUBLIC : undefined),
        );
      });
    },
    request,
    post: (wanted) => request({ ...wanted, method: 'POST', mostBytes: MOST_TEXT }),
    close: () => agent.destroy(),
  };
}

const NOT_PUBLIC = 'must lead to a public address';

function exchange(
  agent: Dispatcher,
  { url, method, headers, body, withinMs, mostBytes, until }: OutboundRequest,
): Promise<OutboundAnswer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let answer: OutboundAnswer | undefined;
    let isOver = false;
    let bytes = 0;
    const chunks: Buffer[] = [];
    /** Also called while more of the answer would follow: its beginning is enough. */
    const end = (error: Error) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      until?.removeEventListener('abort', giveUp);
      if (answer === undefined) reject(error);
      else resolve({ ...answer, text: new TextDecoder().decode(Buffer.concat(chunks).subarray(0, mostBytes)) });
      controller?.abort(error);
    };
    const timer = setTimeout(() => end(new DOMException('not in time', 'TimeoutError')), withinMs);
    const giveUp = () => end(new DOMException('given up', 'AbortError'));
    until?.addEventListener('abort', giveUp);
    if (until?.aborted === true) return giveUp();
    const path = `${url.pathname}${url.search}`;
    agent.dispatch(
      { origin: url.origin, path, method, headers, body: method === 'GET' ? null : body },
      {
        onRequestStart: (started) => {
          if (isOver) throw new Error('given up');
          controller = started;
        },
        onResponseStart: (_controller, status, received) => {
          if (status < 200) return;
          const [retryAfter, contentType] = ['retry-after', 'content-type'].map((name) => [received[name]].flat()[0]);
          answer = { status, retryAfter, contentType, text: '' };
        },
        onResponseData: (_controller, chunk) => {
          chunks.push(chunk);
          bytes += chunk.length;
          if (bytes >= mostBytes) end(new Error('enough'));
        },
        onResponseEnd: () => {
          controller = undefined;
          end(new Error('no answer'));
        },
        onResponseError: (_controller, error) => end(error),
      },
    );
  });
}

import { exchange, type Fetch } from '@cobro/client/exchange.ts';
import { type Client, createClient, type MerchantOptions } from '@cobro/client/merchant.ts';
import type { Result } from '@cobro/client/refusal.ts';
import type { CallerOf } from '@cobro/contracts/caller.ts';
import type { AnswerOf, RouteContract } from '@cobro/contracts/route.ts';
import { counter } from '@cobro/metrics/instruments.ts';
import { traceHeaders } from '@cobro/metrics/trace-headers.ts';
import { boundedQueue } from '@cobro/service-kit/connection-queue.ts';
import { TOKEN_HEADER, type TokenSigner } from '@cobro/service-kit/internal-token.ts';
import { connectToOwn, type OwnTls } from '@cobro/service-kit/own-certificate.ts';
import type { Dispatcher } from 'undici';
import request from 'undici/lib/api/api-request.js';
import Agent from 'undici/lib/dispatcher/agent.js';

/** The public API called as a person, with the routes that only people may call and integrators' clients lack. */
export interface PersonApi extends Client {
  ofPeople<C extends RouteContract>(contract: C, input: Input, withinMs?: number): Promise<Result<ValueOf<C>>>;
}

interface Input {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: object;
}

type ValueOf<C extends RouteContract> = AnswerOf<C> extends infer A ? (A extends { body: infer B } ? B : never) : never;

/** Opens the API for one request of a person. */
export type OpenApi = (person: CallerOf<'person' | 'platform'>, requestId: string) => PersonApi;

/** An API answer that is read as it arrives. `body` throws if it breaks off. */
export interface ApiStream {
  status: number;
  body: AsyncIterable<string>;
}
/** Reads a path of the API, with its query. */
export type OpenStream = (path: string) => Promise<ApiStream>;

export interface Api {
  open: OpenApi;
  /** Reads, as a person, an answer that is too long for memory. */
  openStream: (person: CallerOf<'person' | 'platform'>, requestId: string) => OpenStream;
  close(): Promise<void>;
}

const CONNECTIONS = 128;
/** The most connections of one scope, so that its slow pages leave the others to other scopes. */
const CONNECTIONS_OF_SCOPE = CONNECTIONS / 4;
/** For browsers that wait for news, so that no page waits behind them. */
const WAITING_CONNECTIONS = 4_096;
/** For exports, which browsers may read slowly. */
const FILE_CONNECTIONS = 256;

/** @param peopleUrl the gateway's port for people, which alone takes these tokens */
export function openApi(options: { peopleUrl: string; sign: TokenSigner; tls: OwnTls | undefined }): Api {
  const connect = connectToOwn(options.tls);
  const pages = new Agent({ connections: CONNECTIONS, connect }).compose(
    boundedQueue(CONNECTIONS, CONNECTIONS_OF_SCOPE),
  );
  const waiting = new Agent({ connections: WAITING_CONNECTIONS, connect });
  const files = new Agent({ connections: FILE_CONNECTIONS, connect });
  const count = counter('cobro.dashboard.calls');
  const baseUrl = `${options.peopleUrl.replace(/\/$/, '')}/api`;
  return {
    open: (person, requestId) => {
      const connection: Connection = {
        baseUrl,
        headers: { 'x-request-id': requestId },
        fetch: async (url, { headers, ...init }) => {
          const isWaiting = url.includes('waitSeconds=');
          const dispatcher = isWaiting ? waiting : pages;
          const token = await options.sign(person, 'gateway');
          const sent = { ...init, headers: { ...headers, [TOKEN_HEADER]: token, ...traceHeaders() } };
          try {
            const answer = await fetchBy(dispatcher, scopeOf(person))(url, sent);
            count({ outcome: 'answered' });
            return answer;
          } catch (error) {
            // A failed wait is not counted, because mostly its browsers left.
            if (!isWaiting) count({ outcome: 'lost' });
            throw error;
          }
        },
      };
      return { ...createClient(connection), ofPeople: ofPeopleBy(connection) };
    },
    openStream: (person, requestId) => async (path) => {
      const token = await options.sign(person, 'gateway');
      const headers = { 'x-request-id': requestId, [TOKEN_HEADER]: token, ...traceHeaders() };
      const { statusCode: status, body } = await request.call(files, {
        ...placeOf(baseUrl + path),
        method: 'GET',
        headers,
      });
      if (status !== 200) await body.dump();
      // A long file takes 10 MB less as text: buffers stay outside the heap until a full collection.
      return { status, body: body.setEncoding('utf8') };
    },
    close: async () => {
      await Promise.all([pages.close(), waiting.close(), files.close()]);
    },
  };
}

/** Replaces `fetch`, which loads all of undici and takes 14 MB. It follows no redirection: the API sends none. */
const fetchBy =
  (dispatcher: Dispatcher, caller: string): Fetch =>
  async (url, { method, headers, body: sent, signal }) => {
    const asked = { ...placeOf(url), method, headers, body: sent ?? null, signal, caller };
    const { statusCode: status, headers: got, body } = await request.call(dispatcher, asked);
    return { status, headers: { get: (name) => [got[name]].flat()[0] ?? null }, text: () => body.text() };
  };

const scopeOf = (person: CallerOf<'person' | 'platform'>): string => {
  if (person.kind === 'platform') return 'platform';
  return person.scope.kind === 'partner' ? person.scope.partnerId : person.scope.organizationId;
};

const placeOf = (url: string) => {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: `${pathname}${search}` };
};

type Connection = Required<Pick<MerchantOptions, 'baseUrl' | 'fetch'>> & { headers: Readonly<Record<string, string>> };

/** Each call is sent once, because a lost one may have been carried out. */
const ofPeopleBy =
  (connection: Connection): PersonApi['ofPeople'] =>
  async ({ method, path }, { params = {}, query = {}, body }, withinMs = 25_000) => {
    const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
    const search = new URLSearchParams(query).toString();
    const sent = { method, path: search === '' ? filled : `${filled}?${search}`, body, withinMs, signal: undefined };
    return (await exchange(connection, sent)) as Result<never>;
  };

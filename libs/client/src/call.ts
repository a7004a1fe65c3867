import { type RouteName, routes, type Routes } from './api.ts';
import { type Answered, type Connection, exchange, type Fetch } from './exchange.ts';
import { pause } from './pause.ts';
import { type RefusalCode, type Result, valueOf } from './refusal.ts';
import { isRepeatable, pauseAfter } from './repeat.ts';
import { type Settling, settling } from './settling.ts';

export interface Options {
  /** Base address of the API; ends in `/api`. */
  baseUrl: string;
  /** How often a request that may be repeated is sent at most; 5 unless given. */
  attempts?: number;
  /** How long one answer may take; 25 s unless given, because the gateway gives up after 20 s. */
  withinMs?: number;
  /** Used instead of the global `fetch`. */
  fetch?: Fetch;
}

/** Options of one call, used instead of the client's own. */
export interface CallOptions {
  attempts?: number;
  withinMs?: number;
  /** Ends the call, which rejects with its reason. What was sent may still be carried out. */
  signal?: AbortSignal;
}

/** What a route takes. */
export type InputOf<N extends RouteName> = Omit<Routes[N], 'answers' | 'refusals'>;
type CodeOf<N extends RouteName> = Routes[N]['refusals'];
type AnswersOf<N extends RouteName> = Routes[N]['answers'];
type EachSettling<T> = T extends unknown ? Settling<T> : never;
/** What a route answers; if it may answer 202, with `settled`. */
export type ValueOf<N extends RouteName> = 202 extends keyof AnswersOf<N>
  ? EachSettling<AnswersOf<N>[keyof AnswersOf<N>]>
  : AnswersOf<N>[keyof AnswersOf<N>];

/** Resolves with the value, or rejects if the API refused or no answer came; `result` gives each of these as a value. */
export type Call<T, Code extends RefusalCode = RefusalCode> = Promise<T> & {
  result(): Promise<Result<T, Code>>;
};

/** Calls any route by its name. */
export type Caller = <N extends RouteName>(
  name: N,
  input: InputOf<N>,
  options?: CallOptions,
) => Call<ValueOf<N>, CodeOf<N>>;

/** What identifies the caller: its own key, or headers of a program that stands before the API. */
export type Identity = { apiKey: string } | { headers: Readonly<Record<string, string>> };
export const identifying = (by: Identity): Readonly<Record<string, string>> =>
  'apiKey' in by ? { 'x-api-key': by.apiKey } : by.headers;

/** How much longer than its `waitSeconds` a request waits for its answer, at most. */
const POLL_GRACE_MS = 10_000;

/** @param keys the headers that identify the caller */
export function createCaller({ baseUrl, fetch, ...defaults }: Options, keys: Readonly<Record<string, string>>): Caller {
  const connection: Connection = { baseUrl: baseUrl.replace(/\/$/, ''), headers: keys, fetch };
  return (name, input, options = {}) => {
    const { signal, attempts = 5, withinMs = 25_000 } = { ...defaults, ...options };
    const { method, path, repeatable } = routes[name];
    const { params = {}, query = {}, body } = input as Untyped;
    const waitSeconds = query['waitSeconds'];
    const sent = {
      method,
      path: `${filled(path, params)}${queryOf(query)}`,
      body,
      withinMs: waitSeconds === undefined ? withinMs : Number(waitSeconds) * 1_000 + Math.min(withinMs, POLL_GRACE_MS),
      signal,
    };
    const most = isRepeatable({ method, repeatable, body }) ? attempts : 1;
    return asCall(async () => {
      const answered = await repeated(() => exchange(connection, sent), most, signal);
      return settling(answered, name, connection) as never;
    });
  };
}

type Filter = string | number | undefined;

interface Untyped {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, Filter | readonly Filter[]>>;
  body?: object;
}

async function repeated(once: () => Promise<Answered>, most: number, signal?: AbortSignal): Promise<Answered> {
  for (let attempt = 0; ; attempt++) {
    const answered = await once();
    const pauseMs = pauseAfter(answered, attempt, Math.random());
    if (pauseMs === undefined || attempt + 1 >= most) return answered;
    await pause(pauseMs, signal);
  }
}

function asCall<T, Code extends RefusalCode>(run: () => Promise<Result<T, Code>>): Call<T, Code> {
  const results = run();
  const value = results.then((result) => valueOf(result));
  const result = () => {
    // A caller that reads the result sees the failure there, so the value's rejection counts as handled.
    value.catch(() => {});
    return results;
  };
  return Object.assign(value, { result });
}

const filled = (path: string, params: Readonly<Record<string, string>>) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

/** A list is sent as a repeated filter. */
function queryOf(query: NonNullable<Untyped['query']>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === undefined ? [] : [[name, String(one)] as [string, string]])),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

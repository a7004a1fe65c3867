import type { z } from 'zod';
import type { CallerOf } from './caller.ts';
import type { RefusalCode } from './refusals.ts';

/**
 * Who may call a route. `public` needs no key. A terminal sends its key as x-terminal-key, merchants and partners as x-api-key.
 * `service` is another service of ours. `person` and `platform` come only by the dashboard. `platform` is a person who runs the
 * platform: it manages organizations and partners, but reads and changes nothing else of theirs.
 */
export type Who = 'merchant' | 'partner' | 'terminal' | 'public' | 'service' | 'person' | 'platform';
/** The roles that may call a route by the dashboard: `read` every role, `operate` operator and owner, `own` owner only. */
export type People = 'read' | 'operate' | 'own';
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A JSON body, a page or script, a stream of text, or nothing. `means` says when the answer is given. */
export type AnswerContract =
  | { means: string; json: z.ZodType }
  | { means: string; media: 'text/html' | 'text/javascript' }
  | { means: string; stream: 'text/csv' }
  | { means: string; empty: true };

/** The body that a route takes. An absent JSON body counts as `{}`. Forms are sent by pages of ours. */
export type BodyContract = { json: z.ZodType } | { form: z.ZodType };

/** The whole contract of one route. The gateway routes by it, the owning service implements it, docs and tests read it. */
export interface RouteContract {
  method: Method;
  /** The path as the service knows it, without the `/api` of the outside path. Parameters are `:name` segments. */
  path: string;
  who: Who;
  /** People who may call it besides keys, by the gateway's listener for the dashboard; none if absent. Their bodies hold no card. */
  people?: People;
  /** The service that implements the route. */
  service: string;
  /**
   * `money`: the route may call the bank or changes something. `poll`: the answer may wait for something to happen. `stream`: the
   * answer has any length and is made no faster than its caller reads it. Each lane has its own connections, so that no read
   * waits for money.
   */
  lane: 'read' | 'money' | 'poll' | 'stream';
  /**
   * Milliseconds that the whole exchange may take, from the gateway's first byte to the service until the end of the answer. For a stream:
   * how long it may stand still.
   */
  timeLimitMs: number;
  /** One line, for readers of the documentation. */
  summary: string;
  /** True: a repeated request does nothing more and gets the same answer, so a caller without an answer may send it again. */
  repeatable?: true;
  params?: z.ZodObject;
  query?: z.ZodType;
  body?: BodyContract;
  answers: Readonly<Record<number, AnswerContract>>;
  /** The route's own refusals. `refusalsOf` adds those of every route of its kind. */
  refusals: readonly RefusalCode[];
}

type OutputOf<S, Otherwise> = S extends z.ZodType ? z.output<S> : Otherwise;
type NoFields = Readonly<Record<string, never>>;

type BodyOf<B> = B extends { json: infer S }
  ? OutputOf<S, never>
  : B extends { form: infer S }
    ? OutputOf<S, never>
    : never;

/** Where a request comes from, as the gateway passes it on. */
export interface SentFrom {
  /** The caller's IP address. */
  address: string;
  /** The browser's Origin and Sec-Fetch-Site headers, only on the paths of the checkout. */
  origin: string | undefined;
  fetchSite: string | undefined;
  /** The Accept-Language header. */
  languages: string | undefined;
}

/** A request as a use case gets it. */
export interface InputOf<C extends RouteContract> {
  caller: CallerOf<C['who']>;
  params: OutputOf<C['params'], NoFields>;
  query: OutputOf<C['query'], NoFields>;
  /** Until when (a `performance.now()` value) the caller waits for the answer. */
  deadline: number;
  /** Reads the body by the contract's schema when the use case's checks come to it. @throws Refusal 400 */
  readBody: () => BodyOf<C['body']>;
  from: SentFrom;
  /** For answers that wait: calls the listener once if the caller leaves before its answer. */
  onceLeft: (listener: () => void) => void;
}

type ContentOf<A> = A extends { json: infer S extends z.ZodType }
  ? { body: z.input<S> }
  : A extends { media: string }
    ? { text: string }
    : A extends { stream: string }
      ? { parts: AsyncIterable<string> }
      : object;

/** What a use case may answer: one of the contract's statuses, with the body of that status. */
export type AnswerOf<C extends RouteContract> = {
  [S in keyof C['answers'] & number]: {
    status: S;
    headers?: Readonly<Record<string, string>>;
  } & ContentOf<C['answers'][S]>;
}[keyof C['answers'] & number];

/** The refusals of the gateway, or of a service's frame, on any route of this kind. */
function commonRefusals(contract: RouteContract): RefusalCode[] {
  const { method, who, people, body } = contract;
  const sized: RefusalCode[] = body ? ['REQUEST_TIMEOUT', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] : [];
  const keyed: RefusalCode[] = who === 'public' ? [] : ['UNAUTHORIZED', 'FORBIDDEN'];
  const routed: RefusalCode[] = who === 'service' ? [] : ['NOT_IMPLEMENTED', 'BAD_GATEWAY', 'GATEWAY_TIMEOUT'];
  const isChange = method !== 'GET';
  const proved: RefusalCode[] = (people === 'own' || who === 'platform') && isChange ? ['FACTOR_NEEDED'] : [];
  const isBounded = isMetered(contract) || isBoundedForPeople(contract) || (who === 'platform' && isChange);
  const metered: RefusalCode[] = isBounded ? ['RATE_LIMIT_EXCEEDED'] : [];
  // Every route may refuse by VALIDATION_ERROR: a parameter that no contract names is refused.
  return [
    'VALIDATION_ERROR',
    ...sized,
    ...keyed,
    ...proved,
    ...metered,
    ...routed,
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
  ];
}

/** Every refusal that a caller of the route can get. */
export const refusalsOf = (contract: RouteContract): readonly RefusalCode[] => [
  ...new Set([...contract.refusals, ...commonRefusals(contract)]),
];

/** Whether the route's requests count against the key's budget (interface.md, Limits). `path` may have the `/api` or not. */
export const isMetered = ({ path }: Pick<RouteContract, 'path'>): boolean => /^(?:\/api)?\/developer\/v1\//.test(path);

/** Whether the route refunds. The gateway limits how often people may do that. */
export const isRefund = ({ path }: Pick<RouteContract, 'path'>): boolean => path.endsWith('/refund');

/** Whether the route charges a saved card without its payer, or sets what it is charged later. The gateway limits it in the same way. */
export const chargesSavedCard = ({
  method,
  path,
  people,
}: Pick<RouteContract, 'method' | 'path' | 'people'>): boolean =>
  people !== undefined && method !== 'GET' && /\/subscription(?:\/:id)?(?:\/period\/:number\/charge)?$/.test(path);

const isBoundedForPeople = (contract: RouteContract): boolean => isRefund(contract) || chargesSavedCard(contract);

const POLL_ANSWERS_WITHIN_S = 5;

/** Milliseconds that a poll may take: a little longer than it asks to wait. `query` is the query as sent. */
export function pollTimeLimitMs(contract: Pick<RouteContract, 'query'>, query: URLSearchParams): number {
  const waitSeconds = query.get('waitSeconds');
  const { success, data } = contract.query?.safeParse(waitSeconds === null ? {} : { waitSeconds }) ?? {
    success: false,
  };
  const waits = success ? (data as { waitSeconds: number }).waitSeconds : 0;
  return (waits + POLL_ANSWERS_WITHIN_S) * 1_000;
}

/** Errors of the read API and of the partner API have `message` and `code` and no other field. */
export const hasPlainErrors = ({ path }: Pick<RouteContract, 'path'>): boolean => path.startsWith('/developer/');

/** The path as callers from outside know it: `/api/…`, except for the pages of the checkout. */
export const outsidePath = ({ path }: Pick<RouteContract, 'path'>): string =>
  path.startsWith('/checkout/') ? path : `/api${path}`;

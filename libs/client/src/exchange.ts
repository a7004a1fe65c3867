import type { Refusal, Result } from './refusal.ts';

/** The part of `fetch` that is used. */
export type Fetch = (
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    body?: string;
    redirect: 'error';
    signal: AbortSignal;
  },
) => Promise<{ status: number; headers: { get(name: string): string | null }; text(): Promise<string> }>;

export interface Sent {
  method: string;
  /** The path behind the base address, with the query. */
  path: string;
  body: object | undefined;
  withinMs: number;
  signal: AbortSignal | undefined;
}

export interface Connection {
  /** Base address of the API; ends in `/api`. */
  baseUrl: string;
  headers: Readonly<Record<string, string>>;
  fetch: Fetch | undefined;
}

/** A result, and the path at which a 202 is read later. */
export type Answered = Result<unknown> & { location?: string | null };

/** Sends one request once. @throws the signal's reason */
export async function exchange({ baseUrl, headers, fetch }: Connection, sent: Sent): Promise<Answered> {
  const { signal, body } = sent;
  signal?.throwIfAborted();
  const own = new AbortController();
  const leave = () => own.abort();
  const timer = setTimeout(leave, sent.withinMs);
  signal?.addEventListener('abort', leave);
  try {
    const answer = await (fetch ?? globalThis.fetch)(`${baseUrl}${sent.path}`, {
      method: sent.method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      // The key must not follow a redirection to somebody else.
      redirect: 'error',
      signal: own.signal,
    });
    return read(answer.status, (name) => answer.headers.get(name), await answer.text());
  } catch (error) {
    signal?.throwIfAborted();
    return { kind: 'lost', why: own.signal.aborted ? 'no answer in time' : reasonOf(error) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
  }
}

/** The error of `fetch` has the code in its cause: ECONNREFUSED, ECONNRESET, UND_ERR_SOCKET. Another `fetch` may have it in its error. */
function reasonOf(error: unknown): string {
  const { cause, code, name } = error as Error & { code?: string };
  return (cause as { code?: string } | undefined)?.code ?? code ?? name;
}

/** Reads an answer. One that is not the API's, such as a proxy's page, counts as lost. */
function read(status: number, header: (name: string) => string | null, text: string): Answered {
  const body = parsed(text);
  const isObject = typeof body === 'object' && body !== null;
  if (status === 204) return { kind: 'done', status, value: undefined, replayed: false };
  if (status >= 200 && status < 300 && isObject) {
    const replayed = header('idempotent-replayed') === 'true';
    return { kind: 'done', status, value: body, replayed, location: header('location') };
  }
  // The partner's 401 is plain text.
  const said = status === 401 && !isObject ? { code: 'UNAUTHORIZED', message: text } : body;
  if (status < 400 || !isRefusal(said)) return { kind: 'lost', why: `an answer ${status} that is not the API's` };
  const seconds = Number(header('retry-after') ?? Number.NaN);
  const retryAfterMs = Number.isFinite(seconds) ? seconds * 1_000 : undefined;
  return { kind: 'refused', refusal: { ...said, status, retryAfterMs } as unknown as Refusal };
}

const isRefusal = (body: unknown): body is { code: string; message: string } =>
  typeof body === 'object' &&
  body !== null &&
  typeof (body as { code?: unknown }).code === 'string' &&
  typeof (body as { message?: unknown }).message === 'string';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

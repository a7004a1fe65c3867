import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listening } from '@cobro/testing/listening.ts';

/** What one request gets: an answer, a page that is not the API's, a cut connection, or no answer ever. */
export type Line =
  | { status: number; body?: unknown; retryAfter?: string; afterMs?: number }
  | { status: number; page: string }
  | 'cut'
  | 'silence';

export interface Heard {
  /** `next`, `ask`, `payment` or `decline`. */
  what: string;
  url: string;
  key: string | undefined;
  body: Record<string, unknown>;
}

/**
 * A real HTTP server for the paths that a service seldom takes: it answers each kind of request with its lines in order, and repeats
 * the last one. A kind without lines is 404.
 */
export async function openScriptedService(lines: Partial<Record<'next' | 'ask' | 'payment' | 'decline', Line[]>>) {
  const heard: Heard[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const one = await hear(request);
    heard.push(one);
    const own = lines[one.what as keyof typeof lines] ?? [];
    await speak(response, (own.length > 1 ? own.shift() : own[0]) ?? { status: 404, body: refusal('NOT_FOUND') });
  };
  const server = createServer((request, response) => void answer(request, response));
  const { port, url, close } = await listening(server);
  return {
    baseUrl: `${url}/api`,
    heard,
    of: (what: string) => heard.filter((one) => one.what === what),
    lines,
    /** Refuses connections until `open`. */
    shut: close,
    open: () => listening(server, port),
  };
}

export type ScriptedService = Awaited<ReturnType<typeof openScriptedService>>;

async function hear(request: IncomingMessage): Promise<Heard> {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
  const body = await text(request);
  const last = pathname.split('/').at(-1) ?? '';
  return {
    what: ['next', 'payment', 'decline'].includes(last) ? last : 'ask',
    url: `${pathname}${search}`,
    key: request.headers['x-terminal-key'] as string | undefined,
    body: body === '' ? {} : (JSON.parse(body) as Record<string, unknown>),
  };
}

async function speak(response: ServerResponse, line: Line): Promise<void> {
  if (line === 'silence') return;
  if (line === 'cut') return void response.destroy();
  if ('page' in line) return void response.writeHead(line.status, { 'content-type': 'text/html' }).end(line.page);
  const { status, body, retryAfter, afterMs = 0 } = line;
  if (afterMs > 0) await sleep(afterMs, undefined, { ref: false });
  response.writeHead(status, {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
  });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

export const refusal = (code: string, fields: object = {}) => ({ statusCode: 0, code, message: 'no', ...fields });

export const intentOf = (id: string, fields: object = {}) => ({
  id,
  amount: 250.5,
  currency: 'MXN',
  externalId: 'order-100',
  redirectAppId: null,
  organization: { name: 'Café Tacuba' },
  createdAt: '2026-11-22T09:14:07.000Z',
  expiresAt: '2026-11-22T09:29:07.000Z',
  ...fields,
});

export const paidOf = (id: string) => ({
  id,
  status: 'CONFIRMED',
  paymentId: '0199c1d2-0000-7000-8000-00000000aaaa',
  operationCode: 100_123,
  amount: 250.5,
  currency: 'MXN',
  card: { lastFourDigits: '4242', network: 'VISA' },
});

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { setSpanRoute } from '@cobro/service-kit/server-span.ts';
import type { Log } from '@cobro/service-kit/log.ts';

/** What the bank sends back: an answer (a string is already JSON), no answer ever, or a cut connection. */
export type Reply = { status: number; body: unknown } | 'silence' | 'drop';
export type Asked = {
  body: unknown;
  query: Record<string, string>;
  idempotencyKey: string | undefined;
  authorization: string | undefined;
};
export type Route = (asked: Asked) => Reply | Promise<Reply>;
/** Routes by method and path, such as 'POST /sales'. */
export type Routes = Record<string, Route>;

const maxBodyBytes = 65_536;
/** Paths that are asked so often that a log line for each request would hide the rest. */
const quiet = /^\/(health|internal)\//;

/** A plain node:http listener, because the cost of this process is part of every measurement of the services that call it. */
export function createListener(routes: Routes, log: Log) {
  const silenced = new Set<ServerResponse>();
  let stopping = false;
  const send = (req: IncomingMessage, res: ServerResponse, reply: Reply): void => {
    if (!quiet.test(req.url ?? '')) log.info(summary(req, reply), 'request');
    if (reply === 'drop' || (reply === 'silence' && stopping)) {
      res.destroy();
    } else if (reply === 'silence') {
      silenced.add(res);
      res.once('close', () => silenced.delete(res));
    } else {
      const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
      res.writeHead(reply.status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
      res.end(text);
    }
  };
  const listener: RequestListener = (req, res) => {
    answer(routes, req).then(
      (reply) => send(req, res, reply),
      (error: unknown) => send(req, res, failure(error, log)),
    );
  };
  return {
    listener,
    /** Cuts the connections that will never be answered, because they would hold up the stop for ever. */
    cutSilenced(): void {
      stopping = true;
      for (const res of silenced) res.destroy();
    },
  };
}

function summary(req: IncomingMessage, reply: Reply) {
  const route = (req.url ?? '').split('?', 1)[0];
  return typeof reply === 'string'
    ? { method: req.method, route, reason: reply }
    : { method: req.method, route, status: reply.status };
}

function failure(error: unknown, log: Log): Reply {
  if (error instanceof Refusal) {
    const name = error.code === 'BODY_TOO_LARGE' ? 'too_large' : 'bad_request';
    return { status: error.status, body: { error: name, message: error.message } };
  }
  if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET') return 'drop';
  log.error({ error }, 'unexpected error');
  return { status: 500, body: { error: 'internal', message: 'the bank could not do it' } };
}

async function answer(routes: Routes, req: IncomingMessage): Promise<Reply> {
  const [path = '', query] = (req.url ?? '').split('?', 2);
  const route = routes[`${req.method} ${path}`];
  if (route === undefined) return { status: 404, body: { error: 'not_found', message: 'there is no such route' } };
  setSpanRoute(req.method ?? 'GET', path);
  const key = req.headers['idempotency-key'];
  return route({
    body: req.method === 'GET' ? undefined : await readJson(req),
    query: query === undefined ? {} : Object.fromEntries(new URLSearchParams(query)),
    idempotencyKey: typeof key === 'string' ? key : undefined,
    authorization: req.headers.authorization,
  });
}

async function readJson(req: IncomingMessage): Promise<unknown> {
  // Refused by its Content-Length, because a refusal after reading has begun would cut the connection before the answer.
  if (Number(req.headers['content-length'] ?? 0) > maxBodyBytes) throw new Refusal('BODY_TOO_LARGE');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) throw new Refusal('BODY_TOO_LARGE');
    chunks.push(chunk);
  }
  if (bytes === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks, bytes).toString('utf8'));
  } catch {
    throw new Refusal('VALIDATION_ERROR', { message: 'the body is not JSON' });
  }
}

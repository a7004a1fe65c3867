import { randomUUID } from 'node:crypto';
import type { Caller } from '@cobro/contracts/caller.ts';
import { holdsCardData } from '@cobro/contracts/card-data.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { hasPlainErrors, outsidePath, type RouteContract } from '@cobro/contracts/route.ts';
import { contractsOf } from '@cobro/contracts/routes.ts';
import { uuidOnly } from '@cobro/contracts/span-ids.ts';
import { refuseField } from '@cobro/contracts/validation.ts';
import { counter, histogram } from '@cobro/metrics/instruments.ts';
import { context } from '@opentelemetry/api';
import express, { type ErrorRequestHandler, type Express, type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import { checkAnswer } from './answer-check.ts';
import { receiveBytes, unreadBody } from './body.ts';
import type { Clock } from './clock.ts';
import { deadlineOf, REMAINING_HEADER } from './deadline.ts';
import { type Readiness, recentReadiness } from './degradation.ts';
import { TOKEN_HEADER, type TokenVerifier } from './internal-token.ts';
import { type Log } from './log.ts';
import { readFields } from './read-fields.ts';
import { type ServedRoute, serveRoute } from './serve-route.ts';
import { annotateSpan, idsOfCaller } from './annotate-span.ts';

// Ids are logged, so none may look like a card number.
const SANE_REQUEST_ID = /^(?!.*\d{13})[\w.:-]{1,128}$/;
const isSane = (id: string) => SANE_REQUEST_ID.test(id) && !holdsCardData(id);

export interface HttpAppOptions<Deps> {
  /** The service whose contracts the routes implement. A contract without a route answers 501. */
  service: string;
  log: Log;
  clock: Clock;
  verifyToken: TokenVerifier;
  ready: Readiness;
  routes: readonly ServedRoute<Deps>[];
  /** Passed to the routes' use cases. */
  deps: Deps;
}

const parseQuery = (query: string | null) => readFields(query ?? '');

/** The Express app of every service: health, clock, token check, the service's routes, and one way to answer an error. */
export function createHttpApp<Deps>(options: HttpAppOptions<Deps>): Express {
  const app = exactPaths().set('query parser', parseQuery);
  serveHealth(app, options.ready);
  const { move } = options.clock;
  if (move !== undefined) {
    app.put('/internal/clock', requireToken(options.verifyToken), receiveBytes, ((req, res) => {
      if ((res.locals['caller'] as Caller).kind !== 'service') throw new Refusal('FORBIDDEN');
      move(unreadBody({ json: z.unknown() }, req));
      res.json({});
    }) as RequestHandler);
  }
  app.use(readDeadline, requestId, accessLog(options.log), requireToken(options.verifyToken), receiveBytes);
  for (const served of options.routes) on(app, served.contract)(serveRoute(options.deps, served));
  const kept = new Set(options.routes.map(({ contract }) => contract));
  for (const contract of contractsOf(options.service)) if (!kept.has(contract)) on(app, contract)(refuseUnserved);
  app.use(() => {
    throw new Refusal('NOT_FOUND');
  });
  app.use(answerError(options.log));
  return app;
}

/** An Express app whose paths match exactly: case counts, and no trailing slash. */
export const exactPaths = (): Express =>
  express().disable('x-powered-by').disable('etag').enable('case sensitive routing').enable('strict routing');

/**
 * `/health/live` always answers 200. `/health/ready` answers 503 if `ready` throws, otherwise 200, with `degraded` if `ready`
 * lists something. The answer may be a second old, so that frequent probes reach the database once.
 */
export function serveHealth(app: Express, ready: Readiness): void {
  const recently = recentReadiness(ready);
  app.get('/health/live', (_req, res) => void res.json({}));
  app.get('/health/ready', async (_req, res) => {
    try {
      const degraded = await recently();
      res.json({ ready: true, ...(degraded.length > 0 && { degraded }) });
    } catch {
      res.status(503).json({ ready: false });
    }
  });
}

/** A request's target may be a whole address. Its authority then counts instead of the Host header (RFC 9112, 3.2.2). */
export const takeAbsoluteForm: RequestHandler = (req, _res, next) => {
  const [, authority, path = ''] = /^https?:\/\/([^/?#@]+)(.*)$/i.exec(req.url) ?? [];
  if (authority !== undefined) {
    req.headers.host = authority;
    req.url = path.startsWith('/') ? path : `/${path}`;
  }
  next();
};

export const requestId: RequestHandler = (req, res, next) => {
  const given = req.get('x-request-id');
  const id = given !== undefined && isSane(given) ? given : randomUUID();
  res.locals['requestId'] = id;
  res.setHeader('x-request-id', id);
  annotateSpan({ requestId: id });
  next();
};

const readDeadline: RequestHandler = (req, res, next) => {
  res.locals['deadline'] = deadlineOf(req.get(REMAINING_HEADER));
  next();
};

/** Logs and measures each request when its answer has been sent, or when its caller has gone. */
export function accessLog(log: Log): RequestHandler {
  const measured = histogram('cobro.http.duration.seconds');
  const refused = counter('cobro.http.refusals');
  return (req, res, next) => {
    const begun = performance.now();
    const report = () => {
      const ms = performance.now() - begun;
      const { route = 'unknown', code } = res.locals as { route?: string; code?: string };
      measured(ms / 1_000, { method: methodOf(req.method), route, status: statusOf(res) });
      if (code !== undefined) refused({ route, code });
      const caller = res.locals['caller'] as Caller | undefined;
      const { keyId, personId } = caller === undefined ? {} : idsOfCaller(caller);
      log.info(
        {
          requestId: res.locals['requestId'],
          method: req.method,
          route,
          status: res.writableFinished ? res.statusCode : 499,
          code,
          keyId,
          personId,
          durationMs: Math.round(ms * 10) / 10,
        },
        'request',
      );
    };
    // The line belongs to the request's trace.
    res.on('close', context.bind(context.active(), report));
    next();
  };
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;
const methodOf = (method: string) => METHODS.find((known) => known === method) ?? 'other';

const CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;
/** Only the class of the status, because each value makes another histogram for each route. */
const statusOf = ({ writableFinished, statusCode }: Response) =>
  (writableFinished ? CLASSES[Math.floor(statusCode / 100) - 1] : undefined) ?? 'left';

function requireToken(verifyToken: TokenVerifier): RequestHandler {
  return async (req, res, next) => {
    const verified = await verifyToken(req.get(TOKEN_HEADER) ?? '');
    const trusted = verified !== undefined && (verified.caller.kind === 'service' || verified.issuer === 'gateway');
    if (!trusted) throw new Refusal('UNAUTHORIZED', { message: 'An internal token is needed.' });
    res.locals['caller'] = verified.caller;
    next();
  };
}

/** For a door that serves some routes itself, behind its own checks: serves each use case at the path that outside callers know. */
export function serveOutside<Deps>(app: Express, deps: Deps, routes: readonly ServedRoute<Deps>[]): void {
  app.set('query parser', parseQuery);
  for (const served of routes) {
    const path = outsidePath(served.contract);
    on(app, { ...served.contract, path })(serveRoute(deps, served, path));
  }
}

const on = (app: Express, { method, path }: Pick<RouteContract, 'method' | 'path'>) => {
  const name = method.toLowerCase() as Lowercase<RouteContract['method']>;
  return (handler: RequestHandler) => app[name](path, handler);
};

const refuseUnserved: RequestHandler = () => {
  throw new Refusal('NOT_IMPLEMENTED');
};

const isUnavailable = (error: unknown) => (error as { name?: unknown } | undefined)?.name === 'DatabaseUnavailable';

function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (isUnavailable(error)) return new Refusal('SERVICE_UNAVAILABLE');
  // Express throws this if it cannot decode a path parameter.
  if (error instanceof URIError) return refuseField('', 'The path must be UTF-8, percent-encoded');
  return undefined;
}

/**
 * Answers an error with `{ message, code }`, and with `details` if a field is to blame and the route's errors may have
 * details.
 */
export function answerError(log: Log): ErrorRequestHandler {
  return (error, req, res, _next) => {
    let refusal = refusalOf(error) ?? new Refusal('INTERNAL_ERROR');
    let reason: unknown = error;
    const contract = res.locals['contract'] as RouteContract | undefined;
    try {
      if (contract !== undefined) {
        checkAnswer(contract, { status: refusal.status, refusal: refusal.code, body: bodyOf(refusal, contract) });
      }
    } catch (broken) {
      refusal = new Refusal('INTERNAL_ERROR');
      reason = broken;
    }
    if (refusal !== reason && refusal.status >= 500) {
      log.error({ error: reason, requestId: res.locals['requestId'] }, 'unexpected error');
    }
    res.locals['code'] = refusal.code;
    annotateSpan({ paymentId: uuidOnly(refusal.extras.fields?.['paymentId']) });
    if (res.headersSent) return void res.destroy();
    res
      .status(refusal.status)
      .set(refusal.extras.headers ?? {})
      .json(bodyOf(refusal, contract ?? req));
  };
}

function bodyOf(refusal: Refusal, requested: Pick<RouteContract, 'path'>): object {
  const { details, fields } = refusal.extras;
  const plain = hasPlainErrors(requested);
  return { message: refusal.message, code: refusal.code, ...fields, ...(details && !plain ? { details } : {}) };
}

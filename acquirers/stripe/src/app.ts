import { timingSafeEqual } from 'node:crypto';
import {
  idempotencyKey,
  inquiryRequest,
  type OperationKind,
  operationKinds,
  operationRequests,
} from '@cobro/contracts/acquirer/operation-requests.ts';
import { problems } from '@cobro/contracts/acquirer/problems.ts';
import { acquirerRoutes } from '@cobro/contracts/acquirer/routes.ts';
import { settlementReportQuery } from '@cobro/contracts/acquirer/settlement-report.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Secret } from '@cobro/contracts/secret.ts';
import { validate } from '@cobro/contracts/validation.ts';
import { receiveBytes, unreadBody } from '@cobro/service-kit/body.ts';
import { accessLog, exactPaths, requestId, serveHealth } from '@cobro/service-kit/http-app.ts';
import type { Readiness } from '@cobro/service-kit/degradation.ts';
import { setRoute } from '@cobro/service-kit/set-route.ts';
import type { ErrorRequestHandler, Express, Request, RequestHandler } from 'express';
import { z } from 'zod';
import { ProblemAnswer } from './answer.ts';
import type { Deps, UnderWay } from './deps.ts';
import { inquire } from './inquire-operation.ts';
import { operate, type OperationRequest } from './operate.ts';
import { openReport } from './report-movements.ts';

/** The acquirer protocol (docs/acquirers/protocol.md) in front of one Stripe account. */
export function createApp(
  deps: Deps,
  {
    acceptedTokens,
    underWay,
    ready,
  }: { acceptedTokens: readonly Secret<string>[]; underWay: UnderWay; ready: Readiness },
): Express {
  const app = exactPaths();
  serveHealth(app, ready);
  app.use(requestId, accessLog(deps.log), requireToken(acceptedTokens), receiveBytes);
  const serve = (name: keyof typeof acquirerRoutes, answer: (req: Request) => unknown) => {
    const { method, path } = acquirerRoutes[name];
    app[method === 'GET' ? 'get' : 'post'](path, async (req, res) => {
      setRoute(res, path);
      res.json(await answer(req));
    });
  };
  for (const kind of operationKinds) {
    serve(kind, (req) => {
      const { key } = validate(z.object({ key: idempotencyKey }), { key: req.get('idempotency-key') });
      return operate(deps, underWay, key, requestOf(kind, bodyOf(req)));
    });
  }
  serve('inquire', (req) => inquire(deps, underWay, validate(inquiryRequest, bodyOf(req))));
  serve('capabilities', () => deps.capabilities);
  const report = openReport(deps);
  serve('settlementReport', (req) => report(validate(settlementReportQuery, { ...req.query })));
  app.use(() => {
    throw new ProblemAnswer('not_found', 'There is no such path.');
  });
  app.use(answerProblem(deps));
  return app;
}

const bodyOf = (req: Request) => unreadBody({ json: z.unknown() }, req);

const requestOf = (kind: OperationKind, body: unknown) =>
  ({ kind, ...validate(operationRequests[kind] as z.ZodType<object>, body) }) as OperationRequest;

function requireToken(acceptedTokens: readonly Secret<string>[]): RequestHandler {
  const expected = acceptedTokens.map((token) => Buffer.from(`Bearer ${token.reveal()}`));
  return (req, _res, next) => {
    const given = Buffer.from(req.get('authorization') ?? '');
    const isKnown = expected.some((one) => one.length === given.length && timingSafeEqual(one, given));
    if (!isKnown) throw new ProblemAnswer('unauthorized', 'A bearer token that this adapter knows is needed.');
    next();
  };
}

function problemOf(error: unknown): ProblemAnswer | undefined {
  if (error instanceof ProblemAnswer) return error;
  if (!(error instanceof Refusal)) return undefined;
  return new ProblemAnswer(error.code === 'BODY_TOO_LARGE' ? 'too_large' : 'bad_request', error.message);
}

const answerProblem =
  ({ log }: Deps): ErrorRequestHandler =>
  (error, _req, res, _next) => {
    const known = problemOf(error);
    if (known === undefined) log.error({ error, requestId: res.locals['requestId'] }, 'unexpected error');
    if (res.headersSent) return void res.destroy();
    const { problem, message } = known ?? new ProblemAnswer('internal', 'What became of it is not known yet.');
    res.locals['code'] = problem;
    res.status(problems[problem][0]).json({ error: problem, message });
  };

import { join } from 'node:path';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { accessLog, answerError, requestId, serveHealth } from '@cobro/service-kit/http-app.ts';
import { setRoute } from '@cobro/service-kit/set-route.ts';
import express, { type ErrorRequestHandler, type Express } from 'express';
import helmet from 'helmet';
import type { Deps } from './deps.ts';
import { serveRoutes } from './door/router.ts';

/** The API of merchants, terminals and paying customers. */
export function createMainApp(deps: Deps): Express {
  const app = openApp(deps);
  serveDocument(app, '/openapi.json', 'openapi-main.json');
  serveDocument(app, '/developer/v1/openapi.json', 'openapi-developer-v1.json');
  app.use(serveRoutes(deps.routes.main, deps));
  app.use(answerError(deps.log));
  return app;
}

/** The API of sales partners, on a listener of its own. */
export function createPartnerApp(deps: Deps): Express {
  const app = openApp(deps);
  serveDocument(app, '/openapi.json', 'openapi-partner.json');
  app.use(serveRoutes(deps.routes.partner, deps));
  app.use(answerUnauthorizedAsText, answerError(deps.log));
  return app;
}

function openApp(deps: Deps): Express {
  const app = express().disable('x-powered-by').disable('etag');
  serveHealth(app, deps.ready);
  app.use(requestId, accessLog(deps.log), securityHeaders);
  return app;
}

/** Serves the OpenAPI document of this API without a key. `npm run docs` writes the file. */
function serveDocument(app: Express, path: string, file: string): void {
  app.get(path, (_req, res) => {
    setRoute(res, path);
    res.sendFile(join(import.meta.dirname, '../../../docs/generated', file));
  });
}

/** Headers that forbid framing, scripts and caching. A service whose answer is a page sets its own. */
const securityHeaders = [
  helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    originAgentCluster: false,
  }),
];

const answerUnauthorizedAsText: ErrorRequestHandler = (error, _req, res, next) => {
  if (!(error instanceof Refusal) || error.code !== 'UNAUTHORIZED') return next(error);
  res.locals['code'] = error.code;
  res.status(error.status).type('text/plain').send('Unauthorized');
};

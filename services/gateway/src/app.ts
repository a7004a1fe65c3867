import { readdirSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { networkOf } from '@cobro/limits/network.ts';
import * as apiKeys from '@cobro/contracts/routes/api-keys.ts';
import * as organizations from '@cobro/contracts/routes/organizations.ts';
import * as platform from '@cobro/contracts/routes/platform.ts';
import {
  accessLog,
  answerError,
  exactPaths,
  requestId,
  serveHealth,
  serveOutside,
  takeAbsoluteForm,
} from '@cobro/service-kit/http-app.ts';
import { referencePolicy } from '@cobro/reference/policy.ts';
import { setRoute } from '@cobro/service-kit/set-route.ts';
import { route, type ServedRoute } from '@cobro/service-kit/serve-route.ts';
import type { ErrorRequestHandler, Express } from 'express';
import helmet from 'helmet';
import { createApiKey } from './api-keys/create-api-key.ts';
import { deleteApiKey } from './api-keys/delete-api-key.ts';
import { listApiKeys } from './api-keys/list-api-keys.ts';
import { revokeApiKey } from './api-keys/revoke-api-key.ts';
import { rollApiKey } from './api-keys/roll-api-key.ts';
import type { Deps } from './deps.ts';
import { clientAddress } from '@cobro/service-kit/client-address.ts';
import { identifyPerson } from './door/people.ts';
import { serveRoutes } from './door/router.ts';
import { changeOrganization } from './organizations/change-organization.ts';
import { getOrganization } from './organizations/get-organization.ts';
import { serveFile } from './serve-file.ts';
import { createPlatformOrganization } from './platform/create-organization.ts';
import { createPlatformPartner } from './platform/create-partner.ts';
import { listPlatformPartners } from './platform/list-partners.ts';

const generated = join(import.meta.dirname, '../../../docs/generated');

/** Merchant profiles, which the gateway itself keeps. */
const merchantRoutes: readonly ServedRoute<Deps>[] = [
  route(organizations.getOrganization, getOrganization),
  route(organizations.changeOrganization, changeOrganization),
  route(organizations.readDeveloperOrganization, getOrganization),
];

/** Only for people, and the platform's only for platform callers. The door checks that. */
const peopleRoutes: readonly ServedRoute<Deps>[] = [
  route(apiKeys.listApiKeys, listApiKeys),
  route(apiKeys.createApiKey, createApiKey),
  route(apiKeys.revokeApiKey, revokeApiKey),
  route(apiKeys.rollApiKey, rollApiKey),
  route(apiKeys.deleteApiKey, deleteApiKey),
  route(platform.listPlatformPartners, listPlatformPartners),
  route(platform.createPlatformPartner, createPlatformPartner),
  route(platform.createPlatformOrganization, createPlatformOrganization),
];

/** The API of merchants, terminals and paying customers. */
export function createMainApp(deps: Deps): RequestListener {
  const app = openApp(deps);
  serveDocument(app, '/openapi.json', 'openapi-main.json');
  serveDocument(app, '/developer/v1/openapi.json', 'openapi-developer-v1.json');
  serveDocument(app, '/asyncapi.json', 'asyncapi.json');
  serveReference(app);
  app.use(serveRoutes(deps.routes.main, deps));
  serveOutside(app, deps, merchantRoutes);
  app.use(answerError(deps.log));
  return onceReceived(deps, app);
}

/** The API of sales partners, on a listener of its own. */
export function createPartnerApp(deps: Deps): RequestListener {
  const app = openApp(deps);
  serveDocument(app, '/openapi.json', 'openapi-partner.json');
  app.use(serveRoutes(deps.routes.partner, deps));
  app.use(answerUnauthorizedAsText, answerError(deps.log));
  return onceReceived(deps, app);
}

/** The API that the dashboard calls for people, on a listener that only the dashboard reaches, without a proxy of ours. */
export function createPeopleApp(deps: Deps): RequestListener {
  const own = { ...deps, trustedProxyHops: 0 };
  const app = openApp(own);
  app.use(serveRoutes(deps.routes.people, own, identifyPerson));
  serveOutside(app, own, [...merchantRoutes, ...peopleRoutes]);
  app.use(answerError(deps.log));
  return onceReceived(own, app);
}

function openApp(deps: Deps): Express {
  const app = exactPaths();
  app.use(takeAbsoluteForm);
  // Health is public here, so degradations are not listed.
  serveHealth(app, async () => {
    await deps.ready();
    return [];
  });
  app.use(requestId, accessLog(deps.log), securityHeaders);
  return app;
}

/**
 * Serves a request only once its body has arrived (or was refused, or there is none), so that a slow sender costs little more than a
 * connection and no chunk waits in memory for its reader.
 */
const onceReceived =
  ({ bodies, trustedProxyHops }: Deps, app: Express): RequestListener =>
  async (req, res) => {
    const body = await bodies.receive(res, networkOf(clientAddress(req, trustedProxyHops)));
    if (body !== 'caller left') app(Object.assign(req, { body }), res);
  };

/** Serves the API reference without a key. `npm run docs` writes its pages, and only those are served. */
function serveReference(app: Express): void {
  const folder = join(generated, 'reference');
  for (const file of readdirSync(folder)) {
    serveFile(app, `/reference/${file}`, join(folder, file), {
      as: '/reference/:file',
      headers: { 'content-security-policy': referencePolicy },
    });
  }
  app.get('/reference', (_req, res) => {
    setRoute(res, '/reference');
    res.redirect('/reference/index.html');
  });
}

/** Serves the OpenAPI document of this API without a key. `npm run docs` writes the file. */
function serveDocument(app: Express, path: string, file: string): void {
  serveFile(app, path, join(generated, file));
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
  res
    .status(error.status)
    .set(error.extras.headers ?? {})
    .type('text/plain')
    .send('Unauthorized');
};

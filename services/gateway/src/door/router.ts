import { Refusal } from '@cobro/contracts/refusals.ts';
import { isMetered, pollTimeLimitMs } from '@cobro/contracts/route.ts';
import { networkOf } from '@cobro/limits/network.ts';
import type { Received } from '@cobro/service-kit/request-bodies.ts';
import { TOKEN_HEADER } from '@cobro/service-kit/internal-token.ts';
import { nameContract } from '@cobro/service-kit/serve-route.ts';
import { setRoute } from '@cobro/service-kit/set-route.ts';
import { idsOfCaller, annotateSpan } from '@cobro/service-kit/annotate-span.ts';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { authenticate } from './authentication.ts';
import { clientAddress } from '@cobro/service-kit/client-address.ts';
import type { Deps, OutsideCaller } from '../deps.ts';
import { gateway } from '../service.ts';
import { type Failure, forwardRequest } from './forward-request.ts';
import { requestHeaders } from './forwarded-headers.ts';
import { type Person, requireFreshFactor, requireMay } from './people.rules.ts';
import { spendChange, spendMoney, spendRequest } from './rate-limit.ts';
import { routeFinder } from './path-tree.ts';
import type { OutsideRoute } from './outside-routes.ts';

/** The caller that a request acts for, and the person who sends it, if any. */
export interface Identified {
  caller: OutsideCaller;
  person?: Person;
}
/** @throws Refusal 401 */
type Identify = (deps: Deps, route: OutsideRoute, req: Request) => Promise<Identified>;

const byKey: Identify = async (deps, { who }, req) => ({ caller: await authenticate(deps, who, req) });

/**
 * Serves a request: checks its path (404, 405), its key (401, 429, 403), whether there is such a service (501) and its body (408, 413),
 * and forwards it. A 405 of a metered route counts if its key is known, so it may be 429. The gateway's own routes go to `next`.
 */
export function serveRoutes(routes: readonly OutsideRoute[], deps: Deps, identify: Identify = byKey): RequestHandler {
  const findRoute = routeFinder(routes);
  return async (req, res, next) => {
    res.setHeader('cache-control', 'no-store');
    const [path = ''] = req.url.split('?', 1);
    const match = findRoute(req.method, path);
    if (match.kind === 'unknown') throw new Refusal('NOT_FOUND');
    if (match.kind === 'wrong method') {
      setRoute(res, match.route.path);
      await countKnownCaller(deps, identify, match.route, req, res);
      throw new Refusal('METHOD_NOT_ALLOWED', { headers: { Allow: match.allow.join(', ') } });
    }
    nameContract(res, match.route, match.route.path);
    await serve(deps, identify, match.route, { req, res, next });
  };
}

/** Counts a 405 of a metered route against its caller's limit, if the caller is known. */
async function countKnownCaller(
  deps: Deps,
  identify: Identify,
  route: OutsideRoute,
  req: Request,
  res: Response,
): Promise<void> {
  if (!isMetered(route)) return;
  const identified = await identify(deps, route, req).catch((error: unknown) => {
    if (error instanceof Refusal) return undefined;
    throw error;
  });
  if (identified === undefined) return;
  res.locals['caller'] = identified.caller;
  await spendRequest(deps.rateLimit, identified.caller, res);
}

interface Exchanged {
  req: Request;
  res: Response;
  next: NextFunction;
}

async function serve(
  deps: Deps,
  identify: Identify,
  route: OutsideRoute,
  { req, res, next }: Exchanged,
): Promise<void> {
  const { who, service, lane } = route;
  const { caller, person } = await identify(deps, route, req);
  res.locals['caller'] = caller;
  annotateSpan(idsOfCaller(caller));
  if (isMetered(route)) await spendRequest(deps.rateLimit, caller, res);
  if (who === 'person' ? person === undefined : caller.kind !== who) throw new Refusal('FORBIDDEN');
  if (person !== undefined) requireMay(person, route, new Date());
  if (caller.kind === 'platform' && req.method !== 'GET') {
    requireFreshFactor(caller, new Date());
    await spendChange(deps.platformLimit);
  }
  const isOfPeople = person !== undefined && caller.kind === 'merchant';
  const giveBack = isOfPeople ? await spendMoney(deps.moneyLimit, route, caller.organizationId) : undefined;
  const body = req.body as Received;
  if (service === gateway.name) {
    if (body instanceof Refusal) throw body;
    if (who === 'person') res.locals['caller'] = person;
    return next();
  }
  const upstream = deps.upstreams[service];
  if (upstream === undefined) throw new Refusal('NOT_IMPLEMENTED');
  if (body instanceof Refusal) {
    await giveBack?.();
    throw body;
  }
  const address = clientAddress(req, deps.trustedProxyHops);
  const headers = requestHeaders(req, {
    requestId: String(res.locals['requestId']),
    address,
    isPage: route.path.startsWith('/checkout/'),
  });
  headers.push(TOKEN_HEADER, await deps.sign(caller, service));
  const failure = await forwardRequest(
    upstream[lane],
    {
      caller: ownerOf(caller) ?? networkOf(address),
      method: req.method,
      path: pathForService(req.url),
      headers,
      body,
    },
    res,
    { timeoutMs: timeLimitOf(route, req.url), backlog: deps.backlog, isStream: lane === 'stream' },
  );
  if (giveBack !== undefined && wasNotSent(failure, res)) await giveBack();
  if (failure !== undefined) refuse(deps, service, failure, res);
}

/** For limited routes of people: a service's 503 says that nothing was done, and without a connection nothing was sent. */
const wasNotSent = (failure: Failure | undefined, res: Response): boolean =>
  failure === undefined ? res.statusCode === 503 : failure.kind === 'unreachable' || failure.kind === 'no connection';

/** All keys and terminals of one owner share its connections. Undefined for payers and the platform. */
function ownerOf(caller: OutsideCaller): string | undefined {
  if ('organizationId' in caller) return caller.organizationId;
  return caller.kind === 'partner' ? caller.partnerId : undefined;
}

function timeLimitOf(route: OutsideRoute, url: string): number {
  if (route.lane !== 'poll') return route.timeLimitMs;
  const [, query] = url.split('?', 2);
  return pollTimeLimitMs(route, new URLSearchParams(query));
}

/** Services know their paths without /api. The pages of the checkout have no /api at all. */
const pathForService = (url: string) => (url.startsWith('/api/') ? url.slice(4) : url);

function refuse(deps: Deps, service: string, failure: Failure, res: Response): void {
  if (failure.kind === 'left') return;
  const error = 'error' in failure ? failure.error : undefined;
  const requestId = String(res.locals['requestId']);
  deps.log.warn(
    { requestId, target: service, reason: failure.kind, ...(error && { error }) },
    'a service gave no answer',
  );
  switch (failure.kind) {
    case 'unreachable':
    case 'no connection':
      throw new Refusal('SERVICE_UNAVAILABLE');
    case 'late':
      throw new Refusal('GATEWAY_TIMEOUT');
    case 'broken':
    case 'token refused':
      throw new Refusal('BAD_GATEWAY');
  }
}

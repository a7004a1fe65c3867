import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { problemPage } from '@cobro/dashboard/account/problem.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { chooseLanguage } from '@cobro/html/language.ts';
import { networkOf } from '@cobro/limits/network.ts';
import { clientAddress } from '@cobro/service-kit/client-address.ts';
import { accessLog, exactPaths, requestId, takeAbsoluteForm } from '@cobro/service-kit/http-app.ts';
import type { Received } from '@cobro/service-kit/request-bodies.ts';
import { sendParts } from '@cobro/service-kit/send-parts.ts';
import { setRoute } from '@cobro/service-kit/set-route.ts';
import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express';
import type { Deps } from '../deps.ts';
import { cookiesOf } from './cookies.ts';
import { formTokenOf, isFormToken, isFromOurPage } from './form-token.ts';
import { readForm } from './read-form.ts';
import type { Screen } from './screen.ts';
import { show } from './show.ts';
import { type Answer, innerAddress, type Visit, withoutCardData } from './visit.ts';

/** The pages have their own listener, because their origin is neither the API's nor the checkout's. */
export function createPages(deps: Deps, screens: readonly Screen[]): RequestListener {
  const app = exactPaths();
  app.use(takeAbsoluteForm, requestId, accessLog(deps.log));
  serveAssets(app, deps);
  for (const path of new Set(screens.map((screen) => screen.path))) {
    const here = screens.filter((screen) => screen.path === path);
    for (const screen of here) app[screen.method === 'GET' ? 'get' : 'post'](path, serve(deps, screen));
    app.all(path, () => {
      throw new Refusal('METHOD_NOT_ALLOWED', { headers: { Allow: here.map(({ method }) => method).join(', ') } });
    });
  }
  app.use(() => {
    throw new Refusal('NOT_FOUND');
  });
  app.use(answerProblem(deps));
  return onceReceived(deps, app);
}

const onceReceived =
  ({ bodies, trustedProxyHops }: Deps, app: Express): RequestListener =>
  async (req, res) => {
    const body = await bodies.receive(res, networkOf(clientAddress(req, trustedProxyHops)));
    if (body !== 'caller left') app(Object.assign(req, { body }), res);
  };

function serveAssets(app: Express, { assets }: Deps): void {
  for (const [name, { headers, body }] of assets.files) {
    app.get(`/assets/${name}`, (_req, res) => {
      setRoute(res, '/assets/:name');
      res.set(headers).send(body);
    });
  }
}

const serve =
  (deps: Deps, screen: Screen): RequestHandler =>
  async (req, res) => {
    setRoute(res, screen.path);
    const { visit, cookie } = visitOf(deps, req, res);
    res.locals['visit'] = visit;
    if (screen.method === 'POST') requireOwnForm(deps, req, visit);
    const answer = await screen.serve(deps, visit);
    if (answer.parts === undefined) send(res, answer, cookie);
    else await sendParts(res.status(answer.status).set(answer.headers ?? {}), answer.parts);
  };

/** Reads the request. A browser without a session or visit cookie gets a visit cookie, to which forms are bound. */
function visitOf(deps: Deps, req: Request, res: Response): { visit: Visit; cookie: string | undefined } {
  const cookies = cookiesOf(deps.baseUrl);
  const header = req.headers.cookie;
  const sessionToken = cookies.read(header, 'session');
  const visitToken = cookies.read(header, 'visit');
  const bound = sessionToken ?? visitToken ?? randomBytes(32).toString('base64url');
  const isNew = sessionToken === undefined && visitToken === undefined;
  const from = clientAddress(req, deps.trustedProxyHops);
  const url = new URL(req.url, deps.baseUrl);
  const left = new AbortController();
  res.once('close', () => left.abort());
  const isPost = req.method === 'POST';
  const form = readForm(req, req.body as Received);
  const visit: Visit = {
    address: isPost ? innerAddress(form.get('back')) : withoutCardData(`${url.pathname}${url.search}`),
    isPost,
    params: req.params as Visit['params'],
    query: url.searchParams,
    form,
    requestId: String(res.locals['requestId']),
    from,
    network: networkOf(from),
    userAgent: (req.headers['user-agent'] ?? '').slice(0, 200),
    language: chooseLanguage(req.headers['accept-language'], url.searchParams.get('lang') ?? undefined),
    left: left.signal,
    isPoll: req.method === 'GET' && req.headers['x-poll'] !== undefined,
    sessionToken,
    deviceCookie: cookies.read(header, 'device'),
    formToken: formTokenOf(bound),
  };
  return { visit, cookie: isNew ? cookies.set('visit', bound) : undefined };
}

/** @throws Refusal 403 unless the form is one of ours that this browser was given */
function requireOwnForm({ baseUrl }: Deps, req: Request, { form, sessionToken }: Visit): void {
  const cookies = cookiesOf(baseUrl);
  const bound = sessionToken ?? cookies.read(req.headers.cookie, 'visit');
  const sent = { origin: req.get('origin'), fetchSite: req.get('sec-fetch-site') };
  const isOurs =
    bound !== undefined &&
    isFormToken(form.get('formToken') ?? '', bound) &&
    isFromOurPage(sent, new URL(baseUrl).origin);
  if (!isOurs) throw new Refusal('FORBIDDEN', { fields: { form: 'foreign' } });
}

function send(res: Response, { status, headers = {}, html, cookies = [] }: Answer, visitCookie?: string): void {
  const all = visitCookie === undefined ? cookies : [visitCookie, ...cookies];
  if (all.length > 0) res.setHeader('Set-Cookie', all);
  res.status(status).set(headers).end(html);
}

/** An empty visit, for problems outside of all screens. */
const nobody = (res: Response): Visit => ({
  address: '/',
  isPost: false,
  params: {},
  query: new URLSearchParams(),
  form: new URLSearchParams(),
  requestId: String(res.locals['requestId']),
  from: '',
  network: '',
  userAgent: '',
  language: 'es',
  left: new AbortController().signal,
  isPoll: false,
  sessionToken: undefined,
  deviceCookie: undefined,
  formToken: '',
});

function answerProblem(deps: Deps): ErrorRequestHandler {
  return (error, _req, res, _next) => {
    const refusal = refusalOf(error);
    const visit = (res.locals['visit'] as Visit | undefined) ?? nobody(res);
    if (refusal.status >= 500 && refusal !== error) {
      deps.log.error({ error, requestId: visit.requestId }, 'unexpected error');
    }
    const code = refusal.extras.fields?.['form'] === 'foreign' ? 'FOREIGN_FORM' : refusal.code;
    res.locals['code'] = refusal.code;
    if (res.headersSent) return void res.destroy();
    const { status } = refusal;
    const answer = show(deps, visit, (frame) => problemPage(frame, { status, code, requestId: visit.requestId }));
    send(res, { ...answer, headers: { ...answer.headers, ...refusal.extras.headers } });
  };
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if ((error as { name?: unknown }).name === 'DatabaseUnavailable') return new Refusal('SERVICE_UNAVAILABLE');
  // Express throws this if it cannot decode a path parameter.
  if (error instanceof URIError) return new Refusal('NOT_FOUND');
  return new Refusal('INTERNAL_ERROR');
}

import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Envelope } from '@cobro/contracts/events.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import { createRateLimit } from '@cobro/limits/rate-limit.ts';
import { openRedis, type RedisOptions } from '@cobro/limits/redis.ts';
import { type Database, openDatabase } from '@cobro/postgres/database.ts';
import { createTokenSigner, createTokenVerifier } from '@cobro/service-kit/internal-token.ts';
import { createHttpServer, type HttpServerOptions } from '@cobro/service-kit/http-server.ts';
import { createLog } from '@cobro/service-kit/log.ts';
import { createRequestBodies } from '@cobro/service-kit/request-bodies.ts';
import { secretOfKeys } from '../api-keys/key-secret.ts';
import { createMainApp, createPartnerApp, createPeopleApp } from '../app.ts';
import { bootstrap } from '../registry/bootstrap.ts';
import { createBacklog, MOST_BYTES } from './backlog.ts';
import { createKeyCache } from './key-cache.ts';
import { createKeyUses } from './key-uses.ts';
import { findActiveKey, findChangedKeys } from '../registry/key.store.ts';
import { gateway } from '../service.ts';
import { dashboardRoutes, mainRoutes, type OutsideRoute, partnerRoutes } from './outside-routes.ts';
import { openLimits } from './rate-limit.ts';
import { startTestUpstream } from './test-upstream.ts';
import { boundUnfinished, type UnfinishedOptions } from '@cobro/service-kit/unfinished-requests.ts';
import { openUpstream } from './upstream.ts';

export interface TestGatewayOptions {
  redis: Pick<RedisOptions, 'url' | 'prefix' | 'patienceMs'>;
  /** Instead of 120 requests a minute per key. */
  limit?: { requests: number; windowMs: number };
  timeLimitMs?: number;
  mostBacklogBytes?: number;
  bodies?: Parameters<typeof createRequestBodies>[0];
  /** Instead of the usual bound on one address. */
  mostOfOne?: number;
  /** Instead of the listeners' usual limits. */
  timeLimits?: HttpServerOptions['limits'];
  upstreamPort?: number;
  trustedProxyHops?: number;
  /** The first replica's key, for a second one. */
  signingKey?: SigningKey;
}

type SigningKey = JsonWebKey & { kid: string };

/** For tests: starts all listeners of the gateway in this process, before one upstream that acts as every service. */
export async function startTestGateway(databaseUrl: string, options: TestGatewayOptions) {
  const db = openDatabase({ url: databaseUrl, schema: gateway.name });
  const signingKey = options.signingKey ?? newKey('gateway');
  const dashboardKey = newKey('dashboard');
  const jwks = { keys: [signingKey, dashboardKey].map((key) => ({ ...key, d: undefined }) as never) };
  const upstream = await startTestUpstream(options.upstreamPort);
  const connections = openUpstream(upstream.url);
  const { keys, keyUses, later } = openKeys(db);
  await keys.evictChanged();
  const logged: object[] = [];
  const log = createLog({ service: gateway.name, level: 'fatal' });
  log.info = (fields: object) => void logged.push(fields);
  const handedOver: Envelope[] = [];
  const redis = openRedis({ ...options.redis, log });
  const deps = {
    log,
    db,
    keys,
    keyUses,
    keyMode: 'test' as const,
    ...openLimits(redis),
    ...(options.limit && { rateLimit: createRateLimit({ redis, ...options.limit }) }),
    keySecret: secretOfKeys(new Secret(signingKey)),
    trustedProxyHops: options.trustedProxyHops ?? 0,
    sign: createTokenSigner(new Secret(signingKey)),
    verifyToken: await createTokenVerifier(jwks, gateway.name),
    upstreams: { payments: connections, holds: connections, reporting: connections, webhooks: connections },
    handOver: async (events: Envelope[]) => void handedOver.push(...events),
    backlog: createBacklog(options.mostBacklogBytes ?? MOST_BYTES),
    bodies: createRequestBodies(options.bodies),
    routes: routesWithin(options.timeLimitMs),
    ready: async () => ['database_read_only' as const],
  };
  const server = { ...options, ...deps };
  const main = await listen(createMainApp(deps), server);
  const partner = await listen(createPartnerApp(deps), server);
  const people = await listen(createPeopleApp(deps), server);
  return {
    db,
    signingKey,
    url: main.url,
    partnerUrl: partner.url,
    peopleUrl: people.url,
    /** Sign as the gateway and as the dashboard. */
    sign: deps.sign,
    signAsDashboard: createTokenSigner(new Secret(dashboardKey)),
    /** Connections of callers to the main listener. */
    sockets: main.sockets,
    upstream,
    /** The events that payments was handed. */
    handedOver,
    /** The gateway's connections to the upstream, on which it sends charges. */
    money: connections.money,
    /** The fields of each request's log line. */
    logged,
    keys,
    keyUses,
    later,
    verifyToken: await createTokenVerifier(jwks, 'payments'),
    ...(await bootstrap(db)),
    close: async () => {
      redis.close();
      await connections.destroy();
      await Promise.all([main.close(), partner.close(), people.close(), upstream.stop()]);
      await db.close();
    },
  };
}

/** All routes, with their own time limits or the given one. */
function routesWithin(timeLimitMs: number | undefined) {
  const limited = (route: OutsideRoute) => ({ ...route, timeLimitMs: timeLimitMs ?? route.timeLimitMs });
  return {
    main: mainRoutes.map(limited),
    partner: partnerRoutes.map(limited),
    people: dashboardRoutes.map(limited),
  };
}

const newKey = (kid: string): SigningKey => ({
  ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }),
  kid,
});

function openKeys(db: Database) {
  let ahead = 0;
  const timeOfDay = () => new Date(Date.now() + ahead);
  const keys = createKeyCache({
    find: (hash) => findActiveKey(db, hash),
    findChanged: (position) => findChangedKeys(db, position),
    now: () => performance.now(),
    timeOfDay,
  });
  return {
    keys,
    keyUses: createKeyUses(() => timeOfDay().getTime()),
    /** Moves the time of day, by which remembered keys end and uses of keys are noted. */
    later: (ms: number) => (ahead += ms),
  };
}

export type TestGateway = Awaited<ReturnType<typeof startTestGateway>>;

type ServerOptions = UnfinishedOptions & Pick<TestGatewayOptions, 'timeLimits'>;

async function listen(app: RequestListener, { timeLimits, ...options }: ServerOptions) {
  const server = createHttpServer(app, { limits: timeLimits });
  boundUnfinished(server, options);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.once('close', () => sockets.delete(socket))));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    sockets,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

import type { Server } from 'node:http';
import { within } from '@cobro/async/time-limit.ts';
import { urlVariable } from '@cobro/frame/definition.ts';
import { openParts } from '@cobro/frame/open-parts.ts';
import { openRedis } from '@cobro/limits/redis.ts';
import { measureDegradation, type Readiness } from '@cobro/service-kit/degradation.ts';
import { createTokenVerifier } from '@cobro/service-kit/internal-token.ts';
import { startJob } from '@cobro/service-kit/job.ts';
import { createRequestBodies } from '@cobro/service-kit/request-bodies.ts';
import { runService } from '@cobro/service-kit/run-service.ts';
import { END_ROLLED_KEYS_EVERY_MS, endRolledKeys } from './api-keys/end-rolled-keys.job.ts';
import { secretOfKeys } from './api-keys/key-secret.ts';
import { createMainApp, createPartnerApp, createPeopleApp } from './app.ts';
import { createBacklog, MOST_BYTES } from './door/backlog.ts';
import { EVICT_KEYS_EVERY_MS, evictKeys } from './door/evict-keys.job.ts';
import { createKeyCache } from './door/key-cache.ts';
import { createKeyUses } from './door/key-uses.ts';
import { dashboardRoutes, mainRoutes, partnerRoutes } from './door/outside-routes.ts';
import { boundUnfinished } from '@cobro/service-kit/unfinished-requests.ts';
import { openLimits } from './door/rate-limit.ts';
import { openUpstream } from './door/upstream.ts';
import { WRITE_USES_EVERY_MS, writeKeyUses } from './door/write-uses.job.ts';
import { findActiveKey, findChangedKeys } from './registry/key.store.ts';
import { openHandOverToPayments } from './organizations/hand-over-to-payments.ts';
import { gateway } from './service.ts';

const { env, log, db, broker, outbox, sign, tls } = openParts(gateway);
const addresses = env as Record<string, unknown>;
const upstreams = Object.fromEntries(
  gateway.calls.flatMap((service) => {
    const address = addresses[urlVariable(service)];
    return typeof address === 'string' ? [[service, openUpstream(address, tls)]] : [];
  }),
);
const payments = openHandOverToPayments(addresses[urlVariable('payments')], { log, sign, tls });
const keys = createKeyCache({
  // The statement timeout of Postgres: nothing is lost by waiting that long.
  find: (hash) => within(5_000, findActiveKey(db, hash)),
  findChanged: (position) => findChangedKeys(db, position),
  now: () => performance.now(),
  timeOfDay: () => new Date(),
});
const redis = openRedis({ url: env.REDIS_URL.reveal(), prefix: env.REDIS_PREFIX, log });
const ready: Readiness = async () => {
  // No timeout here: a slow database must not take every gateway out of the Service while remembered keys are valid.
  const { readOnly } = await db.ping();
  return [
    ...(readOnly ? (['database_read_only'] as const) : []),
    ...(redis.refuses() ? (['redis_refuses'] as const) : []),
  ];
};
measureDegradation(ready);
const deps = {
  log,
  db,
  keys,
  keyUses: createKeyUses(() => Date.now()),
  keyMode: env.KEY_MODE,
  ...openLimits(redis),
  keySecret: secretOfKeys(env.INTERNAL_SIGNING_KEY),
  trustedProxyHops: env.TRUSTED_PROXY_HOPS,
  sign,
  verifyToken: await createTokenVerifier(env.INTERNAL_VERIFY_KEYS, gateway.name),
  upstreams,
  handOver: payments.handOver,
  backlog: createBacklog(MOST_BYTES),
  bodies: createRequestBodies(),
  routes: { main: mainRoutes, partner: partnerRoutes, people: dashboardRoutes },
  ready,
};
const eviction = startJob({ name: 'evict-keys', everyMs: EVICT_KEYS_EVERY_MS, log, run: () => evictKeys(deps) });

const uses = startJob({ name: 'write-uses', everyMs: WRITE_USES_EVERY_MS, log, run: () => writeKeyUses(deps) });

const ends = startJob({
  name: 'end-rolled-keys',
  everyMs: END_ROLLED_KEYS_EVERY_MS,
  log,
  run: () => endRolledKeys(deps),
});

const door = { trustTraceparent: env.TRUST_TRACEPARENT === 'true' };
const watch = (server: Server) => boundUnfinished(server, deps);

await runService({
  log,
  listeners: [
    { app: createMainApp(deps), host: env.HOST, port: env.PORT, door, watch },
    { app: createPartnerApp(deps), host: env.HOST, port: env.PARTNER_PORT, door, watch },
    { app: createPeopleApp(deps), host: env.HOST, port: env.PEOPLE_PORT },
  ],
  tls,
  drainDelayMs: env.DRAIN_DELAY_MS,
  afterClose: async () => {
    redis.close();
    await Promise.all([
      eviction.stop(),
      uses.stop(),
      ends.stop(),
      outbox.stop(),
      payments.close(),
      ...Object.values(upstreams).map((upstream) => upstream.destroy()),
    ]);
    await Promise.all([broker.close(), db.close()]);
  },
});

import { openBroker } from '@cobro/events/broker.ts';
import { openOutbox } from '@cobro/events/outbox.ts';
import { openDatabase } from '@cobro/postgres/database.ts';
import { loadConfig } from '@cobro/service-kit/config.ts';
import { createTokenSigner } from '@cobro/service-kit/internal-token.ts';
import { startJob } from '@cobro/service-kit/job.ts';
import { createLog } from '@cobro/service-kit/log.ts';
import { runService } from '@cobro/service-kit/run-service.ts';
import { createMainApp, createPartnerApp } from './app.ts';
import { config } from './config.ts';
import { within } from '@cobro/contracts/time-limit.ts';
import { EVICT_KEYS_EVERY_MS, evictKeys } from './evict-keys.job.ts';
import { createKeyCache } from './key-cache.ts';
import { findActiveKey, findChangedKeys } from './key.store.ts';
import { schema } from './schema.ts';
import { openUpstream } from './upstream.ts';

const env = loadConfig(config);
const log = createLog({ service: schema.name, level: env.LOG_LEVEL });
const db = openDatabase({ url: env.DATABASE_URL.reveal(), schema: schema.name });
const broker = openBroker({ url: env.AMQP_URL.reveal(), name: schema.name, prefix: env.EVENTS_PREFIX, log });
const outbox = openOutbox({ db, broker, log });
const upstreams = {
  payments: openUpstream(env.PAYMENTS_URL),
  ...(env.HOLDS_URL && { holds: openUpstream(env.HOLDS_URL) }),
  ...(env.INTENTS_URL && { intents: openUpstream(env.INTENTS_URL) }),
  ...(env.REPORTING_URL && { reporting: openUpstream(env.REPORTING_URL) }),
};
const keys = createKeyCache({
  find: (hash) => within(2_000, findActiveKey(db, hash)),
  findChanged: (position) => findChangedKeys(db, position),
  now: () => performance.now(),
});
const deps = {
  log,
  keys,
  keyMode: env.KEY_MODE,
  sign: createTokenSigner(env.INTERNAL_SIGNING_KEY),
  upstreams,
  upstreamTimeoutMs: env.UPSTREAM_TIMEOUT_MS,
  ready: () => within(500, db.ping()),
};
const eviction = startJob({ name: 'evict-keys', everyMs: EVICT_KEYS_EVERY_MS, log, run: () => evictKeys(deps) });

await runService({
  log,
  listeners: [
    { app: createMainApp(deps), host: env.HOST, port: env.PORT },
    { app: createPartnerApp(deps), host: env.HOST, port: env.PARTNER_PORT },
  ],
  drainDelayMs: env.DRAIN_DELAY_MS,
  afterClose: async () => {
    await Promise.all([
      eviction.stop(),
      outbox.stop(),
      ...Object.values(upstreams).map((upstream) => upstream.destroy()),
    ]);
    await Promise.all([broker.close(), db.close()]);
  },
});

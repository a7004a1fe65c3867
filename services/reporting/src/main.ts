import { openBroker } from '@cobro/events/broker.ts';
import { pruneInbox } from '@cobro/events/inbox.ts';
import { subscribe } from '@cobro/events/subscribe.ts';
import { openDatabase } from '@cobro/postgres/database.ts';
import { openClock } from '@cobro/service-kit/clock.ts';
import { loadConfig } from '@cobro/service-kit/config.ts';
import { createHttpApp } from '@cobro/service-kit/http-app.ts';
import { createTokenVerifier } from '@cobro/service-kit/internal-token.ts';
import { startJob } from '@cobro/service-kit/job.ts';
import { createLog } from '@cobro/service-kit/log.ts';
import { runService } from '@cobro/service-kit/run-service.ts';
import { handlers, routes } from './app.ts';
import { config } from './config.ts';
import type { Deps } from './deps.ts';
import { schema } from './schema.ts';

const HOUR_MS = 3_600_000;

const env = loadConfig(config);
const log = createLog({ service: schema.name, level: env.LOG_LEVEL });
const clock = await openClock(env.CLOCK_URL);
const verifyToken = await createTokenVerifier(env.INTERNAL_VERIFY_KEYS);
const db = openDatabase({ url: env.DATABASE_URL.reveal(), schema: schema.name });
const broker = openBroker({ url: env.AMQP_URL.reveal(), name: schema.name, prefix: env.EVENTS_PREFIX, log });
const subscription = subscribe({ broker, db, queue: 'reporting', handlers, log });
// An event that comes again after that changes nothing either: each fact is set once.
const pruning = startJob({ name: 'prune-inbox', everyMs: HOUR_MS, log, run: () => pruneInbox(db, 30) });

const deps: Deps = { db, clock, cursorKey: env.CURSOR_KEY };

await runService({
  log,
  listeners: [
    // Reading needs no broker: what it has told so far can be shown without it.
    {
      app: createHttpApp({ service: schema.name, log, clock, verifyToken, ready: db.ping, routes, deps }),
      host: env.HOST,
      port: env.PORT,
    },
  ],
  drainDelayMs: env.DRAIN_DELAY_MS,
  beforeClose: async () => {
    await Promise.all([subscription.stop(), pruning.stop()]);
  },
  afterClose: async () => {
    await broker.close();
    await db.close();
  },
});

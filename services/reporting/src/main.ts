import { openBroker } from '@cobro/events/broker.ts';
import { pruneInbox } from '@cobro/events/inbox.ts';
import { subscribe } from '@cobro/events/subscribe.ts';
import { openDatabase } from '@cobro/postgres/database.ts';
import { openClock } from '@cobro/service-kit/clock.ts';
import { loadConfig } from '@cobro/service-kit/config.ts';
import { createTokenVerifier } from '@cobro/service-kit/internal-token.ts';
import { startJob } from '@cobro/service-kit/job.ts';
import { createLog } from '@cobro/service-kit/log.ts';
import { runService } from '@cobro/service-kit/run-service.ts';
import { createApp, handlers } from './app.ts';
import { config } from './config.ts';
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

await runService({
  log,
  listeners: [
    { app: createApp({ db, clock, cursorKey: env.CURSOR_KEY }, { log, verifyToken }), host: env.HOST, port: env.PORT },
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

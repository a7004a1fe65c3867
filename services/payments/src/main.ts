import { openBank } from '@cobro/bank/bank-client.ts';
import { createJournal } from '@cobro/bank/journal.ts';
import { openBroker } from '@cobro/events/broker.ts';
import { pruneInbox } from '@cobro/events/inbox.ts';
import { openOutbox } from '@cobro/events/outbox.ts';
import { subscribe } from '@cobro/events/subscribe.ts';
import { openDatabase } from '@cobro/postgres/database.ts';
import { openClock } from '@cobro/service-kit/clock.ts';
import { loadConfig } from '@cobro/service-kit/config.ts';
import { createHandOver } from '@cobro/service-kit/hand-over.ts';
import { createHttpApp } from '@cobro/service-kit/http-app.ts';
import { createTokenSigner, createTokenVerifier } from '@cobro/service-kit/internal-token.ts';
import { startJob } from '@cobro/service-kit/job.ts';
import { createLog } from '@cobro/service-kit/log.ts';
import { runService } from '@cobro/service-kit/run-service.ts';
import { openServiceClient } from '@cobro/service-kit/service-client.ts';
import { handlers, routes } from './app.ts';
import { config } from './config.ts';
import type { Deps } from './deps.ts';
import { createSettlement } from './settlement.ts';

const service = 'payments';
const HOUR_MS = 3_600_000;
const env = loadConfig(config);
const log = createLog({ service, level: env.LOG_LEVEL });
const clock = await openClock(env.CLOCK_URL);
const db = openDatabase({ url: env.DATABASE_URL.reveal(), schema: service });
// Requests that wait for a connection must not keep what the bank has done from being written down.
const journalDb = openDatabase({ url: env.DATABASE_URL.reveal(), schema: service, max: 5 });
const broker = openBroker({ url: env.AMQP_URL.reveal(), prefix: env.EVENTS_PREFIX, name: service, log });
const outbox = openOutbox({ db, broker, log });
const sign = createTokenSigner(env.INTERNAL_SIGNING_KEY);
const holds = openServiceClient({ baseUrl: env.HOLDS_URL, service, sign });
const tellHolds = createHandOver({ client: holds, log, target: 'holds' });
const bank = openBank({
  url: env.BANK_URL,
  connections: env.BANK_CALLS,
  connectTimeoutMs: env.BANK_CONNECT_TIMEOUT_MS,
  callTimeoutMs: env.BANK_CALL_TIMEOUT_MS,
});
const journal = createJournal({
  db: journalDb,
  bank,
  callTimeoutMs: env.BANK_CALL_TIMEOUT_MS,
  bounds: {
    perCard: env.BANK_CALLS_PER_CARD,
    perMerchant: env.BANK_CALLS_PER_MERCHANT,
    perService: env.BANK_CALLS,
  },
  log,
  settle: createSettlement({ clock, outbox, vaultKey: env.VAULT_KEY }),
  handOver: async (events) => {
    await Promise.all(events.filter((event) => event.type === 'HoldPlaced').map(tellHolds));
  },
});
const deps: Deps = {
  db,
  outbox,
  journal,
  clock,
  holds,
  vaultKey: env.VAULT_KEY,
  fingerprintKey: env.CARD_FINGERPRINT_KEY,
  callTimeoutMs: env.BANK_CALL_TIMEOUT_MS,
};

const subscription = subscribe({ broker, db, queue: service, handlers, log });
const jobs = [
  startJob({ name: 'recover-operations', everyMs: 1_000, log, run: journal.recover }),
  // An event of a hold or an organization that comes again after that finds its effect and changes nothing either.
  startJob({ name: 'prune-inbox', everyMs: HOUR_MS, log, run: () => pruneInbox(db, 30) }),
];
const verifyToken = await createTokenVerifier(env.INTERNAL_VERIFY_KEYS);
const app = createHttpApp({ log, clock, verifyToken, ready: db.ping, routes: routes(deps) });

await runService({
  log,
  listeners: [{ app, host: env.HOST, port: env.PORT }],
  drainDelayMs: env.DRAIN_DELAY_MS,
  beforeClose: async () => {
    await Promise.all([subscription.stop(), ...jobs.map((job) => job.stop())]);
  },
  afterClose: async () => {
    await journal.finish();
    await outbox.stop();
    await Promise.all([broker.close(), bank.close(), holds.close()]);
    await Promise.all([db.close(), journalDb.close()]);
  },
});

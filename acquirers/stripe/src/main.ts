import { openDatabase } from '@cobro/postgres/database.ts';
import { loadConfig } from '@cobro/service-kit/config.ts';
import { createLog } from '@cobro/service-kit/log.ts';
import { runService } from '@cobro/service-kit/run-service.ts';
import { createApp } from './app.ts';
import { capabilitiesOf } from './capabilities.ts';
import { config } from './config.ts';
import type { UnderWay } from './deps.ts';
import { schema } from './schema.ts';
import { openStripe } from './stripe.client.ts';

const env = loadConfig(config);
const { key: secretKey, isLive } = env.STRIPE_SECRET_KEY;
const log = createLog({ service: 'stripe', level: env.LOG_LEVEL });
const db = openDatabase({ url: env.DATABASE_URL.reveal(), schema: schema.name });
const stripe = openStripe({ secretKey, url: env.STRIPE_URL, timeoutMs: env.STRIPE_TIMEOUT_MS });
const underWay: UnderWay = new Map();
const capabilities = capabilitiesOf(isLive);
const deps = { db, stripe, log, fingerprintKeys: env.CARD_FINGERPRINT_KEY, capabilities };

await runService({
  log,
  listeners: [{ app: createApp(deps, env.ACCEPTED_TOKENS, underWay), host: env.HOST, port: env.PORT }],
  drainDelayMs: env.DRAIN_DELAY_MS,
  afterClose: async () => {
    await Promise.allSettled(underWay.values());
    await db.close();
  },
});

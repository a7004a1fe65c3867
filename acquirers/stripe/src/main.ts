import { openDatabase } from '@cobro/postgres/database.ts';
import { loadConfig } from '@cobro/service-kit/config.ts';
import { createLog } from '@cobro/service-kit/log.ts';
import { measureDegradation, type Readiness } from '@cobro/service-kit/degradation.ts';
import { runService } from '@cobro/service-kit/run-service.ts';
import { createApp } from './app.ts';
import { capabilitiesOf } from './capabilities.ts';
import { config } from './config.ts';
import type { UnderWay } from './deps.ts';
import { measureOpenOperations } from './measure-open-operations.ts';
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

const ready: Readiness = async () => ((await db.ping()).readOnly ? ['database_read_only'] : []);
measureDegradation(ready);
measureOpenOperations(db);

await runService({
  log,
  listeners: [
    {
      app: createApp(deps, { acceptedTokens: env.ACCEPTED_TOKENS, underWay, ready }),
      host: env.HOST,
      port: env.PORT,
      // Its callers show tokens, and need no certificate.
      door: { trustTraceparent: true },
    },
  ],
  ...(env.TLS_FOLDER !== undefined && { tls: { folder: env.TLS_FOLDER, required: env.TLS_REQUIRED === 'true' } }),
  drainDelayMs: env.DRAIN_DELAY_MS,
  afterClose: async () => {
    await Promise.allSettled(underWay.values());
    await db.close();
  },
});

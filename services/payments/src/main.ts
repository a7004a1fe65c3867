import { runFramed } from '@cobro/frame/run-framed.ts';
import { readCheckoutAssets } from '@cobro/checkout/assets.ts';
import { createDeclineLimits } from '@cobro/limits/decline-limits.ts';
import { openRedis } from '@cobro/limits/redis.ts';
import { handlers, routes } from './app.ts';
import { measureReconciliation } from './books/measure-reconciliation.ts';
import { chargeTaps } from './payment-intents/charge-taps.job.ts';
import { payments } from './service.ts';
import { settlers } from './settlers.ts';

/** Of all payments' outcomes intents needs to know those of its own. */
const ofIntent = ({ paymentIntentId }: { paymentIntentId: string | null }) =>
  paymentIntentId === null ? undefined : 'intents';

await runFramed(payments, {
  open: ({ env, log, db, outbox, clock, clients, openJournal, atEnd, inBackground }) => {
    const redis = openRedis({ url: env.REDIS_URL.reveal(), prefix: env.REDIS_PREFIX, log });
    atEnd(redis.close);
    measureReconciliation(db);
    return {
      db,
      outbox,
      clock,
      journal: openJournal({
        settle: settlers({ clock, vaultKeys: env.VAULT_KEY }),
        tell: { HoldPlaced: 'holds', PaymentConfirmed: ofIntent, PaymentDeclined: ofIntent },
      }),
      holds: clients.holds,
      intents: clients.intents,
      inBackground,
      vaultKeys: env.VAULT_KEY,
      tapKeys: env.TAP_KEY,
      fingerprintKeys: env.CARD_FINGERPRINT_KEY,
      callTimeoutMs: env.BANK_CALL_TIMEOUT_MS,
      declineLimits: createDeclineLimits({ redis }),
      checkoutBaseUrl: env.CHECKOUT_BASE_URL.replace(/\/$/, ''),
      checkoutKeys: env.CHECKOUT_KEY,
      checkoutAssets: readCheckoutAssets(),
    };
  },
  routes,
  handlers,
  jobs: [{ name: 'charge-taps', everyMs: 1_000, run: chargeTaps }],
});

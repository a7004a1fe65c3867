import { runFramed } from '@cobro/frame/run-framed.ts';
import { readCheckoutAssets } from '@cobro/checkout/assets.ts';
import { createDeclineLimits } from '@cobro/limits/decline-limits.ts';
import { openRedis } from '@cobro/limits/redis.ts';
import { createRefusalWatch } from '@cobro/limits/refusal-watch.ts';
import { handlers, routes } from './app.ts';
import { announceExpiredCards } from './cards/announce-expired-cards.job.ts';
import { foldLists } from './fold-lists.job.ts';
import { measureReconciliation } from './books/measure-reconciliation.ts';
import { announceOutOfStock } from './products/announce-out-of-stock.job.ts';
import { announceLinks } from './one-time-payments/announce-links.job.ts';
import { announceSoldOut } from './payment-links/announce-sold-out.job.ts';
import { chargeTaps } from './payment-intents/charge-taps.job.ts';
import { createMissedEndings } from './payments/missed-endings.ts';
import { measureOperationCodes } from './payments/measure-operation-codes.ts';
import { createPeopleLimit } from './payments/people-limit.ts';
import { announcePromotions } from './promotions/announce-promotions.job.ts';
import { foldPromotionUses } from './promotions/fold-uses.job.ts';
import { measurePromotions } from './promotions/measure-promotions.ts';
import { payments } from './service.ts';
import { settlers } from './settlers.ts';
import { chargeSubscriptions } from './subscriptions/charge-subscriptions.job.ts';
import { announceRenewals, announceSubscriptions } from './subscriptions/announce-subscriptions.job.ts';
import { measureSubscriptions } from './subscriptions/measure-subscriptions.ts';

/** Hands a payment's outcome to intents only if the payment was made for an intent. */
const ofIntent = ({ paymentIntentId }: { paymentIntentId: string | null }) =>
  paymentIntentId === null ? undefined : 'intents';

await runFramed(payments, {
  open: ({
    env,
    log,
    db,
    outbox,
    clock,
    clients,
    openHandOver,
    openJournal,
    openReads,
    atEnd,
    degradedWhile,
    inBackground,
  }) => {
    const redis = openRedis({ url: env.REDIS_URL.reveal(), prefix: env.REDIS_PREFIX, log });
    atEnd(redis.close);
    degradedWhile('redis_refuses', redis.refuses);
    const handOver = openHandOver({ PaymentConfirmed: ofIntent, PaymentDeclined: ofIntent });
    measureOperationCodes(db);
    measurePromotions(db);
    const settling = settlers({ clock, vaultKeys: env.VAULT_KEY });
    const journal = openJournal({ settlers: settling, handOver });
    measureReconciliation(db, journal.acquirers);
    measureSubscriptions(db, clock);
    return {
      db,
      reads: openReads('lists'),
      outbox,
      clock,
      log,
      journal,
      settlers: settling,
      holds: clients.holds,
      missedEndings: createMissedEndings({ db, holds: clients.holds, clock, log }),
      intents: clients.intents,
      handOver,
      inBackground,
      vaultKeys: env.VAULT_KEY,
      tapKeys: env.TAP_KEY,
      fingerprintKeys: env.CARD_FINGERPRINT_KEY,
      cursorKeys: env.CURSOR_KEY,
      callTimeoutMs: env.BANK_CALL_TIMEOUT_MS,
      limits: {
        link: createDeclineLimits({ redis, at: 'link' }),
        paymentLink: createDeclineLimits({ redis, at: 'paymentLink' }),
        saving: createDeclineLimits({ redis, at: 'saving' }),
      },
      peopleLimit: createPeopleLimit(redis),
      refusalWatch: createRefusalWatch({ redis, log }),
      checkoutBaseUrl: env.CHECKOUT_BASE_URL.replace(/\/$/, ''),
      checkoutKeys: env.CHECKOUT_KEY,
      checkoutAssets: readCheckoutAssets(),
    };
  },
  routes,
  handlers,
  jobs: [
    { name: 'fold-lists', everyMs: 1_000, run: foldLists },
    { name: 'fold-promotion-uses', everyMs: 1_000, run: foldPromotionUses },
    { name: 'announce-links', everyMs: 1_000, run: announceLinks },
    { name: 'announce-sold-out', everyMs: 1_000, run: announceSoldOut },
    { name: 'announce-out-of-stock', everyMs: 1_000, run: announceOutOfStock },
    { name: 'announce-promotions', everyMs: 1_000, run: announcePromotions },
    { name: 'announce-expired-cards', everyMs: 1_000, run: announceExpiredCards },
    { name: 'announce-subscriptions', everyMs: 1_000, run: announceSubscriptions },
    { name: 'announce-renewals', everyMs: 5_000, run: announceRenewals },
  ],
  flows: [chargeTaps, chargeSubscriptions],
});

import { createSignals } from '@cobro/async/signals.ts';
import { runFramed } from '@cobro/frame/run-framed.ts';
import { createDeclineLimits } from '@cobro/limits/decline-limits.ts';
import { openRedis } from '@cobro/limits/redis.ts';
import { openListener } from '@cobro/postgres/listener.ts';
import { handlers, routes } from './app.ts';
import { expireIntents } from './intents/expire-intents.job.ts';
import { measureIntents } from './intents/measure-intents.ts';
import type { PaymentIntentRow } from './intents/payment-intent.row.ts';
import { intents } from './service.ts';
import { CHANNEL, type Notice, readNotice } from './terminals/notices.ts';
import { createAcquirerOf } from './terminals/acquirer-of-organization.ts';
import { askForOutcomes } from './terminals/ask-for-outcomes.job.ts';
import { createWaitingTerminals } from './terminals/waiting-terminals.ts';

await runFramed(intents, {
  open: ({
    env,
    db,
    log,
    outbox,
    clock,
    clients,
    atDrain,
    atEnd,
    degradedWhile,
    openHandOver,
    openReads,
    openVault,
  }) => {
    const outcomes = createSignals<void>();
    const waitingTerminals = createWaitingTerminals<PaymentIntentRow>((error) => {
      log.warn({ error, event: 'look_failed' }, 'a look for a waiting terminal failed; its next request looks again');
    });
    atDrain(waitingTerminals.drain);
    const wake = (notice: Notice) => {
      if ('terminal' in notice) waitingTerminals.wakeTerminal(notice.terminal);
      else if ('organization' in notice) waitingTerminals.wakeOrganization(notice.organization);
      else for (const waiter of outcomes.waitingFor(notice.intent)) void waiter.signal();
    };
    const listener = openListener({
      url: env.DATABASE_URL.reveal(),
      name: intents.name,
      channel: CHANNEL,
      onNotice: (payload) => wake(readNotice(payload)),
      onGap: () => {
        waitingTerminals.wakeAll();
        for (const waiter of outcomes.all()) void waiter.signal();
      },
      log,
    });
    atEnd(listener.close);
    const redis = openRedis({ url: env.REDIS_URL.reveal(), prefix: env.REDIS_PREFIX, log });
    atEnd(redis.close);
    degradedWhile('redis_refuses', redis.refuses);
    measureIntents(db);
    return {
      db,
      reads: openReads('lists'),
      outbox,
      clock,
      log,
      payments: clients.payments,
      vault: openVault(),
      acquirerOf: createAcquirerOf(clients.payments),
      handOver: openHandOver({
        IntentPaymentRequested: 'payments',
        SalespersonChanged: 'payments',
        BranchChanged: 'payments',
      }),
      tapKeys: env.TAP_KEY,
      fingerprintKeys: env.CARD_FINGERPRINT_KEY,
      cursorKeys: env.CURSOR_KEY,
      lifetimeMs: env.INTENT_LIFETIME_MINUTES * 60_000,
      declineLimits: createDeclineLimits({ redis, at: 'terminal' }),
      waitingTerminals,
      outcomes,
    };
  },
  routes,
  handlers,
  jobs: [
    { name: 'expire-intents', everyMs: 1_000, run: expireIntents },
    { name: 'ask-for-outcomes', everyMs: 500, run: askForOutcomes },
  ],
});

import { runFramed } from '@cobro/frame/run-framed.ts';
import { handlers, routes } from './app.ts';
import { payments } from './service.ts';
import { settlers } from './settlers.ts';

await runFramed(payments, {
  open: ({ env, db, outbox, clock, clients, openJournal }) => ({
    db,
    outbox,
    clock,
    journal: openJournal({
      settle: settlers({ clock, vaultKey: env.VAULT_KEY }),
      tell: { HoldPlaced: 'holds' },
    }),
    holds: clients.holds,
    vaultKey: env.VAULT_KEY,
    fingerprintKey: env.CARD_FINGERPRINT_KEY,
    callTimeoutMs: env.BANK_CALL_TIMEOUT_MS,
  }),
  routes,
  handlers,
});

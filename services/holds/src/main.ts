import type { Envelope } from '@cobro/contracts/events.ts';
import { runFramed } from '@cobro/frame/run-framed.ts';
import { announceEndings } from './announce-endings.job.ts';
import { handlers, routes } from './app.ts';
import { expireHolds } from './expire-holds.job.ts';
import { handOverEndings } from './hand-over-endings.ts';
import { makeUpHandOvers } from './make-up-hand-overs.job.ts';
import { measureHolds } from './measure-holds.ts';
import { insertMissed } from './missed-hand-over.store.ts';
import { holds } from './service.ts';
import { settleHold } from './settle-hold.ts';

await runFramed(holds, {
  open: ({ db, outbox, clock, clients, log, openHandOver, openJournal }) => {
    measureHolds({ db, clock });
    const missed = (event: Envelope) => insertMissed(db, event);
    return {
      db,
      outbox,
      clock,
      log,
      payments: clients.payments,
      journal: openJournal({
        settlers: { capture: settleHold, release: settleHold, expire: settleHold },
        // Not HoldExpired: nobody waits for the sweep's holds.
        handOver: openHandOver({ HoldCaptured: 'payments', HoldReleased: 'payments' }, missed),
      }),
      handOverEnding: handOverEndings(
        openHandOver({ HoldCaptured: 'payments', HoldReleased: 'payments', HoldExpired: 'payments' }, missed),
      ),
    };
  },
  routes,
  handlers,
  jobs: [
    { name: 'make-up-hand-overs', everyMs: 500, run: makeUpHandOvers },
    { name: 'announce-endings', everyMs: 5_000, run: announceEndings },
  ],
  flows: [expireHolds],
});

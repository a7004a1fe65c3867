import { runFramed } from '@cobro/frame/run-framed.ts';
import { announceEndings } from './announce-endings.job.ts';
import { handlers, routes } from './app.ts';
import { expireHolds } from './expire-holds.job.ts';
import { makeUpHandOvers } from './make-up-hand-overs.job.ts';
import { measureHolds } from './measure-holds.ts';
import { insertMissed } from './missed-hand-over.store.ts';
import { holds } from './service.ts';
import { settleHold } from './settle-hold.ts';

const followers = { HoldCaptured: 'payments', HoldReleased: 'payments' } as const;

await runFramed(holds, {
  open: ({ db, outbox, clock, clients, log, openHandOver, openJournal }) => {
    measureHolds({ db, clock });
    return {
      db,
      outbox,
      clock,
      log,
      payments: clients.payments,
      journal: openJournal({
        settlers: { capture: settleHold, release: settleHold, expire: settleHold },
        // Nobody waits for the end of an expired hold, so the broker alone brings it.
        handOver: openHandOver(followers, (event) => insertMissed(db, event)),
      }),
      // Whoever ended the hold writes down what payments has missed; here it is only waited for.
      handOverAgain: openHandOver(followers, async () => {}),
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

import { createWaker } from '@cobro/async/waker.ts';
import { runFramed } from '@cobro/frame/run-framed.ts';
import { counter } from '@cobro/metrics/instruments.ts';
import { openOutbound } from '@cobro/outbound/outbound.ts';
import { flows, jobs, receive, routes } from './app.ts';
import { measureWaiting } from './deliveries/measure-waiting.ts';
import { openSender } from './deliveries/sender.ts';
import { measureReconciliation } from './events/measure-reconciliation.ts';
import { createPlacedHolds } from './events/placed-holds.ts';
import { createWaitingReaders } from './events/waiting-readers.ts';
import { webhooks } from './service.ts';

await runFramed(webhooks, {
  open: ({ env, db, log, clock, clients, openReads, atDrain, atEnd }) => {
    const readers = createWaitingReaders();
    atDrain(readers.drain);
    const proxy = env.EGRESS_PROXY && new URL(env.EGRESS_PROXY.reveal());
    const outbound = openOutbound({ allowsLoopback: env.WEBHOOKS_TO_LOOPBACK === 'true', proxy });
    atEnd(outbound.close);
    const sender = openSender({ url: env.DATABASE_URL.reveal(), log });
    atEnd(sender.close);
    measureWaiting({ db, clock });
    measureReconciliation(db);
    const count = counter('cobro.webhooks.deliveries');
    return {
      db,
      reads: openReads('reads of events'),
      clock,
      placedHolds: createPlacedHolds({ db, payments: clients.payments }),
      log,
      outbound,
      secretKeys: env.WEBHOOK_KEY,
      sender,
      leased: new Map<string, string>(),
      due: createWaker(),
      countDelivery: (outcome) => count({ outcome }),
      readers,
    };
  },
  routes,
  receive,
  jobs,
  flows,
});

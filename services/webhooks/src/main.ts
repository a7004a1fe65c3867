import { runFramed } from '@cobro/frame/run-framed.ts';
import { counter } from '@cobro/metrics/instruments.ts';
import { openOutbound } from '@cobro/outbound/outbound.ts';
import { flows, handlers, jobs, routes } from './app.ts';
import { measureWaiting } from './deliveries/measure-waiting.ts';
import { createWaitingReaders } from './events/waiting-readers.ts';
import { webhooks } from './service.ts';

await runFramed(webhooks, {
  open: ({ env, db, log, clock, clients, openReads, atDrain, atEnd }) => {
    const readers = createWaitingReaders();
    atDrain(readers.drain);
    const outbound = openOutbound({ allowsLoopback: env.KEY_MODE === 'test' });
    atEnd(outbound.close);
    measureWaiting({ db, clock });
    const count = counter('cobro.webhooks.deliveries');
    return {
      db,
      reads: openReads('reads of events'),
      clock,
      payments: clients.payments,
      log,
      outbound,
      secretKeys: env.WEBHOOK_KEY,
      leased: new Map<string, string>(),
      countDelivery: (outcome) => count({ outcome }),
      readers,
    };
  },
  routes,
  handlers,
  jobs,
  flows,
});

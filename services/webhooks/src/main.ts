import { runFramed } from '@cobro/frame/run-framed.ts';
import { handlers, jobs, routes } from './app.ts';
import { webhooks } from './service.ts';
import { createWaitingReaders } from './waiting-readers.ts';

await runFramed(webhooks, {
  open: ({ db, clock, clients, openReads, atDrain }) => {
    const readers = createWaitingReaders();
    atDrain(readers.drain);
    return { db, reads: openReads('reads of events'), clock, payments: clients.payments, readers };
  },
  routes,
  handlers,
  jobs,
});

import { runFramed } from '@cobro/frame/run-framed.ts';
import { handlers, jobs, routes } from './app.ts';
import { reporting } from './service.ts';

await runFramed(reporting, {
  open: ({ env, db, clock, openReads }) => ({
    db,
    reads: { merchants: openReads('reads of merchants'), partners: openReads('reads of partners') },
    clock,
    cursorKeys: env.CURSOR_KEY,
  }),
  routes,
  handlers,
  jobs,
});

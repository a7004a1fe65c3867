import { runFramed } from '@cobro/frame/run-framed.ts';
import { handlers, jobs, routes } from './app.ts';
import { openReads } from './open-reads.ts';
import { reporting } from './service.ts';

await runFramed(reporting, {
  open: ({ env, db, clock, atEnd }) => {
    const reads = openReads(env.DATABASE_URL.reveal());
    atEnd(() => Object.values(reads).forEach((pool) => void pool.close()));
    return { db, reads, clock, cursorKeys: env.CURSOR_KEY };
  },
  routes,
  handlers,
  jobs,
});

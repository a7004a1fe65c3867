import { runFramed } from '@cobro/frame/run-framed.ts';
import { handlers, routes } from './app.ts';
import { reporting } from './service.ts';

await runFramed(reporting, {
  open: ({ env, db, clock }) => ({ db, clock, cursorKey: env.CURSOR_KEY }),
  routes,
  handlers,
});

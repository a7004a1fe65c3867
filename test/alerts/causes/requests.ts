import { generateKeys } from '@cobro/testing/keys.ts';
import { halted, stopped } from '../../sick/begin.ts';
import { type Cause, every } from './cause.ts';

export const requests: Cause[] = [
  {
    alert: 'CobroServiceSilent',
    what: 'reporting is stopped',
    withoutLists: true,
    begin: stopped('reporting'),
  },
  {
    alert: 'CobroServiceSilent',
    what: 'reporting does not start, because its environment is wrong',
    withoutLists: true,
    begin: async ({ stack: { processes } }) => {
      const right = processes.environmentOf('reporting')['DATABASE_URL'] ?? '';
      await processes.stop('reporting');
      await processes.start('reporting', { DATABASE_URL: 'db.internal' }).catch(() => {});
      return () => processes.start('reporting', { DATABASE_URL: right });
    },
  },
  {
    alert: 'CobroServiceSilent',
    what: 'reporting works, and exports no metrics',
    withoutLists: true,
    begin: async ({ stack: { processes } }) => {
      await processes.restart('reporting', { OTEL_METRICS_EXPORTER: 'none' });
      return () => processes.restart('reporting', { OTEL_METRICS_EXPORTER: 'prometheus' });
    },
  },
  {
    alert: 'CobroRequestsFail',
    what: 'somebody holds a lock on the table of saved cards',
    begin: ({ lock }) => lock('payments.payment_method'),
  },
  {
    alert: 'CobroRequestsFail',
    what: 'Postgres hangs (SIGSTOP)',
    also: ['CobroEventsWait'],
    begin: halted('postgres'),
  },
  {
    alert: 'CobroRequestsFail',
    what: 'payments is stopped',
    also: ['CobroServiceSilent'],
    begin: stopped('payments'),
  },
  {
    alert: 'CobroRequestsFail',
    what: 'payments knows other keys than those with which the services sign',
    begin: async ({ stack: { processes } }) => {
      const right = processes.environmentOf('payments')['INTERNAL_VERIFY_KEYS'] ?? '';
      const wrong = generateKeys().shared['INTERNAL_VERIFY_KEYS'] ?? '';
      await processes.restart('payments', { INTERNAL_VERIFY_KEYS: wrong });
      return () => processes.restart('payments', { INTERNAL_VERIFY_KEYS: right });
    },
  },
  {
    alert: 'CobroReadsSlow',
    what: 'Postgres hangs 0.8 s of each second',
    begin: async ({ stack: { servers } }) => {
      const { postgres } = servers;
      const stop = every(1_000, async () => {
        await postgres.pause();
        setTimeout(() => void postgres.resume(), 800);
      });
      return async () => {
        stop();
        await new Promise((done) => setTimeout(done, 1_000));
        await postgres.resume();
      };
    },
  },
  {
    alert: 'CobroReadsSlow',
    what: 'somebody locks reporting’s payments for 1.6 of each 2 s',
    begin: async ({ lock }) => {
      let underWay = Promise.resolve();
      const stop = every(2_000, async () => {
        const unlock = await lock('reporting.payment');
        underWay = new Promise((done) => setTimeout(done, 1_600)).then(unlock);
      });
      return async () => {
        stop();
        await new Promise((done) => setTimeout(done, 2_000));
        await underWay;
      };
    },
  },
];

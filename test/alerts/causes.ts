import { testCards } from '@cobro/contracts/test-cards.ts';
import { parkedQueue } from '@cobro/events/topology.ts';
import { until } from '@cobro/testing/until.ts';
import { connect } from 'amqplib';
import pg from 'pg';
import { createTerminal } from '../../tools/stack/create-terminal.ts';
import { saveCard } from '../load/merchants.ts';
import type { Parts } from './parts.ts';

/** How an alert is made to fire, by real parts. */
export interface Cause {
  alert: string;
  what: string;
  /** Alerts that may rightly fire as well. */
  also?: string[];
  /** True where nobody may list by `/developer` meanwhile, because reporting is what is away. */
  withoutLists?: boolean;
  /** Makes the cause. Returns what removes it. */
  begin(parts: Parts): Promise<() => Promise<void>>;
}

const every = (ms: number, work: () => Promise<unknown>) => {
  const timer = setInterval(() => void work().catch(() => {}), ms);
  return () => clearInterval(timer);
};

const requests: Cause[] = [
  {
    alert: 'CobroServiceSilent',
    what: 'reporting is stopped',
    withoutLists: true,
    begin: async ({ stack }) => {
      await stack.processes.stop('reporting');
      return () => stack.processes.start('reporting');
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
    begin: async ({ stack: { servers } }) => {
      await servers.postgres.pause();
      return () => servers.postgres.resume();
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
];

const bank: Cause[] = [
  {
    alert: 'CobroBankAway',
    what: 'the bank is stopped',
    begin: async ({ stack }) => {
      await stack.processes.stop('bank');
      return () => stack.processes.start('bank');
    },
  },
  {
    alert: 'CobroOutcomesUnknown',
    what: 'the bank is silent about one card, which is charged three times in two seconds',
    begin: async ({ stack, merchant }) => {
      const card = await saveCard(stack.baseUrl, merchant.apiKey, testCards.silentDone);
      const stop = every(700, () => merchant.post(`/payment-method/${card}/payment`, { amount: 1 }));
      return async () => stop();
    },
  },
  {
    alert: 'CobroBankSlow',
    what: 'half of the bank’s answers take 3 s',
    begin: async ({ setBankFaults }) => {
      const kinds = ['tokenize', 'authorize', 'sale', 'capture', 'void', 'refund'];
      await setBankFaults({ rates: { slow: 0.5 }, kinds, slowMs: 3_000 });
      return () => setBankFaults({});
    },
  },
  {
    alert: 'CobroOperationsUnknown',
    what: 'the bank never says what became of a charge, which is then made an hour older',
    begin: async ({ stack, merchant, admin, setBankFaults }) => {
      await setBankFaults({ rates: { silentNotDone: 1 }, kinds: ['inquire'] });
      const card = await saveCard(stack.baseUrl, merchant.apiKey, testCards.silentDone);
      await merchant.post(`/payment-method/${card}/payment`, { amount: 1 });
      await admin(`update payments.bank_operation set claimed_at = claimed_at - interval '1 hour' where status = 'open'
        and unanswered_at is not null`);
      return () => setBankFaults({});
    },
  },
];

const events: Cause[] = [
  {
    alert: 'CobroOutboxWaits',
    what: 'RabbitMQ hangs (SIGSTOP)',
    begin: async ({ stack: { servers } }) => {
      await servers.rabbitmq.pause();
      return () => servers.rabbitmq.resume();
    },
  },
  {
    alert: 'CobroConsumerBehind',
    what: 'a trigger makes each statement on reporting’s inbox 2 s slower',
    begin: async ({ admin }) => {
      await admin(`create table public.slow (); create function public.slow() returns trigger language plpgsql as $$ begin
        if to_regclass('public.slow') is not null then perform pg_sleep(2); end if; return null; end $$`);
      await admin(
        'create trigger slow after insert on reporting.inbox for each statement execute function public.slow()',
      );
      return async () => {
        await admin('drop table public.slow');
        await until('the trigger is gone', () =>
          admin(`set lock_timeout = '500ms'; drop trigger slow on reporting.inbox; drop function public.slow()`).then(
            () => true,
            () => false,
          ),
        );
      };
    },
  },
  {
    alert: 'CobroEventsParked',
    what: 'something that is no event lies in the queue of reporting',
    begin: async ({ stack: { brokerUrl, eventsPrefix } }) => {
      const connection = await connect(brokerUrl);
      const channel = await connection.createConfirmChannel();
      channel.sendToQueue(`${eventsPrefix}reporting`, Buffer.from('poison'), { messageId: crypto.randomUUID() });
      await channel.waitForConfirms();
      return async () => {
        await channel.purgeQueue(parkedQueue(eventsPrefix));
        await connection.close();
      };
    },
  },
  {
    alert: 'CobroEventsWait',
    what: 'somebody holds a lock on reporting’s inbox',
    begin: ({ lock }) => lock('reporting.inbox'),
  },
  {
    alert: 'CobroDatabaseReadOnly',
    what: 'Postgres takes only reads from the gateway',
    begin: async ({ stack, admin }) => {
      const { username, pathname } = new URL(stack.processes.environmentOf('gateway')['DATABASE_URL'] ?? '');
      const [role, database] = [username, pathname.slice(1)].map((name) => pg.escapeIdentifier(name));
      const end = `select pg_terminate_backend(pid) from pg_stat_activity where usename = ${pg.escapeLiteral(username)}`;
      await admin(`alter role ${role} in database ${database} set default_transaction_read_only = on; ${end}`);
      return () => admin(`alter role ${role} in database ${database} reset default_transaction_read_only; ${end}`);
    },
  },
  {
    alert: 'CobroRedisAway',
    what: 'Redis hangs (SIGSTOP)',
    begin: async ({ stack: { servers } }) => {
      await servers.redis.pause();
      return () => servers.redis.resume();
    },
  },
];

const money: Cause[] = [
  {
    alert: 'CobroTapsWait',
    what: 'a card is tapped, and the bank never says what became of it',
    begin: async ({ stack, merchant, setBankFaults }) => {
      const { organizationId, apiKey } = stack.merchants;
      const terminal = await createTerminal(stack.databaseUrl, { organizationId, code: 'ALERT-1' });
      await setBankFaults({ rates: { silentNotDone: 1 }, kinds: ['inquire'] });
      const intent = { amount: 75, currency: 'MXN', externalId: crypto.randomUUID(), terminalCode: terminal.code };
      const { id } = await merchant.post('/payment-intent', intent, { 'x-api-key': apiKey });
      const card = { number: testCards.silentDone, expirationMonth: 12, expirationYear: 2039, entryMode: 'MANUAL' };
      const tap = { attemptId: crypto.randomUUID(), card };
      await merchant.post(`/terminal/v1/payment-intent/${id}/payment`, tap, { 'x-terminal-key': terminal.key });
      return () => setBankFaults({});
    },
  },
  {
    alert: 'CobroBooksNotCompared',
    what: 'the last comparison is made 27 hours older',
    begin: async ({ admin, reconcile }) => {
      await admin(`update payments.reconciliation set finished_at = finished_at - interval '27 hours'`);
      return async () => void (await reconcile());
    },
  },
  {
    alert: 'CobroBooksDiffer',
    what: 'a payment’s row is changed by hand, and the books are compared',
    begin: async ({ oldPayment, admin, reconcile }) => {
      const change = (by: string) =>
        admin(`update payments.payment set amount = amount ${by} where id = '${oldPayment}'`);
      await change('+ 1');
      await reconcile();
      return async () => {
        await change('- 1');
        const left = await reconcile();
        if (left.length > 0) throw new Error(`the books still differ: ${left.join(' ')}`);
      };
    },
  },
  {
    alert: 'CobroSweepBehind',
    what: 'the clock moves by eight days, and the bank declines every void',
    begin: async ({ merchant, stack, setBankFaults, moveClock }) => {
      await setBankFaults({ rates: { decline: 1 }, kinds: ['void'] });
      const card = await saveCard(stack.baseUrl, merchant.apiKey, testCards.approved);
      await merchant.post(`/payment-method/${card}/payment`, { amount: 100, holdFunds: true });
      await moveClock({ advanceSeconds: 8 * 86_400 });
      return async () => {
        await setBankFaults({});
        await moveClock(undefined);
      };
    },
  },
];

/** In the order in which they are made: a payment can differ from the bank's books only when it is some minutes old. */
export const causes: readonly Cause[] = [...requests, ...bank, ...events, ...money];

import { consumerQueue, eventsExchange, parkedQueue } from '@cobro/events/topology.ts';
import { testEvent } from '@cobro/testing/test-event.ts';
import { until } from '@cobro/testing/until.ts';
import { connect } from 'amqplib';
import pg from 'pg';
import { createClient } from 'redis';
import { crashed, halted } from '../../sick/begin.ts';
import { type Cause, every } from './cause.ts';

export const events: Cause[] = [
  {
    alert: 'CobroOutboxWaits',
    what: 'RabbitMQ hangs (SIGSTOP)',
    begin: halted('rabbitmq'),
  },
  {
    alert: 'CobroOutboxWaits',
    what: 'RabbitMQ is dead',
    begin: crashed('rabbitmq'),
  },
  {
    alert: 'CobroOutboxWaits',
    what: 'the queue of reporting is bound to nothing',
    begin: async ({ stack: { brokerUrl, eventsPrefix }, retellSince }) => {
      const begun = new Date();
      const binding = [consumerQueue(eventsPrefix, 'reporting'), eventsExchange(eventsPrefix), '#'] as const;
      const connection = await connect(brokerUrl);
      const channel = await connection.createChannel();
      await channel.unbindQueue(...binding);
      return async () => {
        await channel.bindQueue(...binding);
        await connection.close();
        // An event that another queue took meanwhile was published and never reached reporting.
        await retellSince(begun);
      };
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
        await admin('drop table if exists public.slow');
        await until('the trigger is gone', () =>
          admin(
            `set lock_timeout = '500ms'; drop trigger if exists slow on reporting.inbox; drop function if exists public.slow()`,
          ).then(
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
      const poison = { messageId: crypto.randomUUID() };
      channel.sendToQueue(consumerQueue(eventsPrefix, 'reporting'), Buffer.from('poison'), poison);
      await channel.waitForConfirms();
      return async () => {
        await channel.purgeQueue(parkedQueue(eventsPrefix));
        await connection.close();
      };
    },
  },
  {
    alert: 'CobroEventsUntrusted',
    what: 'somebody with the broker’s administrator publishes events that no service has signed',
    also: ['CobroEventsParked'],
    begin: async ({ stack: { brokerUrl, eventsPrefix } }) => {
      const connection = await connect(brokerUrl);
      const channel = await connection.createChannel();
      const forge = async () => {
        const event = testEvent('TerminalChanged', { source: '/intents' });
        const message = { messageId: event.id, persistent: true };
        channel.publish(eventsExchange(eventsPrefix), event.type, Buffer.from(JSON.stringify(event)), message);
      };
      const stop = every(1_000, forge);
      return async () => {
        stop();
        await until('the forgeries are parked', async () => {
          const { messageCount } = await channel.checkQueue(consumerQueue(eventsPrefix, 'reporting'));
          return messageCount === 0;
        });
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
    alert: 'CobroDatabaseReadOnly',
    what: 'Postgres takes only reads',
    also: ['CobroEventsWait', 'CobroRequestsFail', 'CobroOutboxWaits'],
    begin: async ({ stack, admin }) => {
      const database = pg.escapeIdentifier(new URL(stack.databaseUrl).pathname.slice(1));
      const end =
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
      await admin(`alter database ${database} set default_transaction_read_only = on; ${end}`);
      return () =>
        admin(`begin read write; alter database ${database} reset default_transaction_read_only; ${end}; commit`);
    },
  },
  {
    alert: 'CobroRedisAway',
    what: 'Redis hangs (SIGSTOP)',
    begin: halted('redis'),
  },
  {
    alert: 'CobroRedisRefuses',
    what: 'Redis has no memory left (maxmemory, noeviction)',
    begin: async ({ stack: { redisUrl } }) => {
      const redis = await createClient({ url: redisUrl }).connect();
      await redis.configSet({ maxmemory: '1', 'maxmemory-policy': 'noeviction' });
      return async () => {
        await redis.configSet({ maxmemory: '0' });
        redis.destroy();
      };
    },
  },
  {
    alert: 'CobroRedisRefuses',
    what: 'Redis has got another password',
    begin: async ({ stack: { redisUrl } }) => {
      const redis = await createClient({ url: redisUrl }).connect();
      const setPassword = (password: string) =>
        redis.sendCommand(['ACL', 'SETUSER', 'default', 'resetpass', `>${password}`]);
      await setPassword('another');
      await redis.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
      return async () => {
        await setPassword(decodeURIComponent(new URL(redisUrl).password));
        redis.destroy();
      };
    },
  },
  {
    alert: 'CobroRedisAway',
    what: 'Redis is dead',
    begin: crashed('redis'),
  },
];

import { connect, type Socket } from 'node:net';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { until } from '@cobro/testing/until.ts';
import { Pool } from 'undici';
import { saveCard } from '../../bench/merchants.ts';
import { BANK_KINDS, bankWith, halted, stopped } from './begin.ts';
import type { Fault } from './fault.ts';
import { longLists } from './long-lists.ts';
import { faultsOfOther } from './other-acquirer.ts';
import type { SickStack } from './sick-stack.ts';
import { slowSenders } from './slow-senders.ts';

/** The bank does this to every request, inquiries included. */
const bankThat = (name: string, rates: object, slowMs?: number): Fault => ({
  name,
  onlyBank: true,
  begin: bankWith({ rates, kinds: BANK_KINDS, slowMs }),
});

const oneCardSilent: Fault = {
  name: "bank silent for one merchant's card, charged 45 times a second",
  onlyBank: true,
  begin: async ({ stack, troublemaker: { apiKey } }) => {
    const card = await saveCard(stack.baseUrl, apiKey, testCards.silentDone);
    const pool = poolOf(stack.baseUrl);
    const timer = setInterval(() => void charge(pool, { apiKey, card }), 1_000 / 45);
    return async () => {
      clearInterval(timer);
      await pool.destroy();
    };
  },
};

/** Open sessions, too, only read from then on. */
const postgresReadOnly: Fault = {
  name: 'Postgres read-only',
  begin: async ({ admin }) => {
    await admin('alter system set default_transaction_read_only = on');
    await admin('select pg_reload_conf()');
    return async () => {
      await admin('alter system reset default_transaction_read_only');
      await admin('select pg_reload_conf()');
    };
  },
};

/** Only administrators get connections, and open ones break. */
const postgresOutOfConnections: Fault = {
  name: 'Postgres out of connections',
  begin: async ({ stack, admin }) => {
    const database = new URL(stack.databaseUrl).pathname.slice(1);
    const limit = (connections: number) => admin(`alter database "${database}" connection limit ${connections}`);
    await limit(0);
    await admin(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename <> current_user`);
    return () => limit(-1);
  },
};

/** Postgres may end, if a checkpoint finds no room. */
const dataDiskFull: Fault = {
  name: 'Postgres: disk full, data',
  begin: async ({ disks, admin, keepPostgresUp }) => {
    disks.data.fill();
    return async () => {
      disks.data.makeRoom();
      await until('Postgres takes statements', () => isBack('select', { admin, keepPostgresUp }));
    };
  },
};

/** Starts Postgres again if it has ended, as its operator would. */
async function isBack(
  statement: string,
  { admin, keepPostgresUp }: Pick<SickStack, 'admin' | 'keepPostgresUp'>,
): Promise<boolean> {
  await keepPostgresUp();
  return admin(statement).then(
    () => true,
    () => false,
  );
}

/** An unread replication slot keeps old log, so that no segment can be reused. Postgres ends when it cannot write its log. */
const logDiskFull: Fault = {
  name: 'Postgres: disk full, write-ahead log',
  begin: async ({ disks, admin, keepPostgresUp }) => {
    await admin(`select pg_create_physical_replication_slot('forgotten', true)`);
    disks.wal.fill();
    // Uses up existing segments at once, so that the disk is full for the whole time.
    const write = () => admin(`select pg_logical_emit_message(true, 'sick', repeat('x', 900000))`).then(() => true);
    for (let n = 0; n < 400 && (await write().catch(() => false)); n++);
    return async () => {
      disks.wal.makeRoom();
      const drop = `select pg_drop_replication_slot('forgotten')`;
      await until('Postgres takes statements', () => isBack(drop, { admin, keepPostgresUp }));
    };
  },
};

/** The broker takes nothing from publishers, because of a memory alarm. */
const brokerBlocks: Fault = {
  name: 'broker blocks publishers (memory alarm)',
  begin: async ({ brokerCommand }) => {
    await brokerCommand('set_vm_memory_high_watermark', '0.000001');
    return () => brokerCommand('set_vm_memory_high_watermark', 'absolute', '1024MB');
  },
};

const receiversThat = (name: string, how: 'hang' | 'fail'): Fault => ({
  name,
  isFeltByNobody: true,
  begin: async ({ receivers }) => {
    receivers.ail(how);
    return async () => receivers.ail(undefined);
  },
});

/** It keeps its locks and its events, and does not answer. */
const webhooksStalls: Fault = {
  name: 'webhooks stalled',
  isFeltByNobody: true,
  stops: 'webhooks',
  begin: async ({ signal }) => {
    signal('webhooks', 'SIGSTOP');
    return async () => signal('webhooks', 'SIGCONT');
  },
};

const MANY_PAYMENTS = 400;
const READERS = 40;
const LISTS_EACH = 20;

/** Requests the longest lists again and again, and reads no byte of them. */
const slowReader: Fault = {
  name: 'one merchant reads nothing of what it asks for',
  begin: async ({ stack, troublemaker }) => {
    const pool = poolOf(stack.baseUrl);
    for (let n = 0; n < MANY_PAYMENTS; n += 16) {
      await Promise.all(Array.from({ length: 16 }, () => charge(pool, troublemaker)));
    }
    await pool.destroy();
    const { hostname, port, pathname } = new URL(stack.baseUrl);
    const path = `${pathname}/payment-method/${troublemaker.card}/payment?pageSize=500`;
    const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${troublemaker.apiKey}\r\n\r\n`;
    const sockets = new Set<Socket>();
    let isOver = false;
    const open = () => {
      const socket = connect(Number(port), hostname);
      sockets.add(socket);
      socket.pause();
      socket.write(request.repeat(LISTS_EACH));
      socket.on('error', () => {});
      socket.once('close', () => {
        sockets.delete(socket);
        if (!isOver) setTimeout(open, 100).unref();
      });
    };
    for (let n = 0; n < READERS; n++) open();
    return async () => {
      isOver = true;
      for (const socket of sockets) socket.destroy();
    };
  },
};

const FLOOD_AT_ONCE = 120;

/** Many clients of one merchant each send their next charge as soon as the last is answered. */
const flood: Fault = {
  name: `one merchant charges ${FLOOD_AT_ONCE} times at once`,
  begin: async ({ stack, troublemaker }) => {
    const pool = poolOf(stack.baseUrl);
    const over = new AbortController();
    const worker = async () => {
      while (!over.signal.aborted) await charge(pool, troublemaker);
    };
    for (let n = 0; n < FLOOD_AT_ONCE; n++) void worker();
    return async () => {
      over.abort();
      await pool.destroy();
    };
  },
};

/** All faults, by their words for `--only`. */
export const faults: Readonly<Record<string, Fault>> = {
  'bank-silent': bankThat('bank silent', { silentDone: 0.5, silentNotDone: 0.5 }),
  'bank-slow': bankThat('bank slow (3 s)', { slow: 1 }, 3_000),
  'bank-refuses': { name: 'bank refuses connections', onlyBank: true, begin: stopped('bank') },
  'bank-rubbish': bankThat('bank answers rubbish', { rubbish: 0.7, error: 0.3 }),
  'card-silent': oneCardSilent,
  ...faultsOfOther,
  'postgres-stalls': { name: 'Postgres stalled', begin: halted('postgres') },
  'postgres-read-only': postgresReadOnly,
  'postgres-connections': postgresOutOfConnections,
  'data-disk-full': dataDiskFull,
  'log-disk-full': logDiskFull,
  'broker-blocks': brokerBlocks,
  'broker-stalls': { name: 'broker stalled', begin: halted('rabbitmq') },
  'redis-stalls': { name: 'Redis stalled', begin: halted('redis') },
  'receivers-hang': receiversThat('all merchants’ endpoints hang', 'hang'),
  'receivers-fail': receiversThat('all merchants’ endpoints answer 500', 'fail'),
  'webhooks-stops': {
    name: 'webhooks stopped',
    isFeltByNobody: true,
    stops: 'webhooks',
    begin: stopped('webhooks'),
  },
  'webhooks-stalls': webhooksStalls,
  // Before the faults that make the gateway's heap grow, because this one measures it.
  'slow-senders': slowSenders,
  'slow-reader': slowReader,
  'long-lists': longLists,
  flood,
};

const poolOf = (baseUrl: string) => new Pool(new URL(baseUrl).origin, { connections: 256 });

/** Ignores the answer. */
async function charge(pool: Pool, { apiKey, card }: SickStack['troublemaker']): Promise<void> {
  try {
    const { body } = await pool.request({
      method: 'POST',
      path: `/api/payment-method/${card}/payment`,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: '{"amount":1}',
    });
    await body.dump();
  } catch {
    // The pool was destroyed, because the fault is over.
  }
}

import { dayInMexicoCity } from '@cobro/domain/mexico-city.ts';
import { setFaults } from '@cobro/testing/bank-faults.ts';
import pg from 'pg';
import { eventCommands } from '../../ops/event-commands.ts';
import { reconcileCommands } from '../../ops/reconcile-command.ts';
import type { Stack } from '../../dev/stack/stack.ts';
import { runCommand } from '@cobro/testing/run-command.ts';

/** A stack, and the hands that make its parts sick. */
export interface Parts {
  stack: Stack;
  /** Not one of those who make the load. */
  merchant: {
    apiKey: string;
    /** Sends a request and gives its JSON, whatever the status is. */
    post(path: string, body: object, headers?: Record<string, string>): Promise<{ id: string }>;
  };
  /** A payment that is some minutes old when it is needed. */
  oldPayment: string;
  /** Runs statements as Postgres' administrator, in the stack's database. */
  admin(statements: string): Promise<void>;
  /** Holds a lock on a table, which nobody can read or write until the result is called. */
  lock(table: string): Promise<() => Promise<void>>;
  /** Sets what goes wrong at the bank, as the body of its `PUT /faults`. */
  setBankFaults(faults: object): Promise<void>;
  /** Moves the business clock, or puts it back. */
  moveClock(by: object | undefined): Promise<void>;
  /** Has events of that time and later published again, as an operator does. */
  retellSince(time: Date): Promise<void>;
  /** Compares today's books, as the CronJob compares yesterday's. Returns a line for each difference. */
  reconcile(): Promise<string[]>;
}

export function openParts(stack: Stack, apiKey: string): Omit<Parts, 'oldPayment'> {
  const json = { 'content-type': 'application/json' };
  const admin = async (statements: string) => {
    const client = await openClient(stack.databaseUrl);
    try {
      await client.query(statements);
    } finally {
      await client.end();
    }
  };
  return {
    stack,
    merchant: {
      apiKey,
      post: async (path, body, headers = { 'x-api-key': apiKey }) => {
        const request = { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) };
        return (await (await fetch(`${stack.baseUrl}${path}`, request)).json()) as { id: string };
      },
    },
    admin,
    lock: async (table) => {
      const client = await openClient(stack.databaseUrl);
      await client.query(`begin; lock table ${table} in access exclusive mode`);
      return () => client.end();
    },
    setBankFaults: (faults) => setFaults(stack.bankUrl, faults),
    moveClock: async (by) => {
      const request =
        by === undefined ? { method: 'DELETE' } : { method: 'PUT', headers: json, body: JSON.stringify(by) };
      await fetch(stack.clockUrl, request);
    },
    retellSince: async (time) => {
      const args = ['events', 'retell', '--since', time.toISOString()];
      const { code, err } = await runCommand({
        tables: [eventCommands],
        args,
        env: { DATABASE_URL: stack.databaseUrl },
      });
      if (code !== 0) throw new Error(`events retell ended with ${code}: ${err}`);
    },
    reconcile: async () => {
      const env = { DATABASE_URL: stack.databaseUrl, KEY_MODE: 'test', BANK_URL: stack.bankUrl };
      const args = ['reconcile', '--date', dayInMexicoCity(new Date())];
      const { code, out, err } = await runCommand({ tables: [reconcileCommands], args, env });
      // With 1 it ends also where it cannot compare, and then it says why.
      if (code > 1 || err !== '') throw new Error(`reconcile ended with ${code}: ${err}`);
      return code === 0 ? [] : out.split('\n').slice(3);
    },
  };
}

async function openClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  await client.connect();
  return client;
}

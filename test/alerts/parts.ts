import { dayInMexicoCity } from '@cobro/domain/mexico-city.ts';
import { setFaults } from '@cobro/testing/bank-faults.ts';
import { withClient } from '@cobro/postgres/with-client.ts';
import pg from 'pg';
import { runCommand as operate } from '../../dev/seed/run-command.ts';
import { reconcileCommands } from '../../ops/reconcile-command.ts';
import type { Stack } from '../../dev/stack/stack.ts';
import { runCommand } from '@cobro/testing/run-command.ts';

export interface Parts extends ReturnType<typeof openParts> {
  /** A payment that is some minutes old when it is needed. */
  oldPayment: string;
}

/** A stack, and functions that make its parts sick. The merchant is not part of the load. */
export function openParts(stack: Stack, apiKey: string) {
  const json = { 'content-type': 'application/json' };
  const reached = { connectionString: stack.databaseUrl, connectionTimeoutMillis: 5_000 };
  /** Runs statements as Postgres' administrator, in the stack's database. */
  const admin = (statements: string) => withClient(reached, async (client) => void (await client.query(statements)));
  return {
    stack,
    merchant: {
      apiKey,
      /** Sends a request and returns its JSON, whatever the status is. */
      post: async (path: string, body: object, headers: Record<string, string> = { 'x-api-key': apiKey }) => {
        const request = { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) };
        return (await (await fetch(`${stack.baseUrl}${path}`, request)).json()) as { id: string };
      },
    },
    admin,
    /** Locks a table: no other session can read or write it until the returned function is called. */
    lock: async (table: string) => {
      const client = new pg.Client(reached);
      client.on('error', () => {});
      await client.connect();
      await client.query(`begin; lock table ${table} in access exclusive mode`);
      return () => client.end();
    },
    setBankFaults: (faults: object) => setFaults(stack.bankUrl, faults),
    /** Moves the business clock, or puts it back. */
    moveClock: async (by: object | undefined) => {
      const request =
        by === undefined ? { method: 'DELETE' } : { method: 'PUT', headers: json, body: JSON.stringify(by) };
      await fetch(stack.clockUrl, request);
    },
    /** Publishes events of that time and later again, as an operator does. */
    retellSince: (time: Date) => operate(stack.databaseUrl, 'events', 'retell', '--since', time.toISOString()),
    /** Compares today's books, as the CronJob compares yesterday's. Returns a line for each difference. */
    reconcile: async (): Promise<string[]> => {
      const env = { DATABASE_URL: stack.databaseUrl, KEY_MODE: 'test', BANK_URL: stack.bankUrl };
      const args = ['reconcile', '--date', dayInMexicoCity(new Date())];
      const { code, out, err } = await runCommand({ tables: [reconcileCommands], args, env });
      // It also ends with 1 if it cannot compare, and then stderr says why.
      if (code > 1 || err !== '') throw new Error(`reconcile ended with ${code}: ${err}`);
      return code === 0 ? [] : out.split('\n').slice(3);
    },
  };
}

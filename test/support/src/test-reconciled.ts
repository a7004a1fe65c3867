import type { Reconciliation } from '@cobro/books/reconcile-day.ts';
import type { CounterReconciliation } from '@cobro/books/reconcile-counters.ts';
import type { EventReconciliation } from '@cobro/books/reconcile-events.ts';
import type { Payment } from '@cobro/contracts/payments.ts';
import { sql } from '@cobro/postgres/database.ts';
import { untilAgreed } from './agreement.ts';
import { runCommand } from './run-command.ts';
import { shownWrongly } from './shown-wrongly.ts';
import { startServices } from './start-services.ts';
import { moveToNoon, testHolds } from './test-holds.ts';
import { until } from './until.ts';

const schemas = ['payments', 'holds', 'reporting', 'intents', 'webhooks'] as const;
/** Younger operations are reported separately. */
const OLD_AFTER_MS = 10 * 60_000;

export type Reconciled = Awaited<ReturnType<typeof startReconciled>>;

/** At noon: a merchant, and services whose books the command of these tables compares. */
export async function startReconciled(tables: Parameters<typeof runCommand>[0]['tables']) {
  const services = await startServices({ services: schemas });
  await moveToNoon(services);
  const holds = await testHolds(services);
  const urls = schemas.map((schema) => [`${schema.toUpperCase()}_DATABASE_URL`, services.databaseUrl(schema)]);
  const env = { KEY_MODE: 'test', BANK_URL: services.bank.url, ...Object.fromEntries(urls) };
  /** Each book is read by the role of its own service, which can read no other. */
  const reconcile = (day: string, ...more: string[]) =>
    runCommand({ tables, args: ['reconcile', '--date', day, ...more], env });
  const foundOn = async (day: string) => {
    const { code, out, err } = await reconcile(day, '--json');
    if (err !== '') throw new Error(err);
    const [ofBank, ofEvents, ofCounters] = JSON.parse(out) as [
      Reconciliation,
      EventReconciliation,
      CounterReconciliation,
    ];
    return { code, ofBank, ofEvents, ofCounters };
  };
  return {
    services,
    holds,
    reconcile,
    differencesOf: async (day: string) => {
      const { code, ofBank } = await foundOn(day);
      return { code, ...ofBank };
    },
    /** The result of comparing payments with the events that merchants were shown. */
    eventsOf: async (day: string) => (await foundOn(day)).ofEvents,
    /** The result of comparing counters with payments. */
    countersOf: async (day: string) => (await foundOn(day)).ofCounters,
    charge: async () => (await holds.merchant.charge(holds.cardId)).body as Payment,
    /** Waits until all books agree and merchants are shown everything, and makes that old. */
    settled: async () => {
      const [payments, webhooks] = [services.db('payments'), services.db('webhooks')];
      const of = { payments, holds: services.db('holds'), reporting: services.db('reporting') };
      await untilAgreed({ bankUrl: services.bank.url, ...of });
      await until('merchants are shown all of it', async () => {
        const ids = (await payments.many<{ id: string }>(sql`select id from payment`)).map(({ id }) => id);
        return (await shownWrongly(payments, webhooks, ids)).length === 0;
      });
      await services.moveClock(OLD_AFTER_MS);
    },
  };
}

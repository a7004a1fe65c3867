import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBank } from '@cobro/bank/bank-client.ts';
import type { Bank, BankRequest } from '@cobro/bank/bank.ts';
import { kindOf } from '@cobro/bank/journal.ts';
import { operationBook } from '@cobro/bank/operation-book.store.ts';
import { type BankAddress, openBankPool } from '@cobro/bank/bank-pool.ts';
import { NoSettlementReport, readSettlementReport, type ReportingBank } from '@cobro/bank/settlement-report.ts';
import type { Findings } from '@cobro/books/findings.ts';
import { type Books, reconcileDay, type Reconciliation } from '@cobro/books/reconcile-day.ts';
import { type CounterReconciliation, reconcileCounters } from '@cobro/books/reconcile-counters.ts';
import { type EventReconciliation, reconcileEvents } from '@cobro/books/reconcile-events.ts';
import { dayInMexicoCity, dayStart } from '@cobro/domain/mexico-city.ts';
import { type Database, sql } from '@cobro/postgres/database.ts';
import { databaseSentence } from '@cobro/postgres/database-sentence.ts';
import { command, commandTable } from '@cobro/service-kit/admin-command.ts';
import { type AcquirerAddress, acquirerAddresses } from '@cobro/service-kit/acquirers-config.ts';
import { z } from 'zod';
import { bookedHolds } from '../services/holds/src/hold-book.store.ts';
import { cancelledIntents, cancelledIntentsOf } from '../services/intents/src/intents/intent-book.store.ts';
import { countedIn, keepCounterReconciliation } from '../services/payments/src/books/counter-book.store.ts';
import { bookedPayments, bookedPaymentsOfIntents } from '../services/payments/src/books/payment-book.store.ts';
import { keepReconciliation, keepUnlessCompared } from '../services/payments/src/books/reconciliation.store.ts';
import { bookedProjections } from '../services/reporting/src/payment-book.store.ts';
import {
  keepEventReconciliation,
  keptFrom,
  shownEvents,
  writtenEvents,
  writtenEventsWithIds,
} from '../services/webhooks/src/events/event-book.store.ts';
import { keepBankSettlement } from './keep-bank-settlement.ts';
import { leftOutAcquirers } from './left-out-acquirers.ts';
import { closeAll, openSchemas, withAcquirers } from './schema-addresses.ts';

const comparedSchemas = ['payments', 'holds', 'reporting', 'intents', 'webhooks'] as const;

interface Needs extends Record<(typeof comparedSchemas)[number], Database> {
  /** By their names. */
  acquirers: Record<string, { reports: ReportingBank; bank: Bank }>;
}

/** The result of comparing one acquirer's books, or why they could not be compared. */
type Compared = { acquirer: string } & (Reconciliation | { day: string; notCompared: string });
type ComparedCounters = { of: 'counters' } & (CounterReconciliation | { day: string; notCompared: string });
type ComparedEvents = { of: 'events' } & (EventReconciliation | { day: string; notCompared: string });

const DAY_MS = 86_400_000;
/** Tries of each question to a bank. */
const TRIES = 3;

const reconcile = command({
  words: 'reconcile',
  usage: '[--date 2026-11-20] [--file FILE]',
  about:
    'compares each acquirer’s books of a day in Mexico City (yesterday unless given) with payments and holds, these with reporting, what merchants were shown with what happened, and what links, products and promotions count with the payments; ends with 1 where something differs, one gives no report, or one that was asked is not named in ACQUIRERS',
  example: ['--date', '2026-11-20'],
  options: z.object({
    date: z.iso
      .date({ error: 'must be a day, as 2026-11-20' })
      .optional()
      .transform((day) => day ?? dayInMexicoCity(new Date(Date.now() - DAY_MS))),
    file: z.string().min(1).optional(),
  }),
  run: async (needs: Needs, { date, file }) => {
    // Without our own books none can be compared, and an acquirer that is also silent would be blamed for it.
    await needs.payments.one(sql`select 1 as one`);
    const compared: (Compared | ComparedEvents | ComparedCounters)[] = [];
    for (const acquirer of Object.keys(needs.acquirers)) compared.push(await compare(needs, acquirer, date));
    compared.push(...(await notComparable(needs, date)));
    // An acquirer's time is business time; if none gives one, real time is used.
    const times = compared.map((one) => ('asOf' in one ? one.asOf.getTime() : 0));
    const asOf = new Date(Math.max(...times) || Date.now());
    compared.push(await compareShown(needs, date, asOf), await compareCounters(needs, date, asOf));
    if (file !== undefined) writeFileSync(file, `${JSON.stringify(compared, undefined, 2)}\n`);
    return compared;
  },
  report: (compared) => ({
    text: compared.map(textOf).join(''),
    isBad: compared.some((one) => 'notCompared' in one || one.differences > 0),
  }),
});

/**
 * An acquirer that does not report keeps no other from being compared. As for one that was left out, each of its operations counts as a
 * difference until it can be compared.
 */
async function compare(needs: Needs, acquirer: string, day: string): Promise<Compared> {
  try {
    const found = await reconcileDay(booksOf(needs, acquirer), day);
    if (found.asOf < dayStart(day)) return { acquirer, day, notCompared: 'the day has not begun there' };
    // Comes first, because a day that is kept as compared is not looked at again if this process dies in between.
    const reports = needs.acquirers[acquirer]?.reports;
    if (reports !== undefined) await keepBankSettlement({ ...needs, acquirer, day, reports });
    await keepReconciliation(needs.payments, acquirer, found);
    return { acquirer, ...found };
  } catch (error) {
    if (!(error instanceof NoSettlementReport)) throw error;
    const notCompared = `it does not give its settlement report: ${error.message}`;
    const others = Object.keys(needs.acquirers).filter((one) => one !== acquirer);
    const answered = await leftOutAcquirers([needs.payments, needs.holds], others, day);
    const differences = answered.find((one) => one.acquirer === acquirer)?.operations ?? 0;
    // A day that is still to come would hide those that were compared.
    if (differences > 0 || dayStart(day) <= new Date()) {
      await keepUnlessCompared(needs.payments, acquirer, { day, differences, notCompared });
    }
    return { acquirer, day, notCompared };
  }
}

/** Acquirers that were left out of the environment. */
async function notComparable({ acquirers, payments, holds }: Needs, day: string): Promise<Compared[]> {
  const leftOut = await leftOutAcquirers([payments, holds], Object.keys(acquirers), day);
  return Promise.all(
    leftOut.map(async ({ acquirer, operations }) => {
      const notCompared = `ACQUIRERS does not name it; operations that it answered: ${operations}`;
      await keepUnlessCompared(payments, acquirer, { day, differences: operations, notCompared });
      return { acquirer, day, notCompared };
    }),
  );
}

async function compareShown(needs: Needs, day: string, asOf: Date): Promise<ComparedEvents> {
  if (asOf < dayStart(day)) return { of: 'events', day, notCompared: 'the day has not begun' };
  const { payments, holds, intents, webhooks } = needs;
  const found = await reconcileEvents(
    {
      operations: [operationBook(payments), operationBook(holds)],
      payments: (ids) => bookedPayments(payments, ids),
      paymentsOfIntents: (ids) => bookedPaymentsOfIntents(payments, ids),
      cancelledIntents: (hour, after) => cancelledIntents(intents, hour, after),
      intents: (ids) => cancelledIntentsOf(intents, ids),
      since: () => keptFrom(webhooks),
      shown: (ids) => shownEvents(webhooks, ids),
      written: (of, after) => writtenEvents(webhooks, of, after),
      writtenWithIds: (ids) => writtenEventsWithIds(webhooks, ids),
    },
    day,
    asOf,
  );
  await keepEventReconciliation(webhooks, found);
  return { of: 'events', ...found };
}

async function compareCounters({ payments }: Needs, day: string, asOf: Date): Promise<ComparedCounters> {
  if (asOf < dayStart(day)) return { of: 'counters', day, notCompared: 'the day has not begun' };
  const found = await reconcileCounters((hours) => countedIn(payments, hours), day);
  await keepCounterReconciliation(payments, found);
  return { of: 'counters', ...found };
}

function booksOf({ acquirers, payments, holds, reporting }: Needs, acquirer: string): Books {
  const at = acquirers[acquirer];
  if (at === undefined) throw new Error(`no acquirer is named ${acquirer}`);
  return {
    bank: {
      report: (day, after) => readSettlementReport(at.reports, day, after),
      ask: ({ id, purpose }) => ask(at.bank, id, kindOf[purpose]),
    },
    operations: [operationBook(payments, acquirer), operationBook(holds, acquirer)],
    payments: (ids) => bookedPayments(payments, ids),
    holds: (ids) => bookedHolds(holds, ids),
    projections: (ids) => bookedProjections(reporting, ids),
  };
}

/** What the bank says about an operation; undefined if it knows none, `silence` if it does not answer three times. */
async function ask(bank: Bank, id: string, kind: BankRequest['kind']): ReturnType<Books['bank']['ask']> {
  for (let tried = 1; ; tried++) {
    const answer = await bank.inquire(id, kind, false);
    if (answer.outcome === 'not_found') return undefined;
    if (answer.outcome === 'approved' || answer.outcome === 'declined') {
      const { outcome, reference, time } = answer;
      return { outcome, reference, createdAt: time.toISOString() };
    }
    if (tried === TRIES) return 'silence';
    await sleep(tried * 1_000);
  }
}

function textOf(one: Compared | ComparedEvents | ComparedCounters): string {
  if ('notCompared' in one)
    return `${'of' in one ? one.of : one.acquirer}, ${one.day}: not compared, ${one.notCompared}\n`;
  if ('counters' in one) {
    const { day, counters } = one;
    return textOfFindings(one, [`counters, ${day}: ${counters} payment links, products and promotions compared`]);
  }
  if ('of' in one) {
    const { day, operations, intents, events } = one;
    return textOfFindings(one, [
      `events, ${day}: the payments of ${operations} operations, ${intents} cancelled intents and ${events} events compared`,
    ]);
  }
  const { acquirer, day, asOf, operations, payments, open, recent } = one;
  return textOfFindings(one, [
    `${acquirer}, ${day}, as of ${asOf.toISOString()}: ${operations} operations and ${payments} payments compared`,
    `not known yet: ${open}; of the last minutes, or booked on the day before or after: ${recent}`,
  ]);
}

function textOfFindings({ differences, listed }: Findings, head: string[]): string {
  const left = differences - listed.length;
  return [
    ...head,
    differences === 0 ? 'no differences' : `${differences} differences`,
    ...listed.map(({ what, sentence }) => `  ${what.padEnd(13)} ${sentence}`),
    ...(left > 0 ? [`  and ${left} more`] : []),
    '',
  ].join('\n');
}

const openBooksOfBank = (address: BankAddress): Needs['acquirers'][string] => ({
  reports: { pool: openBankPool(address, 1), token: address.token },
  bank: openBank({ ...address, connections: 1, callTimeoutMs: 8_000 }),
});

/** Compares the books of several services and of the acquirers. Each service's are read by its own role. */
export const reconcileCommands = commandTable({
  name: 'reconcile',
  environment: withAcquirers(comparedSchemas),
  open: ({
    BANK_URL,
    BANK_TOKEN,
    ACQUIRERS,
    ACQUIRER_TOKENS,
    HTTPS_PROXY: proxyUrl,
    KEY_MODE: _,
    ...addresses
  }): Needs => {
    const named = Object.entries(acquirerAddresses({ BANK_URL, BANK_TOKEN, ACQUIRERS, ACQUIRER_TOKENS }));
    const openAt = (address: AcquirerAddress) => openBooksOfBank({ ...address, proxyUrl, connectTimeoutMs: 1_000 });
    return {
      acquirers: Object.fromEntries(named.map(([name, address]) => [name, openAt(address)])),
      ...openSchemas(addresses, comparedSchemas),
    };
  },
  close: async ({ acquirers, ...schemas }) => {
    const closing = Object.values(acquirers).flatMap(({ reports, bank }) => [reports.pool.close(), bank.close()]);
    await Promise.all([...closing, closeAll(schemas)]);
  },
  explain: databaseSentence,
  commands: [reconcile],
});

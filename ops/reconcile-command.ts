import { writeFileSync } from 'node:fs';
import { openBank } from '@cobro/bank/bank-client.ts';
import type { Bank } from '@cobro/bank/bank.ts';
import { kindOf } from '@cobro/bank/journal.ts';
import { operationBook } from '@cobro/bank/operation-book.store.ts';
import { type BankAddress, openBankPool } from '@cobro/bank/bank-pool.ts';
import { NoSettlementReport, readSettlementReport, type ReportingBank } from '@cobro/bank/settlement-report.ts';
import { type Books, reconcileDay, type Reconciliation } from '@cobro/books/reconcile-day.ts';
import { dayInMexicoCity, dayStart } from '@cobro/domain/mexico-city.ts';
import type { Database } from '@cobro/postgres/database.ts';
import { databaseSentence } from '@cobro/postgres/database-sentence.ts';
import { command, commandTable } from '@cobro/service-kit/admin-command.ts';
import { bankProxy, bankToken, keyMode, refuseLiveInClear, url } from '@cobro/service-kit/config.ts';
import { OperatorError } from '@cobro/service-kit/operator-error.ts';
import { z } from 'zod';
import { bookedHolds } from '../services/holds/src/hold-book.store.ts';
import { bookedPayments } from '../services/payments/src/books/payment-book.store.ts';
import { keepReconciliation } from '../services/payments/src/books/reconciliation.store.ts';
import { bookedProjections } from '../services/reporting/src/payment-book.store.ts';
import { type Addresses, openSchema, schemaAddresses } from './schema-addresses.ts';

interface Needs {
  reports: ReportingBank;
  bank: Bank;
  payments: Database;
  holds: Database;
  reporting: Database;
}

const DAY_MS = 86_400_000;

const reconcile = command({
  words: 'reconcile',
  usage: '[--date 2026-11-20] [--file FILE]',
  about:
    'compares the bank’s books of a day in Mexico City (yesterday unless given) with payments and holds, and these with reporting; ends with 1 where they differ',
  example: ['--date', '2026-11-20'],
  options: z.object({
    date: z.iso
      .date({ error: 'must be a day, as 2026-11-20' })
      .optional()
      .transform((day) => day ?? dayInMexicoCity(new Date(Date.now() - DAY_MS))),
    file: z.string().min(1).optional(),
  }),
  run: async (needs: Needs, { date, file }) => {
    const found = await reconcileDay(booksOf(needs), date);
    if (found.asOf < dayStart(date)) throw new OperatorError(`${date} has not begun at the bank.`);
    await keepReconciliation(needs.payments, found);
    if (file !== undefined) writeFileSync(file, `${JSON.stringify(found, undefined, 2)}\n`);
    return found;
  },
  report: (found) => ({ text: textOf(found), isBad: found.differences > 0 }),
});

function booksOf({ reports, bank, payments, holds, reporting }: Needs): Books {
  return {
    bank: {
      report: (day, after) => readSettlementReport(reports, day, after),
      ask: async ({ id, purpose }) => {
        const answer = await bank.inquire(id, kindOf[purpose], false);
        if (answer.outcome !== 'approved' && answer.outcome !== 'declined') return undefined;
        const { outcome, reference, time } = answer;
        return { outcome, reference, createdAt: time.toISOString() };
      },
    },
    operations: [operationBook(payments), operationBook(holds)],
    payments: (ids) => bookedPayments(payments, ids),
    holds: (ids) => bookedHolds(holds, ids),
    projections: (ids) => bookedProjections(reporting, ids),
  };
}

function textOf({ day, asOf, operations, payments, differences, open, recent, listed }: Reconciliation): string {
  const left = differences - listed.length;
  return [
    `${day}, as of ${asOf.toISOString()}: ${operations} operations and ${payments} payments compared`,
    `not known yet: ${open}; of the last minutes, or booked on the day before or after: ${recent}`,
    differences === 0 ? 'no differences' : `${differences} differences`,
    ...listed.map(({ what, sentence }) => `  ${what.padEnd(13)} ${sentence}`),
    ...(left > 0 ? [`  and ${left} more`] : []),
    '',
  ].join('\n');
}

const openBooksOfBank = (address: BankAddress): Pick<Needs, 'reports' | 'bank'> => ({
  reports: { pool: openBankPool(address, 1), token: address.token },
  bank: openBank({ ...address, connections: 1, callTimeoutMs: 8_000 }),
});

/** Compares books that belong to several services and to the bank. Each is read by the role of its own service. */
export const reconcileCommands = commandTable({
  name: 'reconcile',
  environment: schemaAddresses(['payments', 'holds', 'reporting'])
    .safeExtend({ KEY_MODE: keyMode, BANK_URL: url, BANK_TOKEN: bankToken, HTTPS_PROXY: bankProxy })
    .superRefine(refuseLiveInClear),
  open: ({ BANK_URL, BANK_TOKEN, HTTPS_PROXY, KEY_MODE: _, ...addresses }): Needs => ({
    ...openBooksOfBank({ url: BANK_URL, token: BANK_TOKEN, proxyUrl: HTTPS_PROXY, connectTimeoutMs: 1_000 }),
    payments: openSchema(addresses as Addresses, 'payments'),
    holds: openSchema(addresses as Addresses, 'holds'),
    reporting: openSchema(addresses as Addresses, 'reporting'),
  }),
  close: async ({ reports, bank, payments, holds, reporting }) =>
    void (await Promise.all([reports.pool.close(), bank.close(), payments.close(), holds.close(), reporting.close()])),
  explain: (error) =>
    error instanceof NoSettlementReport
      ? `The bank does not give its settlement report: ${error.message}.`
      : databaseSentence(error),
  commands: [reconcile],
});

import { operationBook } from '@cobro/bank/operation-book.store.ts';
import { type Movement, readSettlementReport, type ReportingBank } from '@cobro/bank/settlement-report.ts';
import type { Database } from '@cobro/postgres/database.ts';
import {
  keepBankSettlement as keep,
  organizationsOf,
  type SettledLine,
} from '../services/payments/src/books/bank-settlement.store.ts';

interface Reported {
  acquirer: string;
  day: string;
  reports: ReportingBank;
  payments: Database;
  holds: Database;
}

/**
 * Keeps an acquirer's report of a day, summed by organization and kind, for merchants to see beside our disbursement. Movements without an
 * operation of ours are left to reconciliation, which names them. @throws NoSettlementReport
 */
export async function keepBankSettlement({ acquirer, day, reports, payments, holds }: Reported): Promise<void> {
  const sums = new Map<string, SettledLine>();
  const books = [operationBook(payments, acquirer), operationBook(holds, acquirer)];
  for (let after: string | undefined; ;) {
    const { data } = await readSettlementReport(reports, day, after);
    const last = data.at(-1);
    if (last === undefined) break;
    after = last.id;
    const keys = data.flatMap((movement) => keyOf(movement) ?? []);
    const operations = (await Promise.all(books.map((book) => book.withIds(keys)))).flat();
    const paymentOf = new Map(operations.map(({ id, subjectId }) => [id, subjectId]));
    const found = await organizationsOf(payments, [...new Set(paymentOf.values())]);
    const organizationOf = new Map(found.map(({ id, organizationId }) => [id, organizationId]));
    for (const movement of data) {
      const organizationId = organizationOf.get(paymentOf.get(keyOf(movement) ?? '') ?? '');
      if (organizationId !== undefined) add(sums, organizationId, movement);
    }
  }
  await keep(payments, acquirer, day, [...sums.values()]);
}

/** The key of the operation that a movement is, or is about. */
const keyOf = ({ kind, id, about }: Movement) => (kind === 'charge' || kind === 'refund' ? id : about);

function add(sums: Map<string, SettledLine>, organizationId: string, { kind, gross, fee, net }: Movement): void {
  const name = `${organizationId} ${kind}`;
  const sum = sums.get(name) ?? { organizationId, kind, movements: 0, gross: 0n, fee: 0n, net: 0n };
  const plus = (all: bigint | null, one: number | null) => (all === null || one === null ? null : all + BigInt(one));
  sums.set(name, {
    ...sum,
    movements: sum.movements + 1,
    gross: sum.gross + BigInt(gross),
    fee: plus(sum.fee, fee),
    net: plus(sum.net, net),
  });
}

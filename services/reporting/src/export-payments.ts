import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { exportPayments as contract } from '@cobro/contracts/routes/reports.ts';
import type { Position } from '@cobro/service-kit/list-cursor.ts';
import type { Deps } from './deps.ts';
import { headLine, paymentLine } from './export-line.rules.ts';
import { findPayments, type ListedPayment } from './payment.store.ts';
import { filtersOf } from './report-filters.ts';
import { reportedPayment } from './reported-payment.rules.ts';

/** Rows per statement. No connection is held while the caller reads them. */
const PAGE = 200;
/** How long a page is retried while the database is away or our turn does not come. */
const PATIENCE_MS = 20_000;
const PAUSE_MS = 500;

type ReadPage = (after: Position | undefined) => Promise<ListedPayment[]>;

/**
 * GET /report/payment.csv: the whole list in one answer, with the same payments in the same order. The first page is read before the
 * answer begins, so that a database that is away causes a refusal. A later page that cannot be read breaks the answer off.
 */
export async function exportPayments(
  { reads: { merchants } }: Deps,
  { caller: { organizationId }, query: { language = 'es', ...query } }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const filters = filtersOf(query);
  const read: ReadPage = (after) =>
    merchants.inTurn(organizationId, () => findPayments(merchants, { organizationId, filters, after, limit: PAGE }));
  const first = await read(undefined);
  const headers = {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': 'attachment; filename="payments.csv"',
    'Cache-Control': 'no-store',
  };
  return { status: 200, headers, parts: linesOf(language, first, read) };
}

async function* linesOf(language: 'es' | 'en', first: ListedPayment[], read: ReadPage): AsyncGenerator<string> {
  yield headLine(language);
  const walkBegan = first[0]?.walkBegan;
  if (walkBegan === undefined) return;
  for (let rows = first; ;) {
    yield rows.map((row) => paymentLine(reportedPayment(row))).join('');
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    rows = await patiently(() => read({ walkBegan, createdAt: last.createdAt, id: last.id }));
  }
}

async function patiently<T>(read: () => Promise<T>): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!isPassing(error) || performance.now() > until) throw error;
    }
    await sleep(PAUSE_MS);
  }
}

const isPassing = (error: unknown) =>
  error instanceof Refusal || (error as { name?: unknown }).name === 'DatabaseUnavailable';

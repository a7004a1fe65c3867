import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import type { Answer } from '../http/visit.ts';
import { askForExport, exportFile } from '../payments/export-file.ts';
import { filtersIn } from './audit-filters.ts';
import type { AuditRow } from './audit.store.ts';
import { csvLine } from './csv-line.ts';
import { feeLine } from './fee-line.rules.ts';
import { readAudit } from './read-audit.ts';

const MOST = 20_000;
const PAGE = 500;
const HEADS = ['time_utc', 'person', 'what', 'target', 'outcome', 'status', 'code', 'address', 'request_id', 'fees'];

type ReadPage = (before: string | undefined) => Promise<AuditRow[]>;

/** GET /settings/audit.csv: the newest 20,000 rows with these filters, read page by page, as a file that is sent while it is made. */
export async function exportAudit(deps: Deps, visit: SignedIn): Promise<Answer> {
  const filters = filtersIn(visit.query);
  const given = Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const read: ReadPage = (before) => readAudit(deps, { ...filters, scope: visit.scope, before, most: PAGE });
  const answered = await askForExport(deps, visit, 'export.audit', given);
  const first = await read(undefined).catch(async (error: unknown) => {
    await answered(503, 'NO_ANSWER');
    throw error;
  });
  return exportFile(deps, visit, linesOf(first, read), answered, 'audit');
}

async function* linesOf(first: AuditRow[], read: ReadPage) {
  // The mark lets spreadsheets recognize UTF-8.
  yield `\uFEFF${csvLine(HEADS)}`;
  let [rows, sent] = [first, 0];
  while (rows.length > 0) {
    yield rows.map((row) => csvLine(cellsOf(row))).join('');
    sent += rows.length;
    rows = rows.length === PAGE && sent < MOST ? await read(rows.at(-1)?.id) : [];
  }
}

const cellsOf = (row: AuditRow) => [
  row.at.toISOString(),
  row.personName,
  row.what,
  row.target,
  row.outcome,
  row.status,
  row.code,
  row.address,
  row.requestId,
  row.fees === null ? null : row.fees.map((change) => feeLine(change, row.outcome === 'asked')).join('; '),
];

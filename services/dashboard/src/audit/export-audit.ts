import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import type { Answer } from '../http/visit.ts';
import { filtersIn } from './audit-filters.ts';
import { csvLine } from './csv-line.ts';
import { type AuditRow, listAudit, recordAudit } from './audit.store.ts';
import { feeLine } from './fee-line.rules.ts';
import { byMember } from './who.ts';

const MOST = 20_000;
const HEADS = ['time_utc', 'person', 'what', 'target', 'outcome', 'status', 'code', 'address', 'request_id', 'fees'];

/** GET /settings/audit.csv: the newest twenty thousand rows of the filters. */
export async function exportAudit({ db }: Deps, visit: SignedIn): Promise<Answer> {
  const filters = filtersIn(visit.query);
  await recordAudit(db, { ...byMember(visit), what: 'export.audit', outcome: 'done' });
  const rows = await listAudit(db, { ...filters, scope: visit.scope, before: undefined, most: MOST });
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="cobro-audit.csv"',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
    // Spreadsheets read UTF-8 by the mark.
    html: `\uFEFF${csvLine(HEADS)}${rows.map((row) => csvLine(cellsOf(row))).join('')}`,
  };
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

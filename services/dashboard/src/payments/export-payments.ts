import { holdsCardData } from '@cobro/contracts/card-data.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { exportWords } from '@cobro/dashboard/payments/export-words.ts';
import { dayInMexicoCity } from '@cobro/domain/mexico-city.ts';
import { type AuditEntry, recordAudit } from '../audit/audit.store.ts';
import type { Deps } from '../deps.ts';
import type { ApiStream } from '../http/api.ts';
import type { SignedIn } from '../http/screen.ts';
import { type Answer, redirect } from '../http/visit.ts';
import { apiQueryOf, filtersOf } from './list-query.ts';

/** GET /payments.csv: what the list with these filters has, as a file that is sent while it is made. */
export async function exportPayments(deps: Deps, visit: SignedIn): Promise<Answer> {
  if ([...visit.query.values()].some(holdsCardData)) throw new Refusal('VALIDATION_ERROR');
  const filters = filtersOf(visit.query);
  const asked = apiQueryOf(filters);
  if (asked.kind === 'payment') return redirect(`/payments?${visit.query.toString()}`);
  const query = Object.entries({ ...asked.query, language: visit.language }).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value] as [string, string]),
  );
  const entry = auditOf(visit, Object.keys(filters));
  const askedId = await recordAudit(deps.db, { ...entry, outcome: 'asked' });
  const answered = (status: number, code?: string) =>
    recordAudit(deps.db, { ...entry, outcome: 'answered', askedId, status, ...(code !== undefined && { code }) });
  const opening = visit.openStream(`/report/payment.csv?${new URLSearchParams(query).toString()}`);
  const stream = await opening.catch(async (error: unknown) => {
    deps.log.warn({ error, requestId: visit.requestId }, 'the gateway gives no export');
    await answered(503, 'NO_ANSWER');
    throw new Refusal('SERVICE_UNAVAILABLE');
  });
  if (stream.status !== 200) {
    await answered(stream.status, 'REFUSED');
    throw new Refusal(stream.status === 400 ? 'VALIDATION_ERROR' : 'SERVICE_UNAVAILABLE');
  }
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="cobro-${exportWords[visit.language].file}-${dayInMexicoCity(deps.clock.now())}.csv"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
    parts: partsOf(deps, visit, stream, answered),
  };
}

/** Of the filters only the names: what was searched for may be a payer's e-mail. */
const auditOf = (
  { person, scope, from: address, requestId }: SignedIn,
  filters: string[],
): Omit<AuditEntry, 'outcome'> => ({
  personId: person.id,
  scope,
  what: 'payments.export',
  target: filters.length === 0 ? null : filters.join(' '),
  address,
  requestId,
});

type Answered = (status: number, code?: string) => Promise<unknown>;

/** A file that is not whole says so in its last line, and is broken off so that the browser says it too. */
async function* partsOf({ log }: Deps, { language, requestId }: SignedIn, { body }: ApiStream, answered: Answered) {
  let code: string | undefined = 'LEFT';
  try {
    yield* body;
    code = undefined;
  } catch (error) {
    code = 'INCOMPLETE';
    yield `\r\n${exportWords[language].incomplete}\r\n`;
    throw error;
  } finally {
    await answered(200, code).catch((error: unknown) =>
      log.error({ error, requestId }, 'an export is not in the audit'),
    );
  }
}

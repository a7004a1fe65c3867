import { holdsCardData } from '@cobro/contracts/card-data.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { type Answer, redirect } from '../http/visit.ts';
import { askForExport, exportFile } from './export-file.ts';
import { apiQueryOf, filtersOf } from './list-query.ts';

/** GET /payments.csv: the list with these filters, as a file that is sent while it is made. */
export async function exportPayments(deps: Deps, visit: SignedIn): Promise<Answer> {
  if ([...visit.query.values()].some(holdsCardData)) throw new Refusal('VALIDATION_ERROR');
  const filters = filtersOf(visit.query);
  const asked = apiQueryOf(filters);
  if (asked.kind === 'payment') return redirect(`/payments?${visit.query.toString()}`);
  const query = Object.entries({ ...asked.query, language: visit.language }).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value] as [string, string]),
  );
  const answered = await askForExport(deps, visit, 'export.payments', Object.keys(filters));
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
  return exportFile(deps, visit, stream.body, answered);
}

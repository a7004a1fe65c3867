import { exportWords } from '@cobro/dashboard/payments/export-words.ts';
import { dayInMexicoCity } from '@cobro/domain/mexico-city.ts';
import type { Audited } from '@cobro/dashboard/settings/audited-words.ts';
import { recordAudit } from '../audit/audit.store.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import type { Answer } from '../http/visit.ts';

/** Records once how an export ended. */
export type Answered = (status: number, code?: string) => Promise<unknown>;

/** Records only the filters' names: their values may be a payer's e-mail. */
export async function askForExport(deps: Deps, visit: SignedIn, what: Audited, filters: string[]): Promise<Answered> {
  const { person, scope, from: address, requestId } = visit;
  const target = filters.length === 0 ? null : filters.join(' ');
  const entry = { personId: person.id, scope, what, target, address, requestId };
  const askedId = await recordAudit(deps.db, { ...entry, outcome: 'asked' });
  return (status, code) =>
    recordAudit(deps.db, { ...entry, outcome: 'answered', askedId, status, ...(code !== undefined && { code }) });
}

/** An answer that is sent while it is made. */
export function exportFile(
  deps: Deps,
  visit: SignedIn,
  body: AsyncIterable<string>,
  answered: Answered,
  file = exportWords[visit.language].file,
): Answer {
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="cobro-${file}-${dayInMexicoCity(deps.clock.now())}.csv"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
    parts: partsOf(deps, visit, body, answered),
  };
}

/** An incomplete file says so in its last line, and is broken off so that the browser says so too. */
async function* partsOf(
  { log }: Deps,
  { language, requestId }: SignedIn,
  body: AsyncIterable<string>,
  answered: Answered,
) {
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

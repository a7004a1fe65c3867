import { setTimeout as sleep } from 'node:timers/promises';
import type { Result } from '@cobro/client/refusal.ts';
import { holdsCardData } from '@cobro/contracts/card-data.ts';
import { type PartnerPayment, partnerPaymentStatuses } from '@cobro/contracts/partner-payments.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import type { Answer } from '../http/visit.ts';
import { askForExport, exportFile } from '../payments/export-file.ts';
import { headLine, paymentLine } from './export-line.rules.ts';
import { apiQueryOf, filtersOf } from './list-query.ts';

const PAGE = 100;
const TRIES = 3;
const PAUSE_MS = 1_000;
const READING_MS = 10_000;

interface Page {
  data: readonly PartnerPayment[];
}
/** `upTo`: when the newest payment was made; later ones stay out. */
type ReadPage = (offset: number, upTo?: string) => Promise<Result<Page>>;

/** GET /partner/payments.csv: the list with these filters, read page by page, as a file that is sent while it is made. */
export async function exportPartnerPayments(deps: Deps, visit: SignedIn): Promise<Answer> {
  if ([...visit.query.values()].some(holdsCardData)) throw new Refusal('VALIDATION_ERROR');
  const filters = filtersOf(visit.query);
  // The status is filtered here: with a filter of the API, a payment that changes its status would shift later pages.
  const { status, ...asked } = apiQueryOf(filters);
  if (status !== undefined && !partnerPaymentStatuses.some((one) => one === status))
    throw new Refusal('VALIDATION_ERROR');
  const read: ReadPage = (offset, upTo) => {
    const query = { ...asked, ...(upTo !== undefined && { createdAtTo: upTo }), limit: PAGE, offset };
    return visit.api.call('listPartnerPayments', { query }, { withinMs: READING_MS, attempts: 1 }).result();
  };
  const answered = await askForExport(deps, visit, 'export.partner-payments', Object.keys(filters));
  const first = await read(0);
  if (first.kind !== 'done') {
    const code = first.kind === 'lost' ? 503 : first.refusal.status;
    await answered(code, first.kind === 'lost' ? 'NO_ANSWER' : 'REFUSED');
    throw new Refusal(code === 400 ? 'VALIDATION_ERROR' : 'SERVICE_UNAVAILABLE');
  }
  const isWanted = (payment: PartnerPayment) => status === undefined || payment.status === status;
  return exportFile(deps, visit, linesOf(visit, { first: first.value, read, isWanted }), answered);
}

interface Walk {
  first: Page;
  read: ReadPage;
  isWanted: (payment: PartnerPayment) => boolean;
}

/** @throws if a page cannot be read, or lies behind the last one that a search gives */
async function* linesOf({ language }: SignedIn, { first, read, isWanted }: Walk): AsyncGenerator<string> {
  yield headLine(language);
  const upTo = first.data[0]?.createdAt;
  // An older payment that becomes known meanwhile moves the others down, so that the last page's come again.
  let before = new Set<string>();
  for (let [page, offset] = [first, 0]; ;) {
    const { data } = page;
    const lines = data.filter((payment) => !before.has(payment.id) && isWanted(payment)).map(paymentLine);
    if (lines.length > 0) yield lines.join('');
    if (data.length < PAGE) return;
    before = new Set(data.map(({ id }) => id));
    offset += PAGE;
    page = await patiently(() => read(offset, upTo));
  }
}

async function patiently(read: () => Promise<Result<Page>>): Promise<Page> {
  for (let tries = 1; ; tries++) {
    const result = await read();
    if (result.kind === 'done') return result.value;
    const isPassing = result.kind === 'lost' || result.refusal.status >= 500;
    if (!isPassing || tries === TRIES) throw new Error('a page of the export cannot be read');
    await sleep(PAUSE_MS * tries);
  }
}

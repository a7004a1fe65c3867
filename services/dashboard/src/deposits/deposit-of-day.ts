import { holdsCardData } from '@cobro/contracts/card-data.ts';
import { centavosOf } from '@cobro/contracts/amount.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { wholeDay } from '@cobro/contracts/reports.ts';
import { type DepositRow, depositDayPage } from '@cobro/dashboard/deposits/deposit-day-page.ts';
import { readAmount } from '@cobro/dashboard/payments/action-page.ts';
import { recordAudit } from '../audit/audit.store.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field, redirect } from '../http/visit.ts';
import { inTime, READING } from '../http/reading.ts';
import { depositsOf, dropDeposit, keepDeposit } from './deposit.store.ts';

/** GET /deposits/{day}: what settled and what was refunded on a day, beside what the bank deposited. */
export const showDepositOfDay = (deps: Deps, visit: SignedIn): Promise<Answer> => draw(deps, visit, null);

/** POST /deposits/{day}: an empty amount removes the entered deposit. */
export async function enterDeposit(deps: Deps, visit: SignedIn): Promise<Answer> {
  const day = dayIn(visit);
  const typed = field(visit.form, 'amount');
  const centavos = typed === '' ? null : amountIn(typed);
  if (centavos === undefined) return draw(deps, visit, holdsCardData(typed) ? '' : typed);
  const organizationId = visit.scope.id ?? '';
  const { person, scope, from: address, requestId } = visit;
  await deps.db.inTransaction(async (tx) => {
    const now = new Date();
    if (centavos === null) await dropDeposit(tx, organizationId, day);
    else await keepDeposit(tx, { organizationId, day, amount: centavos, enteredBy: person.id, enteredAt: now });
    const what = centavos === null ? 'deposit.remove' : 'deposit.enter';
    await recordAudit(tx, { personId: person.id, scope, what, target: day, outcome: 'done', address, requestId });
  });
  return redirect(`/deposits/${day}`);
}

/** A day without a deposit is entered as 0. */
function amountIn(typed: string): bigint | undefined {
  if (/^\$?\s*0(?:\.0{1,2})?$/.test(typed)) return 0n;
  const pesos = readAmount(typed);
  return pesos === undefined ? undefined : centavosOf(pesos);
}

function dayIn({ params: { day = '' } }: SignedIn): string {
  const { success } = wholeDay.safeParse(day);
  if (!success) throw new Refusal('NOT_FOUND');
  return day;
}

/** How many rows stand on the page; all are in the export. */
const ROWS = 100;

/** @param wrong the typed text, if it is no amount */
async function draw(deps: Deps, visit: SignedIn, wrong: string | null): Promise<Answer> {
  const day = dayIn(visit);
  const { api } = visit;
  const rowsOf = (query: { settledOn: string } | { refundedOn: string }): Promise<Page | null> =>
    inTime(api.call('reportPayments', { query: { ...query, limit: ROWS } }, READING));
  const [settled, bank, entered, paid, refunded] = await Promise.all([
    inTime(api.reports.settlement({ from: day, to: day }, READING)),
    inTime(api.reports.bankSettlement({ from: day, to: day }, READING)),
    depositsOf(deps.db, visit.scope.id ?? '', day, day),
    rowsOf({ settledOn: day }),
    rowsOf({ refundedOn: day }),
  ]);
  const [sums] = settled?.days ?? [];
  const view = {
    day,
    sums: sums === undefined ? null : { ...sums, deposit: entered.get(day) ?? null },
    deposit: entered.get(day) ?? null,
    wrong,
    lines: bank?.lines ?? null,
    paid: paid && { rows: paid.data, hasMore: paid.pagination.hasMore },
    refunded: refunded && { rows: refunded.data, hasMore: refunded.pagination.hasMore },
  };
  return show(deps, visit, (frame) => depositDayPage(frame, view));
}

interface Page {
  data: readonly DepositRow[];
  pagination: { hasMore: boolean };
}

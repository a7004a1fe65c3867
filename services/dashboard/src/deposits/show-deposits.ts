import { depositsPage } from '@cobro/dashboard/deposits/deposits-page.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { dayInMexicoCity } from '@cobro/domain/mexico-city.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field } from '../http/visit.ts';
import { inTime, READING } from '../http/reading.ts';
import { depositsOf } from './deposit.store.ts';

/** GET /deposits: a month of Mexico City, day by day. */
export async function showDeposits(deps: Deps, visit: SignedIn): Promise<Answer> {
  const today = dayInMexicoCity(deps.clock.now());
  const month = field(visit.query, 'month') || today.slice(0, 7);
  if (!/^20\d\d-(?:0[1-9]|1[0-2])$/.test(month)) throw new Refusal('NOT_FOUND');
  const last = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10);
  const range = { from: `${month}-01`, to: last };
  const [settled, bank, entered] = await Promise.all([
    inTime(visit.api.reports.settlement(range, READING)),
    inTime(visit.api.reports.bankSettlement(range, READING)),
    depositsOf(deps.db, visit.scope.id ?? '', range.from, range.to),
  ]);
  const days = settled && settled.days.map((day) => ({ ...day, deposit: entered.get(day.day) ?? null }));
  return show(deps, visit, (frame) => depositsPage(frame, { month, today, days, lines: bank?.lines ?? null }));
}

import { Refusal } from '@cobro/contracts/refusals.ts';
import { wholeDay } from '@cobro/contracts/reports.ts';
import { takingsPage } from '@cobro/dashboard/takings/takings-page.ts';
import { dayInMexicoCity } from '@cobro/domain/mexico-city.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field } from '../http/visit.ts';
import { inTime, READING } from '../http/reading.ts';

/** GET /takings: what was taken on a day, by salesperson, branch and terminal; today unless the address names another. */
export async function showTakings(deps: Deps, visit: SignedIn): Promise<Answer> {
  const today = dayInMexicoCity(deps.clock.now());
  const day = field(visit.query, 'day') || today;
  if (!wholeDay.safeParse(day).success) throw new Refusal('NOT_FOUND');
  const takings = await inTime(visit.api.reports.takings({ day }, READING));
  return show(deps, visit, (frame) => takingsPage(frame, { day, today, takings, printedAt: deps.clock.now() }));
}

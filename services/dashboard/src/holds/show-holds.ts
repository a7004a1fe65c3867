import { Refusal } from '@cobro/contracts/refusals.ts';
import { type HoldColumn, holdsOfDayPage, holdsPage } from '@cobro/dashboard/holds/holds-page.ts';
import { dayInMexicoCity } from '@cobro/domain/mexico-city.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field } from '../http/visit.ts';
import { inTime, READING } from '../http/reading.ts';

/** How many of a day's holds stand on the board; the others are on the page of the day. */
const CARDS = 6;
const PAGE = 50;

/** GET /holds */
export async function showHolds(deps: Deps, visit: SignedIn): Promise<Answer> {
  const now = deps.clock.now();
  const board = await inTime(visit.api.reports.holds({ limit: 1 }, READING));
  const columns = board && (await Promise.all(board.days.map((day) => readColumn(visit, day, now))));
  return show(deps, visit, (frame) => holdsPage(frame, { today: dayInMexicoCity(now), columns }));
}

type Day = Omit<HoldColumn, 'rows' | 'leftMs'> & { firstEndsAt: string };

async function readColumn({ api }: SignedIn, { firstEndsAt, ...day }: Day, now: Date): Promise<HoldColumn> {
  const found = await inTime(api.reports.holds({ endsOn: day.endsOn, limit: CARDS }, READING));
  return { ...day, leftMs: Math.max(0, Date.parse(firstEndsAt) - now.getTime()), rows: found?.holds ?? null };
}

/** GET /holds/{day} */
export async function showHoldsOfDay(deps: Deps, visit: SignedIn): Promise<Answer> {
  const { day = '' } = visit.params;
  const offset = Number(field(visit.query, 'offset') || '0');
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || !Number.isSafeInteger(offset) || offset < 0) throw new Refusal('NOT_FOUND');
  const result = await visit.api.reports.holds({ endsOn: day, limit: PAGE + 1, offset }, READING).result();
  if (result.kind === 'refused' && result.refusal.status < 500) throw new Refusal('NOT_FOUND');
  const rows = result.kind === 'done' ? result.value.holds : null;
  const found = rows && { rows: rows.slice(0, PAGE), hasMore: rows.length > PAGE };
  return show(deps, visit, (frame) => holdsOfDayPage(frame, { day, offset, found }));
}

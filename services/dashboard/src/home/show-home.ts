import { isPaused } from '@cobro/dashboard/developers/webhooks-page.ts';
import { homePage, type HomeView } from '@cobro/dashboard/home/home-page.ts';
import { dayInMexicoCity } from '@cobro/domain/mexico-city.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, redirect } from '../http/visit.ts';
import { inTime, READING } from '../http/reading.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;
/** How many pending operations, and past-due subscriptions, are listed. */
const NAMED = 5;

/** GET /: an organization's day. Other scopes are redirected to their first page. */
export async function showHome(deps: Deps, visit: SignedIn): Promise<Answer> {
  const { scope } = visit;
  if (scope.kind === 'partner') return redirect('/partner/payments');
  if (scope.kind === 'platform') return redirect('/platform/organizations');
  const view = await readHome(visit, dayInMexicoCity(deps.clock.now()));
  return show(deps, visit, (frame) => homePage(frame, view));
}

/** Reads each part by itself: one that does not come in time is null, and the others are shown. */
async function readHome({ api }: SignedIn, today: string): Promise<HomeView> {
  const range = { from: dayAfter(today, 1 - DAYS), to: today };
  const [days, board, pending, pastDue, webhooks] = await Promise.all([
    inTime(api.reports.days(range, READING)),
    inTime(api.reports.holds({ limit: 1 }, READING)),
    inTime(api.records.pending({ limit: NAMED }, READING)),
    inTime(api.subscriptions.list({ status: 'PAST_DUE', pageSize: NAMED }, READING)),
    inTime(api.call('listWebhookEndpoints', { query: { pageSize: 100 } }, READING)),
  ]);
  const isQuiet = days?.days.every(({ approved, declined }) => approved + declined === 0) ?? false;
  const any = isQuiet ? await inTime(api.call('reportPayments', { query: { limit: 1 } }, READING)) : null;
  const endingOn = (day: string) =>
    board?.days.find(({ endsOn }) => endsOn === day) ?? { holds: 0, amount: 0, firstEndsAt: null };
  return {
    today,
    days: days?.days ?? null,
    holds: board && { today: endingOn(today), tomorrow: endingOn(dayAfter(today, 1)) },
    pending,
    pastDue,
    pausedWebhooks: webhooks?.items.filter(isPaused).length ?? 0,
    isNew: any?.data.length === 0,
  };
}

const dayAfter = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

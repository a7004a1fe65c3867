import type { Language } from '@cobro/html/language.ts';
import { type HomeDay, homePage, type HomeView } from '../src/home/home-page.ts';
import type { HomePastDue, HomePending } from '../src/home/home-lists.ts';
import { ids, names, sampleFrame } from './sample-frame.ts';
import type { Screen } from './payment-screens.ts';

const dayText = (i: number) => new Date(Date.UTC(2026, 9, 26 + i)).toISOString().slice(0, 10);

const day = (i: number, scale: number): HomeDay => {
  const payments = Math.round(scale * (20 + 14 * Math.sin(i)));
  const declined = Math.round(payments / 9);
  const amount = Math.round(payments * 731_33) / 100;
  return {
    day: dayText(i),
    payments,
    amount,
    declined,
    approvalRate: payments + declined === 0 ? null : (payments + 2) / (payments + 2 + declined),
    declines: [
      { reason: 'FUNDS', payments: declined - Math.floor(declined / 3) },
      { reason: 'BANK', payments: Math.floor(declined / 3) },
    ],
    hours:
      i === 29
        ? Array.from({ length: 24 }, (_, hour) => ({
            hour,
            payments: hour < 8 || hour > 18 ? 0 : hour,
            amount: hour < 8 || hour > 18 ? 0 : hour * 60.5,
          }))
        : null,
  };
};
const days = (scale: number) => Array.from({ length: 30 }, (_, i) => day(i, scale));

const waiting: HomePending = {
  count: 12,
  complete: false,
  items: [
    {
      payment: { id: ids.payment, operationCode: 100_482, amount: 1250.5 },
      operation: { purpose: 'CHARGE', askedAt: '2026-11-24T18:04:08.120Z', amount: 1250.5 },
    },
    {
      payment: { id: ids.card, operationCode: 100_481, amount: 999_999_999.99 },
      operation: { purpose: 'EXPIRE', askedAt: '2026-11-24T18:05:08.120Z', amount: null },
    },
  ],
};

const pastDue: HomePastDue = {
  count: 1_204,
  items: [
    { id: ids.payment, description: names.long, amount: 199, nextRetryAt: '2026-11-25T14:00:00.000Z' },
    { id: ids.card, description: null, amount: 999_999_999.99, nextRetryAt: null },
  ],
};

/** Home, by a name for tests and pictures. */
export function homeScreens(language: Language): Record<string, Screen> {
  const home = (over: Partial<HomeView>): Screen => {
    const frame = sampleFrame(language, '/');
    const none = { holds: 0, amount: 0, firstEndsAt: null };
    const calm = { count: 0, complete: true, items: [] };
    const view: HomeView = {
      today: dayText(29),
      days: days(1),
      holds: { today: { holds: 3, amount: 12_750.25, firstEndsAt: '2026-11-25T05:00:00.000Z' }, tomorrow: none },
      pending: calm,
      pastDue: { count: 0, items: [] },
      pausedWebhooks: 0,
      isNew: false,
    };
    return { frame, content: homePage(frame, { ...view, ...over }) };
  };
  const none = { holds: 0, amount: 0, firstEndsAt: null };
  return {
    home: home({}),
    'home-busy': home({
      days: days(9_000),
      pending: waiting,
      pausedWebhooks: 2,
      pastDue,
      holds: {
        today: { holds: 1, amount: 999_999_999.99, firstEndsAt: '2026-11-24T14:30:00.000Z' },
        tomorrow: { holds: 1_204, amount: 99_999_999.99, firstEndsAt: '2026-11-26T05:00:00.000Z' },
      },
    }),
    'home-quiet': home({ days: days(0), holds: { today: none, tomorrow: none } }),
    'home-new': home({ days: days(0), isNew: true, holds: { today: none, tomorrow: none } }),
    'home-unavailable': home({ days: null, holds: null, pending: null, pastDue: null }),
  };
}

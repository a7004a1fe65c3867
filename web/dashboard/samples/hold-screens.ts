import type { Language } from '@cobro/html/language.ts';
import {
  type HoldColumn,
  type HoldRow,
  holdsOfDayPage,
  type HoldsOfDayView,
  holdsPage,
  type HoldsView,
} from '../src/holds/holds-page.ts';
import type { Screen } from './payment-screens.ts';
import { ids, names, sampleFrame } from './sample-frame.ts';

const row = (over: Partial<HoldRow>): HoldRow => ({
  id: ids.payment,
  operationCode: 100_482,
  amount: 1_250.5,
  heldAmount: 1_250.5,
  externalId: 'pedido-482',
  card: { network: 'VISA', lastFourDigits: '4242' },
  endsAt: '2026-11-25T05:00:00.000Z',
  ...over,
});
const rows = [
  row({ endsAt: '2026-11-24T14:30:00.000Z' }),
  row({ operationCode: 100_481, heldAmount: 999_999_999.99, externalId: names.hostile }),
  row({ operationCode: 100_480, externalId: null, card: { network: 'MASTERCARD', lastFourDigits: '0341' } }),
];

const columns: HoldColumn[] = [
  { endsOn: '2026-11-24', daysRemaining: 1, holds: 3, amount: 1_000_002_500.99, leftMs: 11_520_000, rows },
  { endsOn: '2026-11-25', daysRemaining: 2, holds: 1_204, amount: 512_000, leftMs: 97_920_000, rows },
  { endsOn: '2026-11-27', daysRemaining: 4, holds: 1, amount: 1_250.5, leftMs: 270_720_000, rows: rows.slice(0, 1) },
  { endsOn: '2026-11-28', daysRemaining: 5, holds: 12, amount: 89_999.99, leftMs: 357_120_000, rows: null },
  { endsOn: '2026-11-30', daysRemaining: 7, holds: 2, amount: 2_501, leftMs: 529_920_000, rows: rows.slice(1) },
];

/** The screens of holds, by a name for tests and pictures. */
export function holdScreens(language: Language): Record<string, Screen> {
  const board = (over: Partial<HoldsView>, acting: Parameters<typeof sampleFrame>[2] = {}): Screen => {
    const frame = sampleFrame(language, '/holds', acting);
    return { frame, content: holdsPage(frame, { today: '2026-11-24', columns, ...over }) };
  };
  const day = (found: HoldsOfDayView['found'], offset: number): Screen => {
    const frame = sampleFrame(language, '/holds/2026-11-24');
    return { frame, content: holdsOfDayPage(frame, { day: '2026-11-24', offset, found }) };
  };
  return {
    holds: board({}),
    'holds-reader': board({ columns: columns.slice(1, 3) }, { role: 'read-only' }),
    'holds-none': board({ columns: [] }),
    'holds-unavailable': board({ columns: null }),
    'holds-of-day': day({ rows, hasMore: true }, 50),
  };
}

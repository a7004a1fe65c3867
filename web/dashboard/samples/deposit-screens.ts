import type { BankLine } from '@cobro/contracts/settlements.ts';
import type { Language } from '@cobro/html/language.ts';
import { depositDayPage, type DepositDayView, type DepositRow } from '../src/deposits/deposit-day-page.ts';
import { type DepositDay, depositsPage, type DepositsView } from '../src/deposits/deposits-page.ts';
import { rows } from './payment-screens.ts';
import type { Screen } from './payment-screens.ts';
import { names, sampleFrame } from './sample-frame.ts';

const day = (of: number, deposit: bigint | null, over: Partial<DepositDay> = {}): DepositDay => ({
  day: `2026-11-${String(of).padStart(2, '0')}`,
  payments: 12 + of,
  amount: 10_000 + of,
  fee: 350,
  feeIva: 56,
  promotionTake: 0,
  take: 9_594 + of,
  refunds: { payments: of % 3, amount: 250 * (of % 3), take: 239.85 * (of % 3) },
  deposit,
  ...over,
});

const days = [
  day(20, 913_430n),
  day(21, 961_500n),
  day(22, 900_000n),
  day(23, null, { payments: 96_382, amount: 999_999_999.99, take: 959_399_999.99 }),
  day(24, null, { refunds: { payments: 40, amount: 20_000, take: 19_188 } }),
];

const line = (over: Partial<BankLine>): BankLine => ({
  day: '2026-11-20',
  acquirer: 'default',
  kind: 'charge',
  movements: 32,
  gross: 10_020,
  fee: 120.25,
  net: 9_899.75,
  ...over,
});
const lines = [
  line({}),
  line({ kind: 'refund', movements: 2, gross: -500, fee: 0, net: -500 }),
  line({ kind: 'dispute', movements: 1, gross: -1_250.5, fee: null, net: null, acquirer: 'segundo' }),
  line({ kind: 'refund_failed', movements: 1, gross: 250, fee: null, net: null, acquirer: 'segundo' }),
];

const row = (one: (typeof rows)[number]): DepositRow => ({
  ...one,
  status: 'CONFIRMED',
  fee: 43.77,
  feeIva: 7,
  take: 1_199.73,
});

/** The screens of deposits, by a name for tests and pictures. */
export function depositScreens(language: Language): Record<string, Screen> {
  const month = (over: Partial<DepositsView>): Screen => {
    const frame = sampleFrame(language, '/deposits');
    return { frame, content: depositsPage(frame, { month: '2026-11', today: '2026-11-24', days, lines, ...over }) };
  };
  const ofDay = (over: Partial<DepositDayView>, acting: Parameters<typeof sampleFrame>[2] = {}): Screen => {
    const frame = sampleFrame(language, '/deposits/2026-11-22', acting);
    const [, , sums = null] = days;
    const view: DepositDayView = {
      day: '2026-11-22',
      sums,
      lines,
      paid: { rows: rows.map(row), hasMore: true },
      refunded: { rows: [], hasMore: false },
      deposit: 900_000n,
      wrong: null,
    };
    return { frame, content: depositDayPage(frame, { ...view, ...over }) };
  };
  return {
    deposits: month({}),
    'deposits-none': month({ days: [], lines: [] }),
    'deposits-unavailable': month({ days: null, lines: null }),
    'deposit-day': ofDay({}),
    'deposit-day-wrong': ofDay({ wrong: names.hostile }),
    'deposit-day-reader': ofDay({ sums: null, paid: null, refunded: null, lines: null }, { role: 'read-only' }),
  };
}

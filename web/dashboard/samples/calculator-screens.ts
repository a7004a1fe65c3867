import { disburse } from '@cobro/domain/fees.ts';
import type { Language } from '@cobro/html/language.ts';
import { type CalculatorView, calculatorPage, type Offer } from '../src/calculator/calculator-page.ts';
import { feesPage } from '../src/calculator/fees-page.ts';
import type { Screen } from './payment-screens.ts';
import { names, sampleFrame } from './sample-frame.ts';

const card = { type: 'CARD_NOT_PRESENT', network: 'VISA', fundingSource: 'CREDIT' } as const;

const offer = (amount: bigint, terms: number, feeBps: number | null, promotionBusinessTakeBps = 0): Offer => ({
  terms,
  monthly: (amount + BigInt(terms) / 2n) / BigInt(terms),
  mayBeLink: feeBps !== null && terms < 18,
  disbursed:
    feeBps === null ? null : disburse(amount, { feeBps, promotionFeeDiscountBps: 0, promotionBusinessTakeBps }),
});
const offersOf = (amount: bigint, promotion = 0) => [
  offer(amount, 1, 350),
  offer(amount, 3, 850, promotion),
  offer(amount, 6, 1_150),
  offer(amount, 9, null),
  offer(amount, 12, 1_790),
  offer(amount, 18, 2_400),
];

/** The screens of the calculator, by a name for tests and pictures. */
export function calculatorScreens(language: Language): Record<string, Screen> {
  const screen = (view: Partial<CalculatorView>): Screen => {
    const frame = sampleFrame(language, '/calculator');
    return { frame, content: calculatorPage(frame, { typed: '', card, found: { kind: 'nothing' }, ...view }) };
  };
  const frame = sampleFrame(language, '/fees');
  const row = { feePercentage: 3.5, promotionFeeDiscount: 0, promotionBusinessTake: 0 };
  const rows = [
    { ...row, type: 'CARD_PRESENT', network: null, fundingSource: null, terms: 1 } as const,
    {
      ...row,
      type: 'CARD_NOT_PRESENT',
      network: 'AMEX',
      fundingSource: 'CREDIT',
      terms: 12,
      feePercentage: 17.9,
    } as const,
  ];
  return {
    fees: { frame, content: feesPage(frame, rows) },
    'fees-none': { frame, content: feesPage(frame, []) },
    'calculator-first': screen({}),
    calculator: screen({
      typed: '1,499.00',
      found: { kind: 'offers', amount: 1_499, offers: offersOf(149_900n) },
    }),
    'calculator-promotion': screen({
      typed: '999,999,999.99',
      found: { kind: 'offers', amount: 999_999_999.99, offers: offersOf(99_999_999_999n, 1_000) },
    }),
    'calculator-wrong-amount': screen({ typed: names.hostile, found: { kind: 'wrong-amount' } }),
    'calculator-unavailable': screen({ typed: '1', found: { kind: 'unavailable' } }),
  };
}

import { expect, test } from '@jest/globals';
import { readFeesForm } from './fees-form.rules.ts';

const form = (over: Record<string, string | string[]> = {}) => {
  const fields = { types: ['CARD_PRESENT', 'CARD_NOT_PRESENT'], terms: ['1', '18'], fee: '3.5 %', ...over };
  return new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one])),
  );
};
const rates = { feePercentage: 3.5, promotionFeeDiscount: 0, promotionBusinessTake: 0 };

test('a form of fees writes a row for each kind of payment and number of months', () => {
  expect(readFeesForm(form())).toEqual({
    kind: 'good',
    items: [
      { type: 'CARD_PRESENT', terms: 1, ...rates },
      { type: 'CARD_PRESENT', terms: 18, ...rates },
      { type: 'CARD_NOT_PRESENT', terms: 1, ...rates },
      { type: 'CARD_NOT_PRESENT', terms: 18, ...rates },
    ],
  });
  const one = form({ types: 'CARD_PRESENT', terms: '6', network: 'VISA', fundingSource: 'CREDIT', discount: '1.25' });
  expect(readFeesForm(one)).toMatchObject({
    items: [{ network: 'VISA', fundingSource: 'CREDIT', terms: 6, promotionFeeDiscount: 1.25 }],
  });
});

test.each<[Record<string, string | string[]>, string[]]>([
  [{ types: [] }, ['types']],
  [{ terms: ['2'] }, ['terms']],
  [{ fee: '' }, ['fee']],
  [{ fee: '30.01' }, ['fee']],
  [{ fee: '3.505' }, ['fee']],
  [{ discount: '3.51' }, ['discount']],
  [{ take: '-1' }, ['take']],
])('%j is wrong', (over, wrong) => {
  expect(readFeesForm(form(over))).toEqual({ kind: 'wrong', wrong });
});

import { expect, test } from '@jest/globals';
import { feeChanges } from './fee-changes.rules.ts';

const channel = { type: 'CARD_PRESENT', network: null, fundingSource: null, terms: 1 } as const;
const rates = { feePercentage: 3.5, promotionFeeDiscount: 0, promotionBusinessTake: 0 };
const cheap = { ...rates, feePercentage: 2.9 };

test('a change of fees is told row by row, with the rates before and after', () => {
  const visa = { ...channel, network: 'VISA' };
  const months = { ...channel, terms: 3 };
  expect(
    feeChanges(
      [
        { ...channel, ...rates },
        { ...visa, ...rates },
        { ...months, ...rates },
      ],
      [
        { ...channel, ...rates },
        { ...visa, ...cheap },
        { ...channel, type: 'CARD_NOT_PRESENT', ...cheap },
      ],
    ),
  ).toEqual([
    { ...visa, before: rates, after: cheap },
    { ...months, before: rates, after: null },
    { ...channel, type: 'CARD_NOT_PRESENT', before: null, after: cheap },
  ]);
});

import { expect, test } from '@jest/globals';
import { feeLine } from './fee-line.rules.ts';

const channel = { type: 'CARD_PRESENT', network: 'VISA', fundingSource: null, terms: 3 } as const;
// The rates are not in the line's order, because a JSON column keeps no order.
const dear = { promotionBusinessTake: 2, promotionFeeDiscount: 1, feePercentage: 3.5 };
const cheap = { promotionBusinessTake: 0, promotionFeeDiscount: 0, feePercentage: 2.9 };

test.each([
  ['asked', null, cheap, '2.9/0/0'],
  ['asked', null, null, '-'],
  ['answered', dear, cheap, '3.5/1/2 > 2.9/0/0'],
  ['answered', null, cheap, '- > 2.9/0/0'],
  ['answered', cheap, null, '2.9/0/0 > -'],
] as const)('a change that is %s, from %j to %j, is the line %j', (outcome, before, after, rates) => {
  expect(feeLine({ ...channel, before, after }, outcome === 'asked')).toBe(`CARD_PRESENT VISA any 3: ${rates}`);
});

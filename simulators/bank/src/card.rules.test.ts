import { describe, expect, test } from '@jest/globals';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { issueOf, natureOf, passesLuhn } from './card.rules.ts';

test.each(Object.entries(testCards))('the test card %s has a right check digit', (_, number) => {
  expect(passesLuhn(number)).toBe(true);
  expect(passesLuhn(number.slice(0, -1) + ((Number(number.at(-1)) + 1) % 10))).toBe(false);
});

describe('what the first digits say', () => {
  test.each([
    [testCards.approved, 'VISA', 'CREDIT'],
    [testCards.mastercardDebit, 'MASTERCARD', 'DEBIT'],
    [testCards.amexCredit, 'AMEX', 'CREDIT'],
    ['2223000048400011', 'MASTERCARD', 'DEBIT'],
    ['5062541600000001', 'CARNET', 'DEBIT'],
    ['5063930000000001', 'CARNET', 'PREPAID'],
  ])('%s is %s %s', (number, network, fundingSource) => {
    expect(issueOf(number)).toMatchObject({ network, fundingSource, issuingBank: expect.stringMatching(/\w/) });
  });
  test('a number of no network of ours has no issuer', () => expect(issueOf('6011000990139424')).toBeUndefined());
});

test('a number that is no test card is approved', () => {
  expect(natureOf('4111111111111111')).toBe('approved');
  expect(natureOf(testCards.mastercardDebit)).toBe('approved');
  expect(natureOf(testCards.silentDone)).toBe('silentDone');
});

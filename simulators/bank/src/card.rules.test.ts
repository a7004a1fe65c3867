import { describe, expect, test } from '@jest/globals';
import { passesLuhn } from '@cobro/contracts/card-data.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { issueOf, natureOf } from './card.rules.ts';

test.each(Object.entries(testCards))('the test card %s has a right check digit', (_, number) => {
  expect(passesLuhn(number)).toBe(true);
  expect(passesLuhn(number.slice(0, -1) + ((Number(number.at(-1)) + 1) % 10))).toBe(false);
});

describe('what the first digits say', () => {
  test.each([
    [testCards.approved, 'VISA', 'CREDIT', 'BBVA MEXICO'],
    [testCards.declined, 'VISA', 'CREDIT', 'BANORTE'],
    [testCards.mastercardDebit, 'MASTERCARD', 'DEBIT', 'CITIBANAMEX'],
    [testCards.amexCredit, 'AMEX', 'CREDIT', 'AMERICAN EXPRESS'],
    ['4152310000000001', 'VISA', 'DEBIT', 'BBVA MEXICO'],
    ['4027660000000001', 'VISA', 'DEBIT', 'BANCO AZTECA'],
    ['4915660000000001', 'VISA', 'DEBIT', 'SANTANDER MEXICO'],
    ['5579100000000001', 'MASTERCARD', 'CREDIT', 'SANTANDER MEXICO'],
    ['5062541600000001', 'CARNET', 'DEBIT', 'BANORTE'],
    ['5063930000000001', 'CARNET', 'PREPAID', 'SI VALE'],
    ['2223000048400011', 'MASTERCARD', 'DEBIT', 'HSBC MEXICO'],
    ['370000000000002', 'AMEX', 'DEBIT', 'HSBC MEXICO'],
  ])('%s is %s %s of %s', (number, network, fundingSource, issuingBank) => {
    expect(issueOf(number)).toEqual({ network, fundingSource, issuingBank });
  });

  test.each([
    ['5099', undefined],
    ['5100', 'MASTERCARD'],
    ['5599', 'MASTERCARD'],
    ['5600', undefined],
    ['2220', undefined],
    ['2221', 'MASTERCARD'],
    ['2720', 'MASTERCARD'],
    ['2721', undefined],
    ['3400', 'AMEX'],
    ['3500', undefined],
    ['6340', undefined],
    ['5050', undefined],
    ['5060', 'CARNET'],
    ['6011', undefined],
    ['1450', undefined],
  ])('a number that begins with %s is of %s', (prefix, network) => {
    expect(issueOf(`${prefix}000000000000`)?.network).toBe(network);
  });
});

test('a number that is no test card is approved', () => {
  expect(natureOf('4111111111111111')).toBe('approved');
  expect(natureOf(testCards.mastercardDebit)).toBe('approved');
});

test('every number that begins with 40009 is declined', () => {
  expect(natureOf('4000900000000009')).toBe('declined');
});

test.each([
  'approved',
  'declined',
  'insufficientFunds',
  'stolen',
  'captureDeclined',
  'refundDeclined',
  'shortWindow',
  'letGoEarly',
  'slow',
  'silentDone',
  'silentNotDone',
  'error',
] as const)('the test card %s behaves as it is called', (nature) => {
  expect(natureOf(testCards[nature])).toBe(nature);
});

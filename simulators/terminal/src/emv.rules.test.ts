import { tappedCard } from '@cobro/contracts/payment-methods.ts';
import { describe, expect, test } from '@jest/globals';
import { type EmvFacts, emvOf } from './emv.rules.ts';

const facts: EmvFacts = {
  number: '4242424242424242',
  expirationMonth: 3,
  expirationYear: 2039,
  entryMode: 'CONTACTLESS',
  centavos: 125_050n,
  at: new Date('2026-11-22T03:00:00Z'),
  transactionCounter: 300,
  unpredictable: '0A1B2C3D',
  cryptogram: '00112233AABBCCDD',
};

test('a tap tells amount, peso, the day in Mexico City and the card', () => {
  expect(emvOf(facts)).toMatchObject({
    '9F02': '000000125050',
    '5F2A': '0484',
    '9A': '261121',
    '5A': '4242424242424242',
    '57': '4242424242424242D3903201000000000F',
    '9F26': '00112233AABBCCDD',
    '9F36': '012C',
    '9F37': '0A1B2C3D',
    '9F39': '07',
  });
});

test('a number of fifteen digits is filled up to whole bytes', () => {
  expect(emvOf({ ...facts, number: '378282246310005' })).toMatchObject({
    '5A': '378282246310005F',
    '57': '378282246310005D3903201000000000',
    '84': 'A000000025010801',
  });
});

test('a stripe has its second track and no cryptogram, and a number that was typed in has nothing', () => {
  const stripe = emvOf({ ...facts, entryMode: 'MAGNETIC_STRIPE' });
  expect(stripe).toMatchObject({ '9F39': '90', '57': '4242424242424242D3903201000000000F' });
  expect(Object.keys(stripe ?? {})).toEqual(expect.not.arrayContaining(['9F26', '9F36', '5A']));
  expect(emvOf({ ...facts, entryMode: 'MANUAL' })).toBeUndefined();
});

describe.each(['CHIP', 'CONTACTLESS', 'MAGNETIC_STRIPE'] as const)('%s', (entryMode) => {
  test('is what the contract takes', () => {
    const { number, expirationMonth, expirationYear } = facts;
    const emv = emvOf({ ...facts, entryMode });
    expect(tappedCard.safeParse({ number, expirationMonth, expirationYear, entryMode, emv }).error).toBeUndefined();
  });
});

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

/** The fields of every entry mode that reads the card: track 2, day, a purchase, peso, amount, Mexico, an attended terminal. */
const read = {
  '57': '4242424242424242D3903201000000000F',
  '9A': '261121',
  '9C': '00',
  '5F2A': '0484',
  '9F02': '000000125050',
  '9F1A': '0484',
  '9F35': '22',
};

test('a tap sends amount, peso, the day in Mexico City, the card, and what its chip and the terminal say', () => {
  expect(emvOf(facts)).toEqual({
    ...read,
    '5A': '4242424242424242',
    '5F34': '00',
    '82': '1980',
    '84': 'A0000000031010',
    '95': '0000008000',
    '9F03': '000000000000',
    '9F10': '06010A03A00000',
    '9F26': '00112233AABBCCDD',
    '9F27': '80',
    '9F33': 'E0B8C8',
    '9F34': '1F0302',
    '9F36': '012C',
    '9F37': '0A1B2C3D',
    '9F39': '07',
  });
});

test.each([
  ['4000000000000002', 'A0000000031010'],
  ['5200828282828210', 'A0000000041010'],
  ['340000000000009', 'A000000025010801'],
  ['5434000000000000', 'A0000000041010'],
])('the application of %s begins with that of its network: %s', (number, application) => {
  expect(emvOf({ ...facts, number })).toMatchObject({ '84': application });
});

test('a month and a year of one digit, and a counter of few, are filled up with zeros', () => {
  const early = { ...facts, expirationMonth: 1, expirationYear: 2107, transactionCounter: 0xa };
  expect(emvOf(early)).toMatchObject({ '57': '4242424242424242D0701201000000000F', '9F36': '000A' });
});

test('a number of fifteen digits is filled up to whole bytes', () => {
  expect(emvOf({ ...facts, number: '378282246310005' })).toMatchObject({
    '5A': '378282246310005F',
    '57': '378282246310005D3903201000000000',
    '84': 'A000000025010801',
  });
});

test('a stripe has its second track and no cryptogram, and a number that was typed in has nothing', () => {
  expect(emvOf({ ...facts, entryMode: 'MAGNETIC_STRIPE' })).toEqual({ ...read, '9F39': '90' });
  expect(emvOf({ ...facts, entryMode: 'CHIP' })).toMatchObject({ ...read, '9F39': '05' });
  expect(emvOf({ ...facts, entryMode: 'MANUAL' })).toBeUndefined();
});

describe.each(['CHIP', 'CONTACTLESS', 'MAGNETIC_STRIPE'] as const)('%s', (entryMode) => {
  test('is what the contract takes', () => {
    const { number, expirationMonth, expirationYear } = facts;
    const emv = emvOf({ ...facts, entryMode });
    expect(tappedCard.safeParse({ number, expirationMonth, expirationYear, entryMode, emv }).error).toBeUndefined();
  });
});

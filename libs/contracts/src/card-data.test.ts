import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { inFull } from '@cobro/testing/in-full.ts';
import { holdsCardData, passesLuhn } from './card-data.ts';
import { testCards } from './test-cards.ts';

const VISA = testCards.approved;
const AMEX = testCards.amexCredit;

describe('card data in a text', () => {
  test.each([
    ...Object.values(testCards),
    '5062000000000004',
    '6363180000000008',
    '2221000000000009',
    'Ana 4242-4242-4242-4242',
    '4242 4242 4242 4242 12/39 123',
    '(4242.4242.4242.4242)',
    '42 42424242-4242.4242',
    '4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2',
    '3782 822463 10005',
    `${VISA}@example.com`,
    `order_${VISA}`,
    `https://shop.example/${VISA}?a=1`,
    `12 ${VISA} 34`,
    `123456789012345678901234567890 ${VISA}`,
    '４２４２　４２４２　４２４２　４２４２',
    '4242\u00a04242\u20134242\u20114242',
    'cvc 8467',
    'CVV: 123',
    'my cvv2 is there: cvv2=123.',
    'cvc8467',
  ])('is found in %s', (text) => {
    expect(holdsCardData(text)).toBe(true);
  });

  test.each([
    '',
    'Ana Torres',
    '4242424242424241',
    'a4242424242424242',
    '4242424242424242b',
    'ñ4242 4242 4242 4242',
    '4242  4242 4242 4242',
    '4242/4242/4242/4242',
    '42424242424242424',
    '4242 4242 4242 42424',
    '9242424242424241',
    AMEX.slice(0, 14),
    '+52 1 55 1234 5671',
    'Av. Insurgentes Sur 1234-5, 03100 CDMX',
    '42424242-4242-4242-8242-424242424242',
    'cvc',
    'cvc 12',
    'cvc 12345',
    'xcvc 123',
    'cvc one 123',
    'cvs 123',
  ])('is not found in %s', (text) => {
    expect(holdsCardData(text)).toBe(false);
  });

  test('of a telephone number counts from sixteen digits on', () => {
    expect(holdsCardData(AMEX, 16)).toBe(false);
    expect(holdsCardData(VISA, 16)).toBe(true);
  });

  test('is looked for in a time that grows with the length of the text, whatever it is made of', () => {
    const pieces = [
      '1',
      '1 ',
      '4241 ',
      '4241-',
      'cvc',
      'cvc ',
      'cvc-',
      ' ',
      '-',
      'a1',
      '1234abcd-',
      '4242424242424242a',
    ];
    // If the time grew with the square of this length, it would take a minute.
    const texts = pieces.map((piece) => `${piece.repeat(200_000 / piece.length)}x`);
    expect(texts.map((text) => holdsCardData(text))).toEqual(texts.map(() => false));
  });
});

/** The number of texts of each kind. */
const TEXTS = inFull ? 1_000_000 : 5_000;
const below = (end: number) => Math.floor(Math.random() * end);
const digits = (count: number) => Array.from({ length: count }, () => below(10)).join('');
const oneOf = <T>(list: readonly T[]): T => list[below(list.length)] as T;
const day = () => new Date(Date.UTC(2024, 0, 1 + below(4_000))).toISOString().slice(0, 10);

const phones = [
  () => digits(10),
  () => `${digits(2)} ${digits(4)} ${digits(4)}`,
  () => `(${digits(3)}) ${digits(3)}-${digits(4)}`,
  () => `+52 1 ${digits(2)} ${digits(4)} ${digits(4)}`,
  () => `+52${digits(10)}`,
  () => `0052-${digits(3)}-${digits(3)}-${digits(4)}`,
];
const streets = [
  'Av. Insurgentes Sur',
  'Calle 5 de Febrero',
  'C. 60',
  'Blvd. Díaz Ordaz km 12.5',
  'Mz. 14 Lt. 3, Calle Nogal',
];
const cities = ['CDMX', 'Monterrey, N. L.', 'Guadalajara', 'Mérida, Yuc.'];

/** Kinds of text without a card, and the share of each that may look like card data. */
const harmless: [name: string, make: () => string, most: number][] = [
  ['UUIDs', randomUUID, 0],
  ['UUIDs without dashes', () => randomUUID().replaceAll('-', ''), 0],
  ['Mexican telephone numbers', () => oneOf(phones)(), 0],
  ['two Mexican telephone numbers', () => `${oneOf(phones)()} / ${oneOf(phones)()}`, 0],
  ['addresses', () => `${oneOf(streets)} ${below(9_999)}-${below(99)}, ${digits(5)} ${oneOf(cities)}`, 0],
  ['order numbers of ten digits', () => digits(10), 0],
  ['order numbers of a day and six digits', () => `ORD-${day()}-${digits(6)}`, 0],
  ['order numbers of a day and eight digits', () => `${day().replaceAll('-', '')}-${digits(8)}`, 0],
  ['order numbers of a shop and twelve digits', () => `${digits(4)}-${digits(12)}`, 0.03],
  ['order numbers of sixteen digits', () => digits(16), 0.03],
  ['order numbers of fifteen digits', () => digits(15), 0.005],
  ['order numbers of sixteen digits with a letter before them', () => `A${digits(16)}`, 0],
];

test.each(harmless)('%s are hardly ever taken for card data', (name, make, most) => {
  let found = 0;
  for (let i = 0; i < TEXTS; i++) if (holdsCardData(make())) found++;
  if (TEXTS === 1_000_000) process.stdout.write(`${name}: ${found} of ${TEXTS}\n`);
  expect(found / TEXTS).toBeLessThanOrEqual(most);
});

test('a number of any length is checked by the doubled second digits from its end', () => {
  expect(['0', '18', '59', '26', '34', '75', '5500005555555559'].map(passesLuhn)).toEqual(Array(7).fill(true));
  expect(['1', '19', '95', '10', '66'].map(passesLuhn)).toEqual(Array(5).fill(false));
});

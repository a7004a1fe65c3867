import { expect, test } from '@jest/globals';
import { declined, intentShown, receipt, welcome, wrap } from './screen-text.ts';

const bare = (_style: string, text: string) => text;
const intent = {
  id: '0199c1d2-0000-7000-8000-000000000001',
  amount: 1_250.5,
  currency: 'MXN' as const,
  externalId: 'order-100',
  redirectAppId: null,
  organization: { name: 'Café Tacuba' },
  createdAt: '2026-11-22T09:14:07.000Z',
  expiresAt: '2026-11-22T09:29:07.000Z',
};

test('an intent is shown with merchant, amount, currency and reference', () => {
  expect(intentShown(intent, bare).map((line) => line.trim())).toEqual(
    expect.arrayContaining(['Café Tacuba', 'MXN 1,250.50', 'Reference order-100']),
  );
});

test('a receipt has merchant, amount, the last four digits, the operation code and the time', () => {
  const paid = {
    id: intent.id,
    status: 'CONFIRMED' as const,
    paymentId: '0199c1d2-0000-7000-8000-000000000002',
    operationCode: 100_123,
    amount: 0.5,
    currency: 'MXN' as const,
    card: { lastFourDigits: '4242', network: 'VISA' },
  };
  const at = new Date('2026-11-22T05:14:07.123Z');
  expect(receipt({ intent, paid, entryMode: 'CHIP', at }, bare).map((line) => line.trim())).toEqual(
    expect.arrayContaining([
      'PAID',
      'Café Tacuba',
      'MXN 0.50',
      'VISA ending in 4242, chip',
      'Operation 100123',
      '2026-11-21 23:14:07, Mexico City',
    ]),
  );
});

test('a decline says why in words, also where the code is not known', () => {
  expect(declined('insufficient_funds', bare)[0]).toContain('there is not enough money on the card');
  expect(declined('pick_up_card', bare)[0]).toContain('the bank said no (pick_up_card)');
});

test('a name or reference cannot command the screen', () => {
  const evil = { ...intent, organization: { name: 'Café \u001B[2J\u202Etacuba' }, externalId: 'a\r\nb\u0007' };
  expect(intentShown(evil, bare).join('\n')).not.toMatch(/[^\n\P{C}]/u);
});

test('the longest texts stay within 80 columns', () => {
  const long = { ...intent, organization: { name: 'ñ'.repeat(255) }, externalId: 'word '.repeat(50).trim() };
  const lines = [...intentShown(long, bare), ...welcome('C'.repeat(255), 'http://127.0.0.1:8080/api')];
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(80);
  expect(lines.join('').match(/ñ/g)).toHaveLength(255);
});

test.each([
  ['fits', 10, ['fits']],
  ['two words', 5, ['two', 'words']],
  ['abcdefgh', 3, ['abc', 'def', 'gh']],
  ['a bcdefgh i', 3, ['a', 'bcd', 'efg', 'h i']],
  ['', 3, ['']],
])('%j on %i columns is %j', (text, columns, lines) => {
  expect(wrap(text, columns)).toEqual(lines);
});

import { describe, expect, test } from '@jest/globals';
import type { PaymentMethodRow } from './payment-method.row.ts';
import { monthNow, showPaymentMethod, statusOf } from './payment-method.rules.ts';

const card = {
  id: 'card-1',
  externalId: 'ana',
  status: 'ACTIVE',
  lastFourDigits: '4242',
  network: 'VISA',
  expirationMonth: 11,
  expirationYear: 2026,
  createdAt: new Date('2026-11-20T15:00:00.000Z'),
} as PaymentMethodRow;
const lastMinute = new Date('2026-11-30T23:59:59.999-06:00');
const nextMonth = new Date('2026-12-01T00:00:00.000-06:00');

describe('a saved card', () => {
  test('is EXPIRED from the first moment after its month in Mexico City, unless it is not ACTIVE', () => {
    expect(statusOf(card, lastMinute)).toBe('ACTIVE');
    expect(statusOf(card, nextMonth)).toBe('EXPIRED');
    expect(statusOf({ ...card, status: 'REVOKED' }, nextMonth)).toBe('REVOKED');
    expect(statusOf({ ...card, status: 'PENDING' }, nextMonth)).toBe('PENDING');
  });

  test('is shown as documented', () => {
    expect(showPaymentMethod(card, nextMonth)).toEqual({
      id: 'card-1',
      status: 'EXPIRED',
      externalId: 'ana',
      card: { lastFourDigits: '4242', networkType: 'VISA' },
      createdAt: '2026-11-20T15:00:00.000Z',
    });
  });
});

test('the present month is counted in Mexico City', () => {
  expect(monthNow(lastMinute)).toBe(2026 * 12 + 11);
  expect(monthNow(nextMonth)).toBe(2026 * 12 + 12);
});

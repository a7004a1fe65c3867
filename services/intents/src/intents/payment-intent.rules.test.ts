import { describe, expect, test } from '@jest/globals';
import type { PaymentIntentRow } from './payment-intent.row.ts';
import { cancelRefusal, isExpired, payRefusal, sameRequest, showCreated } from './payment-intent.rules.ts';

const now = new Date('2026-11-20T15:00:00.000Z');
const after = (ms: number) => new Date(now.getTime() + ms);

const intent = {
  id: 'intent-1',
  organizationId: 'org-1',
  externalId: 'sale-31',
  terminalCode: 'SN-1',
  terminalId: 'terminal-1',
  redirectAppId: 'com.example.pos',
  amount: 18_950n,
  currency: 'MXN',
  status: 'PENDING',
  chargingPaymentId: null,
  createdAt: now,
  updatedAt: after(1),
  expiresAt: after(900_000),
} as PaymentIntentRow;
const charging: PaymentIntentRow = { ...intent, chargingPaymentId: 'payment-1' };
const confirmed: PaymentIntentRow = { ...intent, status: 'CONFIRMED' };
const cancelled: PaymentIntentRow = { ...intent, status: 'CANCELLED' };

test('an intent expires with the very millisecond', () => {
  expect(isExpired(intent, after(899_999))).toBe(false);
  expect(isExpired(intent, after(900_000))).toBe(true);
});

test('an intent cannot be cancelled once it is paid, or while a card is being charged for it', () => {
  expect(cancelRefusal(intent)).toBeUndefined();
  expect(cancelRefusal(cancelled)).toBeUndefined();
  expect(cancelRefusal(charging)).toBe('INTENT_IN_PROGRESS');
  expect(cancelRefusal({ ...confirmed, chargingPaymentId: 'payment-1' })).toBe('INTENT_NOT_PENDING');
});

test('an intent can be paid while it is pending, not expired, and no card is being charged for it', () => {
  const late = after(900_000);
  expect(payRefusal(intent, now)).toBeUndefined();
  expect(payRefusal(intent, late)).toBe('INTENT_EXPIRED');
  expect(payRefusal(charging, late)).toBe('INTENT_IN_PROGRESS');
  expect(payRefusal({ ...confirmed, chargingPaymentId: 'payment-1' }, late)).toBe('INTENT_NOT_PENDING');
  expect(payRefusal(cancelled, now)).toBe('INTENT_NOT_PENDING');
});

describe('the same request', () => {
  const asked = { amount: 18_950n, currency: 'MXN', terminalCode: 'SN-1' };

  test('has the same amount, currency and terminal code as sent', () => {
    expect(sameRequest(intent, asked)).toBe(true);
    expect(sameRequest(intent, { ...asked, amount: 18_951n })).toBe(false);
    expect(sameRequest(intent, { ...asked, currency: 'USD' })).toBe(false);
    expect(sameRequest(intent, { ...asked, terminalCode: 'SN-2' })).toBe(false);
    expect(sameRequest(intent, { ...asked, terminalCode: undefined })).toBe(false);
    expect(sameRequest({ ...intent, terminalCode: null }, { ...asked, terminalCode: undefined })).toBe(true);
  });
});

test('a created intent leaves out what it has not', () => {
  const shown = {
    id: 'intent-1',
    status: 'PENDING',
    amount: 189.5,
    currency: 'MXN',
    externalId: 'sale-31',
    organizationId: 'org-1',
    createdAt: '2026-11-20T15:00:00.000Z',
    updatedAt: '2026-11-20T15:00:00.001Z',
  };
  expect(showCreated(intent)).toEqual({ ...shown, redirectAppId: 'com.example.pos', terminalId: 'terminal-1' });
  expect(Object.keys(showCreated({ ...intent, redirectAppId: null, terminalId: null })).toSorted()).toEqual(
    Object.keys(shown).toSorted(),
  );
});

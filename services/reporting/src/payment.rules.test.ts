import { describe, expect, test } from '@jest/globals';
import { financingMethod, periodicity } from '@cobro/domain/developer-payment.ts';
import { disburse } from '@cobro/domain/fees.ts';
import { nothingShown } from '@cobro/testing/nothing-shown.ts';
import { developerPayment, developerPaymentItem, inNumbers } from './payment.rules.ts';
import { paymentRow } from './test-payment-row.ts';

const now = new Date('2026-11-22T12:00:00.000-06:00');
const held = {
  status: 'HELD',
  confirmedAt: null,
  heldAt: new Date('2026-11-20T09:00:01.000-06:00'),
  holdExpiresAt: new Date('2026-11-26T23:00:00.000-06:00'),
} as const;

const item = {
  id: 'p-1',
  status: 'CONFIRMED',
  amount: 1000,
  currency: 'MXN',
  createdAt: '2026-11-20T15:00:00.000Z',
  type: 'CARD_NOT_PRESENT',
  operationCode: 100_001,
  heldAmount: null,
  holdExpiresAt: null,
  card: { lastFourDigits: '4242', network: 'VISA', fundingSource: 'CREDIT', issuingBank: 'BANCO DE PRUEBA' },
  paymentLinkId: null,
  paymentIntentId: null,
  oneTimePaymentId: null,
  paymentMethodId: 'card-1',
  subscriptionId: null,
};

describe('a payment in the developer API', () => {
  test('is the documented item in the list', () => {
    expect(developerPaymentItem(paymentRow())).toEqual({
      ...nothingShown('list'),
      ...item,
      externalId: 'order-1',
    });
    const ofLink = paymentRow({ paymentMethodId: null, oneTimePaymentId: 'link-1', paymentIntentId: 'intent-1' });
    expect(developerPaymentItem(ofLink)).toMatchObject({ oneTimePaymentId: 'link-1', paymentIntentId: 'intent-1' });
  });

  test('has every documented field in the detail', () => {
    expect(developerPayment(paymentRow(), now)).toEqual({
      ...nothingShown('detail'),
      ...item,
      fee: 2.5,
      promotionId: null,
      captureBefore: null,
      terms: 1,
      paidTerms: 1,
      periodicity: null,
      financingMethod: 'PAY_NOW',
      source: 'SAVED_CARD',
      refundedAt: null,
      heldAt: null,
      capturedAt: null,
      holdReleasedAt: null,
      holdExpired: false,
      holdDaysRemaining: null,
      customer: { firstName: null, lastName: null, email: null, phoneNumber: null },
    });
  });

  test('shows the window of a hold, and the days that remain only while it is held', () => {
    const hold = developerPayment(paymentRow(held), now);
    expect(hold).toMatchObject({
      heldAmount: 1000,
      heldAt: '2026-11-20T15:00:01.000Z',
      holdExpiresAt: '2026-11-27T05:00:00.000Z',
      holdExpired: false,
      holdDaysRemaining: 5,
      paidTerms: 0,
    });
    expect(developerPayment(paymentRow(held), held.holdExpiresAt)).toMatchObject({ holdExpired: true });
    const released = paymentRow({ ...held, status: 'HOLD_RELEASED', releasedAt: now });
    expect(developerPayment(released, now)).toMatchObject({
      holdReleasedAt: now.toISOString(),
      holdDaysRemaining: null,
    });
    expect(developerPayment(paymentRow({ ...held, heldAt: null }), now).holdDaysRemaining).toBeNull();
    expect(developerPayment(paymentRow({ ...held, holdExpiresAt: null }), now)).toMatchObject({
      holdExpired: false,
      holdDaysRemaining: null,
    });
  });

  test('was released when it expired, and never once it was captured', () => {
    const [early, late] = [new Date(now.getTime() - 1_000), now];
    const expired = paymentRow({ ...held, status: 'HOLD_EXPIRED', expiredAt: early, releasedAt: late });
    expect(developerPayment(expired, now).holdReleasedAt).toBe(early.toISOString());
    const captured = paymentRow({ ...held, status: 'CONFIRMED', amount: 60_000n, capturedAt: early, releasedAt: late });
    expect(developerPayment(captured, now)).toMatchObject({
      amount: 600,
      heldAmount: 1000,
      capturedAt: early.toISOString(),
      holdReleasedAt: null,
      paidTerms: 1,
    });
  });

  test('has no fee without rates, and who paid where it is known', () => {
    expect(developerPayment(paymentRow({ rates: null }), now).fee).toBeNull();
    const ana = { firstName: 'Ana', lastName: 'Ruiz', email: 'ana@example.com', phoneNumber: '+525512345678' };
    const row = paymentRow({ billing: { ...ana, address: null }, refundedAt: now, status: 'REFUNDED' });
    expect(developerPayment(row, now)).toMatchObject({ customer: ana, refundedAt: now.toISOString() });
  });

  test('in installments is paid monthly', () => {
    expect(developerPayment(paymentRow({ terms: 3 }), now)).toMatchObject({
      terms: 3,
      paidTerms: 1,
      periodicity: 'MONTHLY',
      financingMethod: 'INSTALLMENTS',
    });
    expect(developerPayment(paymentRow({ terms: 3, installments: 'AT_ONCE' }), now)).toMatchObject({ paidTerms: 3 });
    expect([financingMethod(1), financingMethod(2)]).toEqual(['PAY_NOW', 'INSTALLMENTS']);
    expect([1, 2].map((terms) => periodicity({ terms, periodicity: null }))).toEqual([null, 'MONTHLY']);
    expect(periodicity({ terms: 1, periodicity: 'YEARLY' })).toBe('YEARLY');
  });
});

test('a disbursement is kept in numbers', () => {
  const disbursement = disburse(100_000n, { feeBps: 350, promotionFeeDiscountBps: 100, promotionBusinessTakeBps: 200 });
  const kept = inNumbers(disbursement);
  expect(kept).toMatchObject({ feePercentage: 350, feeAmount: 3_500, merchantTakeAmount: 95_100 });
  expect(Object.keys(kept)).toEqual(Object.keys(disbursement));
});

import type { PaymentStatus } from '@cobro/contracts/payments.ts';
import { describe, expect, test } from '@jest/globals';
import { nothingShown } from '@cobro/testing/nothing-shown.ts';
import type { PaymentRow } from './payment.row.ts';
import {
  callIsRunning,
  movePayment,
  refundRefusal,
  sameCharge,
  showPayment,
  showRefund,
  statusesBefore,
} from './payment.rules.ts';

const resultOf = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

const charge = {
  id: 'p-1',
  status: 'CONFIRMED',
  amount: 10_050n,
  heldAmount: null,
  currency: 'MXN',
  externalId: 'order-1',
  createdAt: new Date('2026-11-20T15:00:00.000Z'),
  paymentMethodId: 'card-1',
  heldAt: null,
  holdExpiresAt: null,
  capturedAt: null,
  holdReleasedAt: null,
} as PaymentRow;
const hold: PaymentRow = {
  ...charge,
  status: 'HELD',
  heldAmount: 10_050n,
  heldAt: new Date('2026-11-20T15:00:01.000Z'),
  holdExpiresAt: new Date('2026-11-26T23:00:00.000-06:00'),
};
const noon = new Date('2026-11-22T12:00:00.000-06:00');

const statuses: PaymentStatus[] = [
  ...(['NOT_INITIALIZED', 'PENDING', 'CONFIRMED', 'CANCELLED'] as const),
  ...(['REFUNDED', 'HELD', 'HOLD_RELEASED', 'HOLD_EXPIRED'] as const),
];

describe('the table of states', () => {
  const allowed = [
    'NOT_INITIALIZED → PENDING',
    'NOT_INITIALIZED → CANCELLED',
    'PENDING → CONFIRMED',
    'PENDING → HELD',
    'PENDING → CANCELLED',
    'PENDING → NOT_INITIALIZED',
    'HELD → CONFIRMED',
    'HELD → HOLD_RELEASED',
    'HELD → HOLD_EXPIRED',
    'CONFIRMED → REFUNDED',
  ];

  test.each(statuses.flatMap((from) => statuses.map((to) => [from, to] as const)))('%s to %s', (from, to) => {
    const isAllowed = allowed.includes(`${from} → ${to}`);
    expect(statusesBefore(to).includes(from)).toBe(isAllowed);
    const move = () => movePayment({ ...charge, status: from, version: 7 }, to, { declineCode: 'x' });
    const refused = new Error(`a payment cannot move from ${from} to ${to}`);
    expect(resultOf(move)).toEqual(isAllowed ? { declineCode: 'x', status: to, version: 8 } : refused);
  });
});

describe('what is shown', () => {
  test('of a charge is in pesos, without anything of a hold', () => {
    expect(showPayment(charge, noon)).toEqual({
      ...nothingShown('merchant'),
      id: 'p-1',
      status: 'CONFIRMED',
      amount: 100.5,
      currency: 'MXN',
      heldAmount: null,
      externalId: 'order-1',
      createdAt: '2026-11-20T15:00:00.000Z',
      capturedAt: null,
      holdReleasedAt: null,
      heldAt: null,
      holdExpiresAt: null,
      holdExpired: false,
      holdDaysRemaining: null,
    });
  });

  test('of a hold has its window, and the days that remain while it is held', () => {
    const window = { heldAt: '2026-11-20T15:00:01.000Z', holdExpiresAt: '2026-11-27T05:00:00.000Z' };
    expect(showPayment(hold, noon)).toMatchObject({ ...window, heldAmount: 100.5, holdDaysRemaining: 5 });
    const captured: PaymentRow = { ...hold, status: 'CONFIRMED', amount: 4_000n, capturedAt: noon };
    expect(showPayment(captured, noon)).toMatchObject({
      ...window,
      amount: 40,
      heldAmount: 100.5,
      capturedAt: noon.toISOString(),
      holdDaysRemaining: null,
    });
    const released: PaymentRow = { ...hold, status: 'HOLD_RELEASED', holdReleasedAt: noon };
    expect(showPayment(released, noon)).toMatchObject({ holdReleasedAt: noon.toISOString(), holdDaysRemaining: null });
  });

  test('of a refund are five fields', () => {
    expect(showRefund({ ...charge, status: 'REFUNDED' })).toEqual({
      id: 'p-1',
      status: 'REFUNDED',
      amount: 100.5,
      currency: 'MXN',
      externalId: 'order-1',
    });
  });
});

describe('the same charge', () => {
  const asked = { paymentMethodId: 'card-1', amount: 10_050n };

  test('names the same card and amount', () => {
    expect(sameCharge(charge, asked)).toBe(true);
    expect(sameCharge(charge, { ...asked, amount: 10_051n })).toBe(false);
    expect(sameCharge(charge, { ...asked, paymentMethodId: 'card-2' })).toBe(false);
  });

  test('asks for what was held, whatever was captured of it', () => {
    const captured: PaymentRow = { ...hold, status: 'CONFIRMED', amount: 4_000n };
    expect(sameCharge(captured, asked)).toBe(true);
    expect(sameCharge(captured, { ...asked, amount: 4_000n })).toBe(false);
  });
});

test('a call may be running until it was given up or its time is over', () => {
  expect(callIsRunning({ unansweredAt: null, ageMs: 7_999 }, 8_000)).toBe(true);
  expect(callIsRunning({ unansweredAt: null, ageMs: 8_000 }, 8_000)).toBe(false);
  expect(callIsRunning({ unansweredAt: noon, ageMs: 10 }, 8_000)).toBe(false);
});

test.each(statuses)('a payment that is %s can be refunded only where it is confirmed', (status) => {
  const refused = status === 'REFUNDED' ? 'PAYMENT_ALREADY_REFUNDED' : 'PAYMENT_NOT_REFUNDABLE';
  expect(refundRefusal(status)).toBe(status === 'CONFIRMED' ? undefined : refused);
});

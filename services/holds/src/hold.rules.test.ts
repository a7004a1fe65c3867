import { describe, expect, test } from '@jest/globals';
import { decimalOf, pesosOf } from '@cobro/contracts/amount.ts';
import { unset } from '@cobro/contracts/payment-fields.ts';
import { fixedPart } from '@cobro/contracts/payments.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { nothingShown } from '@cobro/testing/nothing-shown.ts';
import * as fc from 'fast-check';
import {
  alreadyFree,
  amountToCapture,
  captureAmount,
  endsAt,
  moveHold,
  refuseOpenOperation,
  showHold,
} from './hold.rules.ts';
import type { HoldRow, HoldStatus } from './hold.row.ts';

const expiresAt = new Date('2026-11-26T23:00:00.000-06:00');
const noon = new Date('2026-11-22T12:00:00.000-06:00');

const held: HoldRow = {
  paymentId: '0195b3f0-0000-7000-8000-000000000001',
  organizationId: '0195b3f0-0000-7000-8000-000000000002',
  paymentMethodId: '0195b3f0-0000-7000-8000-000000000003',
  status: 'HELD',
  heldAmount: 15_000n,
  capturedAmount: null,
  acquirer: 'default',
  bankReference: 'aut_1',
  rates: { feeBps: 350, promotionFeeDiscountBps: 0, promotionBusinessTakeBps: 0 },
  heldAt: new Date('2026-11-20T09:00:01.000-06:00'),
  expiresAt,
  captureBefore: null,
  letGoAt: null,
  capturedAt: null,
  releasedAt: null,
  bankTransaction: null,
  shown: fixedPart({
    ...unset,
    currency: 'MXN',
    externalId: 'order-1',
    createdAt: new Date('2026-11-20T09:00:00.000-06:00'),
  }),
  version: 1,
};

function refusalOf(act: () => unknown): Refusal | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

const STATUSES: HoldStatus[] = ['HELD', 'CAPTURED', 'RELEASED', 'EXPIRED'];

const resultOf = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe('the table of states', () => {
  const allowed = ['HELD → CAPTURED', 'HELD → RELEASED', 'HELD → EXPIRED'];

  test.each(STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const)))('%s to %s', (from, to) => {
    const move = () => moveHold({ ...held, status: from, version: 7 }, to, { capturedAmount: 1n });
    const moved = { capturedAmount: 1n, status: to, version: 8 };
    const refused = new Error(`a hold cannot move from ${from} to ${to}`);
    expect(resultOf(move)).toEqual(allowed.includes(`${from} → ${to}`) ? moved : refused);
  });
});

describe('the amount of a capture', () => {
  test('absent is the whole hold', () => {
    expect(captureAmount(undefined)).toBeUndefined();
  });

  const invalid: unknown[] = [0, -0, -1, -0.01, 1.005, 0.001, 1e-7, Number.NaN, -Infinity];
  const notNumbers: unknown[] = ['5', '', 'NaN', 'Infinity', null, true, false, [], [5], {}, 5n];
  test.each([...invalid, ...notNumbers])('%p is no amount', (given) => {
    expect(refusalOf(() => captureAmount(given))?.code).toBe('INVALID_CAPTURE_AMOUNT');
  });

  test.each([
    [0.01, 1n],
    [0.1, 10n],
    [1.1, 110n],
    [4.35, 435n],
    [150, 15_000n],
    [999_999_999.99, 99_999_999_999n],
  ])('%d is %d centavos', (given, centavos) => {
    expect(captureAmount(given)).toBe(centavos);
  });

  test('every amount of pesos with two decimals is exactly its centavos', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 99_999_999_999n), (centavos) => {
        expect(captureAmount(pesosOf(centavos))).toBe(centavos);
        expect(captureAmount(JSON.parse(decimalOf(centavos)))).toBe(centavos);
      }),
    );
  });

  test('a number is read as whole centavos or refused, never rounded', () => {
    const any = fc.double({ min: 0, max: 999_999_999.99, noNaN: true });
    const likely = fc.nat(1_000_000_000).map((n) => n / 1_000);
    const readOrRefused = (pesos: number) => {
      try {
        return Number(decimalOf(captureAmount(pesos) ?? 0n)) === pesos;
      } catch (error) {
        return error instanceof Refusal && error.code === 'INVALID_CAPTURE_AMOUNT';
      }
    };
    fc.assert(fc.property(fc.oneof(any, likely), (pesos) => expect(readOrRefused(pesos)).toBe(true)));
  });

  test.each([1_000_000_000, 1e21, Number.MAX_VALUE, Infinity])('%d is more than any hold', (given) => {
    const largest = { ...held, heldAmount: 99_999_999_999n };
    const refusal = refusalOf(() => amountToCapture(largest, undefined, captureAmount(given), noon));
    expect(refusal?.code).toBe('CAPTURE_AMOUNT_EXCEEDS_HOLD');
  });
});

describe('what a capture takes', () => {
  test('is the whole hold where no amount is given', () => {
    expect(amountToCapture(held, undefined, undefined, noon)).toBe(15_000n);
  });

  test('is any amount up to the hold', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 15_000n), (asked) => {
        expect(amountToCapture(held, undefined, asked, noon)).toBe(asked);
      }),
    );
  });

  test('is nothing above the hold', () => {
    fc.assert(
      fc.property(fc.bigInt(15_001n, 99_999_999_999n), (asked) => {
        const refusal = refusalOf(() => amountToCapture(held, undefined, asked, noon));
        expect(refusal?.code).toBe('CAPTURE_AMOUNT_EXCEEDS_HOLD');
      }),
    );
  });

  test('above the hold is refused with the amount that is held', () => {
    const refusal = refusalOf(() => amountToCapture(held, undefined, 15_001n, noon));
    expect(refusal?.message).toBe('amount: is greater than the amount held, 150.00.');
  });

  test.each([
    ['2026-11-26T22:59:59.999-06:00', undefined],
    ['2026-11-26T23:00:00.000-06:00', 'HOLD_WINDOW_CLOSED'],
    ['2026-11-26T23:00:00.001-06:00', 'HOLD_WINDOW_CLOSED'],
    ['2026-12-26T12:00:00.000-06:00', 'HOLD_WINDOW_CLOSED'],
  ])('at %s is refused with %s', (now, code) => {
    expect(refusalOf(() => amountToCapture(held, undefined, undefined, new Date(now)))?.code).toBe(code);
  });
});

test('a capture is refused for the first of its reasons: not held, in progress, window, amount, channel', () => {
  const wrong = {
    row: { ...held, status: 'RELEASED' as const, rates: null },
    open: { purpose: 'capture' as const },
    asked: 99_999n,
    now: expiresAt,
  };
  const refused = (better: Partial<{ row: HoldRow; open: undefined; asked: bigint; now: Date }>) => {
    const { row, open, asked, now } = { ...wrong, ...better };
    return refusalOf(() => amountToCapture(row, open, asked, now))?.code;
  };
  const stillHeld = { row: { ...wrong.row, status: 'HELD' as const } };

  expect(refused({})).toBe('PAYMENT_NOT_HELD');
  expect(refused(stillHeld)).toBe('CAPTURE_IN_PROGRESS');
  expect(refused({ ...stillHeld, open: undefined })).toBe('HOLD_WINDOW_CLOSED');
  expect(refused({ ...stillHeld, open: undefined, now: noon })).toBe('CAPTURE_AMOUNT_EXCEEDS_HOLD');
  expect(refused({ ...stillHeld, open: undefined, now: noon, asked: 1n })).toBe('HOLD_CHANNEL_UNKNOWN');
  expect(refused({ row: held, open: undefined, now: noon, asked: 1n })).toBeUndefined();
});

test.each(['CAPTURED', 'RELEASED', 'EXPIRED'] as const)('a hold that is %s cannot be captured', (status) => {
  const row = { ...held, status };
  expect(refusalOf(() => amountToCapture(row, undefined, undefined, noon))?.code).toBe('PAYMENT_NOT_HELD');
});

test.each([
  ['capture', 'CAPTURE_IN_PROGRESS'],
  ['release', 'RELEASE_IN_PROGRESS'],
  ['expire', 'RELEASE_IN_PROGRESS'],
  ['something new', 'CAPTURE_IN_PROGRESS'],
] as const)('an open %s is named as %s, with a time to come back', (purpose, code) => {
  const refusal = refusalOf(() => refuseOpenOperation({ purpose }));
  expect(refusal).toMatchObject({ code, extras: { headers: { 'Retry-After': '1' } } });
});

test('no open operation is no reason', () => {
  expect(refusalOf(() => refuseOpenOperation(undefined))).toBeUndefined();
});

describe('the payment that a merchant sees', () => {
  const facts = {
    ...nothingShown('merchant'),
    id: held.paymentId,
    currency: 'MXN',
    externalId: 'order-1',
    createdAt: '2026-11-20T15:00:00.000Z',
    heldAmount: 150,
    heldAt: '2026-11-20T15:00:01.000Z',
    holdExpiresAt: '2026-11-27T05:00:00.000Z',
  };

  test('is HELD at the full amount, with the days that remain', () => {
    expect(showHold(held, noon)).toEqual({
      ...facts,
      status: 'HELD',
      amount: 150,
      capturedAt: null,
      holdReleasedAt: null,
      holdExpired: false,
      holdDaysRemaining: 5,
    });
  });

  test('has null for a field that is younger than the copy of the payment', () => {
    const older = { currency: 'MXN', createdAt: held.shown.createdAt } as HoldRow['shown'];
    expect(showHold({ ...held, shown: older }, noon)).toMatchObject({ externalId: null });
  });

  test('is CONFIRMED at the captured amount, with heldAmount as it was', () => {
    const captured = { ...held, status: 'CAPTURED' as const, capturedAmount: 5_050n, capturedAt: noon };
    expect(showHold(captured, noon)).toEqual({
      ...facts,
      status: 'CONFIRMED',
      amount: 50.5,
      capturedAt: '2026-11-22T18:00:00.000Z',
      holdReleasedAt: null,
      holdExpired: false,
      holdDaysRemaining: null,
    });
  });

  test.each([
    ['RELEASED', 'HOLD_RELEASED'],
    ['EXPIRED', 'HOLD_EXPIRED'],
  ] as const)('of a hold that is %s is %s, and expired by the clock alone', (status, shown) => {
    const ended = { ...held, status, releasedAt: noon };
    expect(showHold(ended, noon)).toMatchObject({
      status: shown,
      amount: 150,
      capturedAt: null,
      holdReleasedAt: '2026-11-22T18:00:00.000Z',
      holdExpired: false,
      holdDaysRemaining: null,
    });
    expect(showHold(ended, expiresAt)).toMatchObject({ holdExpired: true, holdDaysRemaining: null });
  });
});

test.each([
  ['already_expired', true],
  ['already_voided', true],
  ['already_captured', false],
  ['do_not_honor', false],
])('a void declined as %s has set the funds free: %s', (declineCode, free) => {
  expect(alreadyFree(declineCode)).toBe(free);
});

test('a hold ends with its window, or when the network lets go, or has let go, if that is sooner', () => {
  const later = new Date(expiresAt.getTime() + 1);
  expect(endsAt(held)).toEqual(expiresAt);
  expect(endsAt({ ...held, captureBefore: later })).toEqual(expiresAt);
  expect(endsAt({ ...held, captureBefore: noon })).toEqual(noon);
  expect(endsAt({ ...held, captureBefore: later, letGoAt: noon })).toEqual(noon);
});

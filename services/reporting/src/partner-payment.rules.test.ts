import { disburse } from '@cobro/domain/fees.ts';
import { nothingShown } from '@cobro/testing/nothing-shown.ts';
import { describe, expect, test } from '@jest/globals';
import { partnerPayment, searchOf, statusesShownAs, type TakenAt } from './partner-payment.rules.ts';
import { inNumbers } from './payment.rules.ts';
import { paymentRow } from './test-payment-row.ts';

const takenAt: TakenAt = {
  terminal: (id) => (id === null ? undefined : { serialNumber: `serial of ${id}` }),
  salesperson: (id) => (id === null ? undefined : { name: 'Luis', username: 'luis' }),
  branch: (id) => (id === null ? undefined : { name: 'Centro' }),
};
const shown = (given: Parameters<typeof paymentRow>[0] = {}) =>
  partnerPayment({ ...paymentRow(given), organizationName: 'Café Tacuba' }, takenAt);

describe('statuses', () => {
  test.each([
    ['CONFIRMED', 'CONFIRMED'],
    ['CANCELLED', 'CANCELLED'],
    ['REFUNDED', 'REFUNDED'],
    ['HELD', 'PENDING'],
    ['HOLD_RELEASED', 'CANCELLED'],
    ['HOLD_EXPIRED', 'CANCELLED'],
  ] as const)('%s is shown as %s', (status, as) => {
    expect(shown({ status }).status).toBe(as);
    expect(statusesShownAs([as])).toContain(status);
  });

  test('are found by what partners are shown, and no others are', () => {
    expect(statusesShownAs(['PENDING'])).toEqual(['HELD']);
    expect(statusesShownAs(['CANCELLED', 'REFUNDED']).toSorted()).toEqual([
      'CANCELLED',
      'HOLD_EXPIRED',
      'HOLD_RELEASED',
      'REFUNDED',
    ]);
    expect(statusesShownAs([])).toEqual([]);
  });
});

describe('a search', () => {
  const organizations = [
    { id: 'cafe', name: 'Café 150' },
    { id: 'books', name: 'Librería Coyoacán' },
  ];

  test('takes codes of four and more digits for parts, shorter ones for whole codes', () => {
    expect(searchOf(['123', '1234', '7'], undefined, organizations)).toEqual({
      codeParts: ['1234'],
      wholeCodes: [123n, 7n],
      named: undefined,
    });
  });

  test.each<[string, string[], bigint | undefined]>([
    ['150', ['cafe'], 15_000n],
    ['150.2', [], 15_020n],
    ['150.25', [], 15_025n],
    ['0.05', [], 5n],
    ['150.', [], undefined],
    ['150.255', [], undefined],
    ['.5', [], undefined],
    ['1234567890', [], undefined],
    ['x150', [], undefined],
    ['150x', [], undefined],
    ['LIBRERÍA', ['books'], undefined],
    ['é', ['cafe'], undefined],
    ['a', ['cafe', 'books'], undefined],
  ])('for %s finds %j and the amount %d', (text, found, amount) => {
    expect(searchOf([], text, organizations).named).toEqual({ organizations: found, amount });
  });
});

describe('a payment as the partner sees it', () => {
  const percentages = {
    feePercentage: 3.5,
    promotionFeeDiscount: 1,
    finalFeePercentageForMerchant: 2.5,
    finalFeePercentageForManufacturer: 1,
    promotionBusinessTake: 2,
  };
  const nothing = {
    feeAmount: '0.00',
    merchantFeeAmount: '0.00',
    manufacturerFeeAmount: '0.00',
    merchantIvaFeeAmount: '0.00',
    manufacturerIvaFeeAmount: '0.00',
    totalFeeIva: '0.00',
    promotionTakeAmount: '0.00',
    merchantTakeAmount: '0.00',
    manufacturerTakeAmount: '0.00',
  };

  test('has every documented field', () => {
    const row = paymentRow();
    expect(shown()).toEqual({
      ...nothingShown('partner'),
      promotionId: null,
      id: 'p-1',
      status: 'CONFIRMED',
      type: 'CARD_NOT_PRESENT',
      financingMethod: 'PAY_NOW',
      operationCode: 100_001,
      amount: 1000,
      currency: 'MXN',
      terms: 1,
      periodicity: null,
      createdAt: '2026-11-20T15:00:00.000Z',
      organization: { id: 'org-1', name: 'Café Tacuba' },
      cardInformation: {
        lastFourDigits: '**** 4242',
        networkType: 'VISA',
        issuingBank: 'BANCO DE PRUEBA',
        fundingSource: 'CREDIT',
        entryMode: null,
      },
      paymentDisbursement: { ...percentages, ...nothing },
      transaction: row.transaction,
      terminal: null,
      billingInformation: {
        email: null,
        firstName: null,
        lastName: null,
        phoneNumber: null,
        address: { addressLine: null, city: null, state: null, zip: null },
      },
      salesperson: null,
      businessStoreBranch: null,
    });
  });

  test('shows what was frozen when money moved, as the interface’s example', () => {
    const rates = { feeBps: 350, promotionFeeDiscountBps: 100, promotionBusinessTakeBps: 200 };
    const disbursement = inNumbers(disburse(100_000n, rates));
    expect(shown({ disbursement }).paymentDisbursement).toEqual({
      ...percentages,
      feeAmount: '35.00',
      merchantFeeAmount: '25.00',
      manufacturerFeeAmount: '10.00',
      merchantIvaFeeAmount: '4.00',
      manufacturerIvaFeeAmount: '1.60',
      totalFeeIva: '5.60',
      promotionTakeAmount: '20.00',
      merchantTakeAmount: '951.00',
      manufacturerTakeAmount: '8.40',
    });
  });

  test('has no percentages without rates', () => {
    const none = Object.fromEntries(Object.keys(percentages).map((part) => [part, null]));
    expect(shown({ rates: null }).paymentDisbursement).toEqual({ ...none, ...nothing });
  });

  test('names who paid, where and to whom', () => {
    const ana = { email: 'ana@example.com', firstName: 'Ana', lastName: 'Ruiz', phoneNumber: '+525512345678' };
    const address = { addressLine: 'Madero 1', city: 'Oaxaca', state: 'OAX', zip: '68000' };
    const card = { type: 'CARD_PRESENT', entryMode: 'CHIP', terms: 3, billing: { ...ana, address } } as const;
    expect(shown({ ...card, terminalId: 't-1', salespersonId: 's-1', branchId: 'b-1' })).toMatchObject({
      type: 'CARD_PRESENT',
      financingMethod: 'INSTALLMENTS',
      periodicity: 'MONTHLY',
      cardInformation: { entryMode: 'CHIP' },
      billingInformation: { ...ana, address },
      terminal: { serialNumber: 'serial of t-1' },
      salesperson: { id: 's-1', name: 'Luis', username: 'luis' },
      businessStoreBranch: { id: 'b-1', name: 'Centro' },
    });
  });

  test('names who sold and the branch as they were called then, and of a payment of release 0.1 as they are called now', () => {
    const named = { salespersonName: 'Luisa', salespersonUsername: 'luisa', branchName: 'Roma' };
    const sold = { salespersonId: 's-1', branchId: 'b-1' };
    expect(shown({ ...sold, ...named })).toMatchObject({
      terminal: null,
      salesperson: { id: 's-1', name: 'Luisa', username: 'luisa' },
      businessStoreBranch: { id: 'b-1', name: 'Roma' },
    });
    expect(shown(sold)).toMatchObject({ salesperson: { name: 'Luis' }, businessStoreBranch: { name: 'Centro' } });
  });
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import type { Payment } from '@cobro/contracts/payments.ts';
import type { BankOperation } from '@cobro/testing/bank-operations.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { moveToNoon, type TestHolds, testHolds } from '@cobro/testing/test-holds.ts';

let services: RunningServices;
let holds: TestHolds;
beforeAll(async () => {
  services = await startServices({ services: ['payments', 'holds'], env: { BANK_CALL_TIMEOUT_MS: '5000' } });
  await moveToNoon(services);
  holds = await testHolds(services);
});
afterAll(() => services?.stop());

async function expectNothingSent(before: BankOperation[], held: Payment) {
  expect(await holds.sentSince(before)).toEqual([]);
  expect(await holds.read(held)).toEqual(held);
}

describe('400 INVALID_CAPTURE_AMOUNT, nothing sent to the bank', () => {
  const bad = ['0', '-1', '-0.01', '"5"', '"NaN"', '""', 'null', '1.005', '0.001', '1e-7', 'true', '[]', '[5]', '{}'];
  const dropped = ['50.0000000000000000001', '-0', '1e-400'];
  test('for anything that is not a positive number with at most two decimals', async () => {
    const before = await services.bank.operations();
    const held = await holds.place();
    for (const amount of [...bad, ...dropped]) {
      const answer = await holds.capture(held, `{"amount": ${amount}}`);
      expect([amount, answer.status, answer.body]).toEqual([
        amount,
        400,
        { code: 'INVALID_CAPTURE_AMOUNT', message: 'amount: must be a positive number with at most two decimals.' },
      ]);
    }
    await expectNothingSent(before, held);
  });

  test('also of a hold that has been captured: the amount is looked at first', async () => {
    const held = await holds.place();
    await holds.capture(held);
    expect(await holds.capture(held, { amount: 0 })).toMatchObject({ body: { code: 'INVALID_CAPTURE_AMOUNT' } });
  });
});

describe('400 CAPTURE_AMOUNT_EXCEEDS_HOLD, nothing sent to the bank', () => {
  test.each([150.01, 999_999_999.99, 1e12])(
    'for %d of 150.00, and the message names the held amount',
    async (amount) => {
      const before = await services.bank.operations();
      const held = await holds.place();

      const answer = await holds.capture(held, { amount });

      const message = 'amount: is greater than the amount held, 150.00.';
      expect(answer).toMatchObject({ status: 400, body: { code: 'CAPTURE_AMOUNT_EXCEEDS_HOLD', message } });
      await expectNothingSent(before, held);
    },
  );
});

describe('400 VALIDATION_ERROR, nothing sent to the bank', () => {
  test('a misspelt field is named and does not capture the whole hold', async () => {
    const before = await services.bank.operations();
    const held = await holds.place();
    const answer = await holds.capture(held, { ammount: 50 });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', details: [{ path: 'ammount', message: 'is not a known field' }] },
    });
    await expectNothingSent(before, held);
  });

  test.each(['{"amount": 50', '[]', 'null', '5', '{"amount": NaN}'])('a body of %s', async (body) => {
    const before = await services.bank.operations();
    const held = await holds.place();
    expect(await holds.capture(held, body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    await expectNothingSent(before, held);
  });

  test('a body that is not JSON is 415', async () => {
    const before = await services.bank.operations();
    const held = await holds.place();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await holds.capture(held, 'amount=50', { headers })).toMatchObject({ status: 415 });
    await expectNothingSent(before, held);
  });

  test.each(['not-a-uuid', '1'])('a payment id of %s', async (id) => {
    const path = `/payment-method/${holds.cardId}/payment/${id}/capture`;
    const answer = await holds.merchant.call({ method: 'POST', path });
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'paymentId' }] } });
  });
});

describe('400, the payment does not belong to this payment method', () => {
  test('whether the body is right or wrong', async () => {
    const before = await services.bank.operations();
    const held = await holds.place();
    const other = await holds.merchant.saveCard();
    const path = `/payment-method/${other.id}/payment/${held.id}/capture`;
    for (const body of [undefined, { amount: 0 }, { ammount: 1 }]) {
      const answer = await holds.merchant.call({ method: 'POST', path, body });
      expect(answer).toMatchObject({ status: 400, body: { code: 'PAYMENT_METHOD_MISMATCH' } });
    }
    await expectNothingSent(before, held);
  });
});

describe('404', () => {
  test('payment method not found', async () => {
    const held = await holds.place();
    const path = `/payment-method/${newId()}/payment/${held.id}/capture`;
    const answer = await holds.merchant.call({ method: 'POST', path, body: { amount: 0 } });
    expect(answer).toMatchObject({ status: 404, body: { code: 'PAYMENT_METHOD_NOT_FOUND' } });
  });

  test('payment not found', async () => {
    const path = `/payment-method/${holds.cardId}/payment/${newId()}/capture`;
    const answer = await holds.merchant.call({ method: 'POST', path, body: { amount: 0 } });
    expect(answer).toMatchObject({ status: 404, body: { code: 'PAYMENT_NOT_FOUND' } });
  });
});

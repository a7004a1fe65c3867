import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { type Payment, payment as paymentShape } from '@cobro/contracts/payments.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { untilBankIsBack } from '@cobro/testing/at-the-bank.ts';
import type { BankOperation } from '@cobro/testing/bank-operations.ts';
import { unansweredInquiries } from '@cobro/testing/start-bank.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { moveToNoon, type TestHolds, testHolds } from '@cobro/testing/test-holds.ts';
import { until } from '@cobro/testing/until.ts';

let services: RunningServices;
let holds: TestHolds;
beforeAll(async () => {
  services = await startServices({ services: ['payments', 'holds'], env: { BANK_CALL_TIMEOUT_MS: '5000' } });
  await moveToNoon(services);
  holds = await testHolds(services);
});
afterAll(() => services?.stop());

const inShort = (sent: BankOperation[]) => sent.map(({ kind, amount, outcome }) => `${kind} ${amount} ${outcome}`);

describe('HELD, capture, body omitted or 0 < amount <= heldAmount, bank accepts: CONFIRMED', () => {
  test.each([
    ['no body', undefined],
    ['{}', {}],
    ['an amount equal to heldAmount', { amount: 150 }],
  ])('%s captures the full held amount', async (_name, body) => {
    const before = await services.bank.operations();
    const held = await holds.place();

    const answer = await holds.capture(held, body);

    const sent = await holds.sentSince(before);
    expect(inShort(sent)).toEqual(['capture 15000 approved']);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...held,
      status: 'CONFIRMED',
      amount: 150,
      heldAmount: 150,
      capturedAt: sent[0]?.createdAt,
      holdReleasedAt: null,
      holdDaysRemaining: null,
    });
    await until('payments follows', async () => (await holds.read(held)).status === 'CONFIRMED');
    expect(await holds.read(held)).toEqual(answer.body);
  });

  test('a partial capture: amount is the captured amount, heldAmount stays, no release is issued for the difference', async () => {
    const before = await services.bank.operations();
    const held = await holds.place({ amount: 150.25 });

    const answer = await holds.capture(held, { amount: 50.5 });

    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ status: 'CONFIRMED', amount: 50.5, heldAmount: 150.25, holdReleasedAt: null });
    expect(inShort(await holds.sentSince(before))).toEqual(['capture 5050 approved']);
    await until('payments follows', async () => (await holds.read(held)).status === 'CONFIRMED');
    expect(await holds.read(held)).toEqual(answer.body);
  });

  test('the 1 MXN minimum of a charge does not apply', async () => {
    const answer = await holds.capture(await holds.place(), { amount: 0.01 });
    expect(answer).toMatchObject({ status: 200, body: { amount: 0.01, heldAmount: 150 } });
  });

  test('the answer has every documented key and no other', async () => {
    const answer = await holds.capture(await holds.place({ externalId: 'order-77' }));
    expect(paymentShape.parse(answer.body)).toMatchObject({ externalId: 'order-77', currency: 'MXN' });
    expect(answer.headers.get('x-request-id')).toBeTruthy();
  });

  test('a hold whose card was revoked can still be captured', async () => {
    const card = await holds.merchant.saveCard();
    const held = await holds.place({}, card.id);
    await holds.merchant.call({ method: 'DELETE', path: `/payment-method/${card.id}` });
    expect(await holds.capture(held)).toMatchObject({ status: 200, body: { status: 'CONFIRMED' } });
  });
});

describe('409 PAYMENT_NOT_HELD', () => {
  test('a second capture, and nothing is captured twice', async () => {
    const before = await services.bank.operations();
    const held = await holds.place();
    await holds.capture(held, { amount: 10 });

    const second = await holds.capture(held, { amount: 10 });

    expect(second).toMatchObject({ status: 409, body: { code: 'PAYMENT_NOT_HELD' } });
    expect(await holds.sentSince(before)).toHaveLength(1);
  });

  test('a capture after release', async () => {
    const held = await holds.place();
    await holds.release(held);
    expect(await holds.capture(held)).toMatchObject({ status: 409, body: { code: 'PAYMENT_NOT_HELD' } });
  });

  test('a capture of an ordinary charge', async () => {
    const charge = (await holds.merchant.charge(holds.cardId)).body as Payment;
    expect(await holds.capture(charge)).toMatchObject({ status: 409, body: { code: 'PAYMENT_NOT_HELD' } });
  });

  test('a capture of a declined hold', async () => {
    const { id } = await holds.merchant.saveCard(testCards.declined);
    const declined = (await holds.merchant.charge(id, { holdFunds: true })).body as { paymentId: string };
    const path = `/payment-method/${id}/payment/${declined.paymentId}/capture`;
    const answer = await holds.merchant.call({ method: 'POST', path });
    expect(answer).toMatchObject({ status: 409, body: { code: 'PAYMENT_NOT_HELD' } });
  });

  test('a capture of a hold that is still PENDING', async () => {
    const { id } = await holds.merchant.saveCard(testCards.silentDone);
    await services.bank.setFaults(unansweredInquiries);
    const pending = await holds.merchant.charge(id, { holdFunds: true });
    const { id: paymentId } = pending.body as Payment;
    const path = `/payment-method/${id}/payment/${paymentId}/capture`;

    const early = await holds.merchant.call({ method: 'POST', path });

    expect(pending).toMatchObject({ status: 202, body: { status: 'PENDING' } });
    expect(early).toMatchObject({ status: 409, body: { code: 'PAYMENT_NOT_HELD' } });
    await services.bank.setFaults({});
    const held = async () => (await holds.merchant.call({ path: path.replace(/\/capture$/, '') })).body as Payment;
    await until('the bank was asked', async () => (await held()).status === 'HELD');
    expect(await holds.merchant.call({ method: 'POST', path })).toMatchObject({ status: 200 });
  });
});

describe('402 CAPTURE_DECLINED, the payment stays HELD at full amount', () => {
  test('and can be captured again', async () => {
    const held = await holds.place();
    await services.bank.setFaults({ next: [{ kind: 'capture', fault: 'decline' }] });

    const declined = await holds.capture(held, { amount: 50 });

    expect(declined).toMatchObject({
      status: 402,
      body: { code: 'CAPTURE_DECLINED', declineCode: 'do_not_honor', paymentId: held.id },
    });
    expect(await holds.read(held)).toEqual(held);
    expect(await holds.capture(held, { amount: 60 })).toMatchObject({ status: 200, body: { amount: 60 } });
  });

  test('and can be released', async () => {
    const { id } = await holds.merchant.saveCard(testCards.captureDeclined);
    const held = await holds.place({}, id);
    expect(await holds.capture(held)).toMatchObject({ status: 402, body: { code: 'CAPTURE_DECLINED' } });
    expect(await holds.release(held)).toMatchObject({ status: 200, body: { status: 'HOLD_RELEASED' } });
  });
});

test('409 HOLD_CHANNEL_UNKNOWN: nothing sent to the bank, and it can be released', async () => {
  const poor = await testHolds(services, { fees: false });
  const before = await services.bank.operations();
  const held = await poor.place();

  const answer = await poor.capture(held);

  expect(answer).toMatchObject({ status: 409, body: { code: 'HOLD_CHANNEL_UNKNOWN' } });
  expect(await poor.sentSince(before)).toEqual([]);
  expect(await poor.read(held)).toEqual(held);
  expect(await poor.release(held)).toMatchObject({ status: 200, body: { status: 'HOLD_RELEASED' } });
});

describe('503', () => {
  test('while the bank cannot be reached: nothing was sent, nothing changed, and it can be captured after', async () => {
    const held = await holds.place();
    await services.bank.kill();

    const answer = await holds.capture(held);

    expect(answer).toMatchObject({ status: 503, body: { code: 'BANK_UNAVAILABLE' } });
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(await holds.read(held)).toEqual(held);
    await services.bank.start();
    await untilBankIsBack(services, 'holds');
    expect(await holds.capture(held)).toMatchObject({ status: 200, body: { status: 'CONFIRMED' } });
  });

  test('where holds knows no such hold and cannot ask payments: never 404', async () => {
    await services.kill('payments');
    try {
      const path = `/payment-method/${holds.cardId}/payment/${newId()}/capture`;
      const answer = await holds.merchant.call({ method: 'POST', path });
      expect(answer).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
      expect(answer.headers.get('retry-after')).toBe('1');
    } finally {
      await services.restart('payments');
    }
  });
});

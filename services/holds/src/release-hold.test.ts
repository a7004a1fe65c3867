import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import type { Payment } from '@cobro/contracts/payments.ts';
import { untilBankIsBack } from '@cobro/testing/at-the-bank.ts';
import { untilAgreed } from '@cobro/testing/agreement.ts';
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

describe('HELD, release endpoint: HOLD_RELEASED', () => {
  test('holdReleasedAt is set to the bank’s time, the amounts stay', async () => {
    const before = await services.bank.operations();
    const held = await holds.place();

    const answer = await holds.release(held);

    const sent = await holds.sentSince(before);
    expect(sent).toMatchObject([{ kind: 'void', outcome: 'approved' }]);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...held,
      status: 'HOLD_RELEASED',
      holdReleasedAt: sent[0]?.createdAt,
      capturedAt: null,
      holdDaysRemaining: null,
    });
    await until('payments follows', async () => (await holds.read(held)).status === 'HOLD_RELEASED');
    expect(await holds.read(held)).toEqual(answer.body);
  });

  test('a second release answers the same 200, and the bank is asked once', async () => {
    const before = await services.bank.operations();
    const held = await holds.place();
    const first = await holds.release(held);

    const second = await holds.release(held);

    expect(second.status).toBe(200);
    expect(second.body).toEqual(first.body);
    expect(await holds.sentSince(before)).toHaveLength(1);
  });

  test('an empty object is no body', async () => {
    const held = await holds.place();
    expect(await holds.release(held, { body: {} })).toMatchObject({ status: 200, body: { status: 'HOLD_RELEASED' } });
  });
});

describe('409 PAYMENT_NOT_HELD', () => {
  test('of a captured hold, which stays captured', async () => {
    const before = await services.bank.operations();
    const held = await holds.place();
    const captured = await holds.capture(held);

    expect(await holds.release(held)).toMatchObject({ status: 409, body: { code: 'PAYMENT_NOT_HELD' } });

    expect(await holds.sentSince(before)).toHaveLength(1);
    await until('payments follows', async () => (await holds.read(held)).status === 'CONFIRMED');
    expect(await holds.read(held)).toEqual(captured.body);
  });

  test('of an ordinary charge', async () => {
    const charge = (await holds.merchant.charge(holds.cardId)).body as Payment;
    expect(await holds.release(charge)).toMatchObject({ status: 409, body: { code: 'PAYMENT_NOT_HELD' } });
  });
});

describe('402 RELEASE_DECLINED, the payment stays HELD', () => {
  const declineNext = () => services.bank.setFaults({ next: [{ kind: 'void', fault: 'decline' }] });

  test('and can be released again', async () => {
    const held = await holds.place();
    await declineNext();

    const declined = await holds.release(held);

    const fields = { declineCode: 'do_not_honor', paymentId: held.id };
    expect(declined).toMatchObject({ status: 402, body: { code: 'RELEASE_DECLINED', ...fields } });
    expect(await holds.read(held)).toEqual(held);
    expect(await holds.release(held)).toMatchObject({ status: 200, body: { status: 'HOLD_RELEASED' } });
  });

  test('and can be captured', async () => {
    const held = await holds.place();
    await declineNext();
    expect(await holds.release(held)).toMatchObject({ status: 402 });
    expect(await holds.capture(held)).toMatchObject({ status: 200, body: { status: 'CONFIRMED' } });
  });
});

describe('refusals before anything is sent', () => {
  test('a body is refused by the name of its field', async () => {
    const before = await services.bank.operations();
    const held = await holds.place();
    const answer = await holds.release(held, { body: { amount: 50 } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR', details: [{ path: 'amount' }] } });
    expect(await holds.sentSince(before)).toEqual([]);
    expect(await holds.read(held)).toEqual(held);
  });

  test('400 under another card, 404 under an unknown one and of an unknown payment', async () => {
    const before = await services.bank.operations();
    const held = await holds.place();
    const otherCard = await holds.merchant.saveCard();
    const post = (card: string, payment: string) =>
      holds.merchant.call({ method: 'POST', path: `/payment-method/${card}/payment/${payment}/release` });

    const code = async (answer: ReturnType<typeof post>) => [
      (await answer).status,
      ((await answer).body as { code: string }).code,
    ];
    expect(await code(post(otherCard.id, held.id))).toEqual([400, 'PAYMENT_METHOD_MISMATCH']);
    expect(await code(post(newId(), held.id))).toEqual([404, 'PAYMENT_METHOD_NOT_FOUND']);
    expect(await code(post(holds.cardId, newId()))).toEqual([404, 'PAYMENT_NOT_FOUND']);
    expect(await holds.sentSince(before)).toEqual([]);
  });

  test('503 while the bank cannot be reached: nothing changed, and it can be released after', async () => {
    const held = await holds.place();
    await services.bank.kill();

    const answer = await holds.release(held);

    expect(answer).toMatchObject({ status: 503, body: { code: 'BANK_UNAVAILABLE' } });
    expect(await holds.read(held)).toEqual(held);
    await services.bank.start();
    await untilBankIsBack(services, 'holds');
    expect(await holds.release(held)).toMatchObject({ status: 200, body: { status: 'HOLD_RELEASED' } });
  });
});

test('bank, payments and holds agree on all of it', async () => {
  const [payments, ours] = [services.db('payments'), services.db('holds')];
  await expect(untilAgreed({ bankUrl: services.bank.url, payments, holds: ours })).resolves.toBeUndefined();
});

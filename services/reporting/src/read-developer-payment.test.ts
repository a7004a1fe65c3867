import '@cobro/testing/check-answers.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { developerPayment } from '@cobro/contracts/developer-payments.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { nothingShown } from '@cobro/testing/nothing-shown.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { about, approved, merchant, paymentFacts, rates } from '@cobro/testing/test-facts.ts';
import { startReporting } from './reporting-under-test.ts';

let database: TestDatabase;
let reporting: Awaited<ReturnType<typeof startReporting>>;
beforeAll(async () => {
  database = await testDatabase('reporting');
  reporting = await startReporting(database.url);
});
afterAll(async () => {
  await reporting.close();
  await database.drop();
});

const at = (time: string) => new Date(time);

async function detail(facts: { paymentId: string; organizationId: string }) {
  const { status, body } = await reporting.get(
    merchant(facts.organizationId),
    `/developer/v1/payment/${facts.paymentId}`,
  );
  expect(status).toBe(200);
  return developerPayment.parse(body);
}

describe('GET /developer/v1/payment/{id}', () => {
  test('shows a confirmed charge with every key', async () => {
    const facts = paymentFacts();
    await reporting.receive(about('PaymentConfirmed', { ...facts, confirmedAt: at('2026-11-20T17:00:01.000Z') }));
    expect(await detail(facts)).toEqual({
      ...nothingShown('detail'),
      id: facts.paymentId,
      status: 'CONFIRMED',
      amount: 1000,
      currency: 'MXN',
      createdAt: '2026-11-20T17:00:00.000Z',
      operationCode: Number(facts.operationCode),
      type: 'CARD_NOT_PRESENT',
      fee: 2.5,
      promotionId: null,
      terms: 1,
      paidTerms: 1,
      periodicity: null,
      financingMethod: 'PAY_NOW',
      source: 'SAVED_CARD',
      refundedAt: null,
      heldAmount: null,
      heldAt: null,
      capturedAt: null,
      holdReleasedAt: null,
      holdExpiresAt: null,
      captureBefore: null,
      holdExpired: false,
      holdDaysRemaining: null,
      card: { lastFourDigits: '4242', network: 'VISA', fundingSource: 'CREDIT', issuingBank: 'BANCO DE PRUEBA' },
      customer: { firstName: null, lastName: null, email: null, phoneNumber: null },
      paymentLinkId: null,
      paymentIntentId: null,
      oneTimePaymentId: null,
      paymentMethodId: facts.paymentMethodId,
      subscriptionId: null,
    });
  });

  test('shows a declined charge as CANCELLED, with nothing paid', async () => {
    const facts = paymentFacts();
    const declinedAt = at('2026-11-20T17:00:01.000Z');
    await reporting.receive(about('PaymentDeclined', { ...facts, declinedAt, declineCode: 'generic_decline' }));
    expect(await detail(facts)).toMatchObject({ status: 'CANCELLED', amount: 1000, paidTerms: 0, heldAmount: null });
  });

  test('shows a refund with its time and the amount that was charged', async () => {
    const facts = paymentFacts();
    await reporting.receive(
      about('PaymentConfirmed', { ...facts, confirmedAt: at('2026-11-20T17:00:01.000Z') }),
      about('PaymentRefunded', {
        ...facts,
        refundedAt: at('2026-11-20T17:30:00.000Z'),
        reason: null,
        payment: null,
        transaction: approved('refund-1', '2026-11-20T17:30:00.000Z'),
      }),
    );
    expect(await detail(facts)).toMatchObject({
      status: 'REFUNDED',
      amount: 1000,
      refundedAt: '2026-11-20T17:30:00.000Z',
    });
  });

  test('counts the days of a hold down by the clock, and shows a partial capture beside the amount held', async () => {
    const facts = paymentFacts({ rates: null });
    await reporting.receive(
      about('HoldPlaced', {
        ...facts,
        heldAt: at('2026-11-20T17:00:01.000Z'),
        captureBefore: at('2026-11-25T11:00:01.000Z'),
      }),
    );
    const held = {
      heldAt: '2026-11-20T17:00:01.000Z',
      holdExpiresAt: '2026-11-27T05:00:00.000Z',
      captureBefore: '2026-11-25T11:00:01.000Z',
      heldAmount: 1000,
    };
    expect(await detail(facts)).toMatchObject({
      ...held,
      status: 'HELD',
      amount: 1000,
      fee: null,
      paidTerms: 0,
      holdExpired: false,
      holdDaysRemaining: 7,
    });
    reporting.setNow('2026-11-27T05:00:00.000Z');
    expect(await detail(facts)).toMatchObject({ status: 'HELD', holdExpired: true, holdDaysRemaining: 0 });
    reporting.setNow('2026-11-20T18:00:00.000Z');

    const captured = { ...facts, amount: 40_050n, capturedAt: at('2026-11-20T17:45:00.000Z') };
    const transaction = approved('capture-1', '2026-11-20T17:45:00.000Z');
    await reporting.receive(about('HoldCaptured', { ...captured, rates, transaction }));
    expect(await detail(facts)).toMatchObject({
      ...held,
      status: 'CONFIRMED',
      amount: 400.5,
      capturedAt: '2026-11-20T17:45:00.000Z',
      holdReleasedAt: null,
      holdExpired: false,
      holdDaysRemaining: null,
      paidTerms: 1,
    });
  });

  test.each([
    ['HoldReleased', 'HOLD_RELEASED'],
    ['HoldExpired', 'HOLD_EXPIRED'],
  ] as const)('shows a hold after %s as %s', async (type, status) => {
    const facts = paymentFacts();
    const heldAt = at('2026-11-20T17:00:01.000Z');
    const releasedAt = at('2026-11-20T17:50:00.000Z');
    await reporting.receive(
      about('HoldPlaced', { ...facts, captureBefore: null, heldAt }),
      about(type, { ...facts, releasedAt }),
    );
    expect(await detail(facts)).toMatchObject({
      status,
      amount: 1000,
      heldAmount: 1000,
      holdReleasedAt: '2026-11-20T17:50:00.000Z',
      holdDaysRemaining: null,
      paidTerms: 0,
    });
  });

  test('shows installments and who paid', async () => {
    const billing = {
      email: 'ana@example.com',
      firstName: 'Ana',
      lastName: 'Ruiz',
      phoneNumber: '+525512345678',
      address: null,
    };
    const oneTimePaymentId = newId();
    const origin = { source: 'ONE_TIME_PAYMENT', oneTimePaymentId, paymentMethodId: null } as const;
    const facts = paymentFacts({ terms: 6, billing, ...origin });
    await reporting.receive(about('PaymentConfirmed', { ...facts, confirmedAt: at('2026-11-20T17:00:01.000Z') }));
    reporting.setNow('2027-01-20T18:00:00.000Z');
    expect(await detail(facts)).toMatchObject({
      ...origin,
      terms: 6,
      paidTerms: 3,
      periodicity: 'MONTHLY',
      financingMethod: 'INSTALLMENTS',
      customer: { email: 'ana@example.com', firstName: 'Ana', lastName: 'Ruiz', phoneNumber: '+525512345678' },
    });
    reporting.setNow('2026-11-20T18:00:00.000Z');
  });

  test('answers 404 for an unknown id, for a payment of another organization and for one without an outcome', async () => {
    const facts = paymentFacts();
    await reporting.receive(about('PaymentConfirmed', { ...facts, confirmedAt: at('2026-11-20T17:00:01.000Z') }));
    const early = paymentFacts();
    const captured = { ...early, capturedAt: at('2026-11-20T17:45:00.000Z') };
    await reporting.receive(about('HoldCaptured', { ...captured, rates }));
    const answers = await Promise.all([
      reporting.get(merchant(facts.organizationId), `/developer/v1/payment/${newId()}`),
      reporting.get(merchant(newId()), `/developer/v1/payment/${facts.paymentId}`),
      reporting.get(merchant(early.organizationId), `/developer/v1/payment/${early.paymentId}`),
    ]);
    const message =
      'There is no such payment, or it has no outcome yet: payments appear here once the bank has answered.';
    for (const answer of answers) expect(answer).toEqual({ status: 404, body: { message, code: 'PAYMENT_NOT_FOUND' } });
  });

  test('refuses a bad id and an unknown query parameter', async () => {
    const organization = merchant(newId());
    expect(await reporting.get(organization, '/developer/v1/payment/42')).toEqual({
      status: 400,
      body: { message: 'id: must be a UUID.', code: 'VALIDATION_ERROR' },
    });
    expect(await reporting.get(organization, `/developer/v1/payment/${newId()}?expand=card`)).toEqual({
      status: 400,
      body: { message: 'expand: is not a known field.', code: 'VALIDATION_ERROR' },
    });
  });
});

import { newId } from '@cobro/contracts/ids.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql } from '@cobro/postgres/database.ts';
import { type HeardEvents, hearEvents } from '@cobro/testing/hear-events.ts';
import { refusal } from '@cobro/testing/refusal.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { until } from '@cobro/testing/until.ts';
import { type Receipt, type TestIntents, tappedCardBody, testIntents } from '@cobro/testing/test-intents.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';

jest.setTimeout(240_000);

let services: RunningServices;
let intents: TestIntents;
let heard: HeardEvents;
beforeAll(async () => {
  services = await startServices({ services: ['intents', 'payments'], env: { BANK_CALL_TIMEOUT_MS: '8000' } });
  intents = await testIntents(services);
  heard = await hearEvents(services.broker);
});
afterAll(async () => {
  await heard?.close();
  await services?.stop();
});

describe('paying an intent', () => {
  test('charges the card once, answers a receipt, and the cashier reads CONFIRMED', async () => {
    const { terminal, intent } = await intents.ready();
    const before = (await intents.sales()).length;
    const paid = await terminal.pay(intent);
    expect(paid).toEqual(
      expect.objectContaining({
        status: 201,
        body: {
          id: intent.id,
          status: 'CONFIRMED',
          paymentId: expect.any(String),
          operationCode: expect.any(Number),
          amount: 250,
          currency: 'MXN',
          card: { lastFourDigits: '4242', network: 'VISA' },
        },
      }),
    );
    const { paymentId, operationCode } = paid.body as Receipt;
    expect((await intents.read(intent)).body).toEqual({
      id: intent.id,
      status: 'CONFIRMED',
      expired: false,
      paymentSummary: { id: paymentId, status: 'CONFIRMED', operationCode },
    });
    expect((await intents.sales()).slice(before)).toMatchObject([{ amount: 25_000 }]);
    expect(await heard.data('PaymentConfirmed', paymentId)).toMatchObject({
      type: 'CARD_PRESENT',
      source: 'PAYMENT_INTENT',
      paymentIntentId: intent.id,
      terminalId: terminal.id,
      externalId: null,
      card: { entryMode: 'CONTACTLESS', lastFourDigits: '4242' },
      rates: { feeBps: 350 },
    });
    expect(await terminal.ask(intent)).toMatchObject({ status: 200, body: paid.body as object });
    expect(await intents.cancel(intent)).toMatchObject(refusal(409, 'INTENT_NOT_PENDING'));
    expect(await terminal.decline(intent)).toMatchObject(refusal(409, 'INTENT_NOT_PENDING'));
    expect(await terminal.pay(intent)).toMatchObject(refusal(409, 'INTENT_NOT_PENDING'));
  });

  test('the same attempt again, at once or later, gets the same receipt and charges nothing', async () => {
    const { terminal, intent } = await intents.ready();
    const before = (await intents.sales()).length;
    const attemptId = newId();
    const answers = await Promise.all(Array.from({ length: 6 }, () => terminal.pay(intent, undefined, { attemptId })));
    answers.push(await terminal.pay(intent, undefined, { attemptId }));
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect((await intents.sales()).slice(before)).toHaveLength(1);
    expect(await terminal.pay(intent, testCards.mastercardDebit, { attemptId })).toMatchObject(
      refusal(409, 'ATTEMPT_MISMATCH'),
    );
    expect(await terminal.pay(intent, undefined, { attemptId, terms: 3 })).toMatchObject(
      refusal(409, 'ATTEMPT_MISMATCH'),
    );
  });

  test('two different taps at once charge one card', async () => {
    const { terminal, intent } = await intents.ready();
    const before = (await intents.sales()).length;
    const answers = await Promise.all([terminal.pay(intent), terminal.pay(intent, testCards.mastercardDebit)]);
    const codes = answers
      .map(({ status, body }) => (status === 201 ? '201' : (body as { code: string }).code))
      .toSorted();
    expect(['201 INTENT_IN_PROGRESS', '201 INTENT_NOT_PENDING']).toContain(codes.join(' '));
    expect((await intents.sales()).slice(before)).toHaveLength(1);
  });

  test('a decline leaves the intent to another card; the vault’s refusal has no payment', async () => {
    const { terminal, intent } = await intents.ready();
    const attemptId = newId();
    const declined = await terminal.pay(intent, testCards.declined, { attemptId });
    expect(declined).toMatchObject({
      status: 402,
      body: { code: 'CHARGE_DECLINED', declineCode: 'do_not_honor', paymentId: expect.any(String) },
    });
    expect(await intents.statusOf(intent)).toBe('PENDING');
    const { paymentId } = declined.body as { paymentId: string };
    expect((await intents.read(intent)).body).toMatchObject({ paymentSummary: { id: paymentId, status: 'CANCELLED' } });
    const again = await terminal.pay(intent, testCards.declined, { attemptId });
    expect(again).toMatchObject({ status: 402, body: declined.body as object });

    const refused = { attemptId: newId(), card: { ...tappedCardBody(), expirationYear: 2020 } };
    for (let i = 0; i < 2; i++) {
      expect(await terminal.pay(intent, undefined, refused)).toMatchObject({
        status: 402,
        body: { code: 'CHARGE_DECLINED', declineCode: 'expired_card', paymentId: null },
      });
    }
    expect(await terminal.pay(intent)).toMatchObject({ status: 201 });
  });

  test('in installments is for credit cards', async () => {
    const { terminal, intent } = await intents.ready();
    expect(await terminal.pay(intent, testCards.mastercardDebit, { terms: 3 })).toMatchObject({
      status: 402,
      body: { declineCode: 'terms_not_available', paymentId: expect.any(String) },
    });
    const paid = await terminal.pay(intent, undefined, { terms: 3 });
    expect(paid).toMatchObject({ status: 201 });
    const { paymentId } = paid.body as Receipt;
    expect(await heard.data('PaymentConfirmed', paymentId)).toMatchObject({ terms: 3 });
  });

  test('without a fee channel is declined, and nothing is asked of the bank', async () => {
    await services.db('payments').run(sql`
      delete from fee_channel where organization_id = ${intents.merchant.organizationId} and terms = 9`);
    const { terminal, intent } = await intents.ready();
    const before = (await intents.sales()).length;
    expect(await terminal.pay(intent, undefined, { terms: 9 })).toMatchObject({
      status: 402,
      body: { declineCode: 'fee_channel_unknown', paymentId: expect.any(String) },
    });
    expect((await intents.sales()).slice(before)).toEqual([]);
    expect(await intents.statusOf(intent)).toBe('PENDING');
  });

  test('is refused for an intent that is expired, unknown, or another terminal’s', async () => {
    const { terminal, intent } = await intents.ready();
    const other = await intents.terminal();
    expect(await other.pay(intent)).toMatchObject(refusal(404, 'PAYMENT_INTENT_NOT_FOUND'));
    expect(await terminal.pay({ id: newId() })).toMatchObject(refusal(404, 'PAYMENT_INTENT_NOT_FOUND'));
    await services.moveClock(15 * 60_000);
    const { body } = await terminal.pay(intent);
    expect(['INTENT_EXPIRED', 'INTENT_NOT_PENDING']).toContain((body as { code: string }).code);
  });

  test('one that no terminal has taken binds it, unless the terminal has an open one of its own', async () => {
    const { terminal, intent } = await intents.ready();
    const unassigned = await intents.create();
    expect(await terminal.pay(unassigned)).toMatchObject(refusal(409, 'INTENT_IN_PROGRESS'));
    await terminal.pay(intent);
    expect(await terminal.pay(unassigned)).toMatchObject({ status: 201 });
    const other = await intents.terminal();
    expect(await other.ask(unassigned)).toMatchObject(refusal(404, 'PAYMENT_INTENT_NOT_FOUND'));
  });

  test.each<[object, string]>([
    [{ attemptId: 'x' }, 'attemptId: must be a UUID'],
    [{ terms: 2 }, 'terms: must be one of 1, 3, 6, 9, 12'],
    [{ card: { ...tappedCardBody(), number: '4242424242424241' } }, 'card.number: is not a card number'],
    [{ card: { ...tappedCardBody(), entryMode: 'PHONE' } }, 'card.entryMode: must be one of'],
    [{ card: { ...tappedCardBody(), emv: { '9F02': 'zz' } } }, 'card.emv.9F02: must be hexadecimal text'],
  ])('refuses %j', async (body, message) => {
    const { terminal, intent } = await intents.ready();
    const answer = await terminal.pay(intent, undefined, body);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
    expect(await intents.statusOf(intent)).toBe('PENDING');
  });

  test('the event carries nothing that could be charged again, and no log says the number', async () => {
    const { terminal, intent } = await intents.ready();
    const number = '4111111111111111';
    await terminal.pay(intent, number);
    await until('its events are heard', () => heard.of(intent.id).length > 0);
    const events = JSON.stringify(heard.of(intent.id));
    expect(events).toContain('IntentPaymentRequested');
    expect(events).not.toContain('tok_');
    expect(events + services.logs('intents') + services.logs('payments')).not.toContain(number);
    const { count } = await services.db('payments').one<{ count: bigint }>(sql`select count(*) from tap`);
    expect(count).toBe(0n);
  });
});

import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import type { Payment } from '@cobro/contracts/payments.ts';
import { sql } from '@cobro/postgres/database.ts';
import { untilAgreed } from '@cobro/testing/agreement.ts';
import { type GarblingBank, openGarblingBank } from '@cobro/testing/garbling-bank.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestHolds, testHolds } from '@cobro/testing/test-holds.ts';
import { testLinks } from '@cobro/testing/test-links.ts';
import { until } from '@cobro/testing/until.ts';

let bank: GarblingBank;
let services: RunningServices;
let holds: TestHolds;
beforeAll(async () => {
  bank = await openGarblingBank();
  services = await startServices({ services: ['payments', 'holds'], env: { BANK_URL: bank.url } });
  bank.standBefore(services.bank.url);
  holds = await testHolds(services);
});
beforeEach(() => bank.garble(undefined));
afterAll(async () => {
  await services?.stop();
  await bank?.close();
});

const charge = () => holds.merchant.charge(holds.cardId, { amount: 150 });
const becomes = (payment: Payment, status: Payment['status']) =>
  until(`${payment.id} ${status}`, async () => (await holds.read(payment)).status === status);

test('an answer with words that no database takes settles charge, hold, capture, release, refund and card as ever', async () => {
  const words = {
    text: 'APROBADA\0 \ud800 \u0007',
    authCode: 'A\0'.repeat(400),
    resultCode: 7,
    extra: { deep: ['\0'] },
  };
  bank.garble((answer) => ({ ...answer, ...words }));
  const card = await holds.merchant.saveCard();
  const charged = await holds.merchant.charge(card.id, { amount: 150 });
  expect(charged).toMatchObject({ status: 201, body: { status: 'CONFIRMED' } });
  const [captured, released] = [await holds.place(), await holds.place()];
  expect(await holds.capture(captured)).toMatchObject({ status: 200, body: { status: 'CONFIRMED' } });
  expect(await holds.release(released)).toMatchObject({ status: 200, body: { status: 'HOLD_RELEASED' } });
  expect(await holds.refund(captured)).toMatchObject({ status: 200, body: { status: 'REFUNDED' } });
});

test('a yes without a reference is not believed: 202, and the bank, asked, settles it', async () => {
  const held = await holds.place();
  bank.garble((answer) => ({ ...answer, reference: undefined }));
  const charged = await charge();
  expect(charged).toMatchObject({ status: 202, body: { status: 'PENDING' } });
  expect(await holds.capture(held)).toMatchObject({ status: 202, body: { status: 'HELD' } });
  await becomes(charged.body as Payment, 'CONFIRMED');
  await becomes(held, 'CONFIRMED');
  bank.garble(undefined);
  expect(await holds.refund(charged.body as Payment)).toMatchObject({ status: 200, body: { status: 'REFUNDED' } });
});

test('a yes to another amount is not believed: 202, nothing of it is written, and the bank, asked, settles it', async () => {
  const links = await testLinks(services);
  const link = await links.create({ amount: 150 });
  const body = { amount: 150, externalId: newId() };
  bank.garble((answer) => ({ ...answer, ...('amount' in answer && { amount: 1_000 }) }));
  const charged = await holds.merchant.charge(holds.cardId, body);
  expect(charged).toMatchObject({ status: 202, body: { status: 'PENDING', amount: 150 } });
  expect(await links.pay(link)).toMatchObject({ status: 202, body: { status: 'PENDING', amount: 150 } });
  await until('both are settled', async () => (await confirmed()).length === 2);
  const asAsked = { status: 'CONFIRMED', amount: 15_000n, asked: 15_000n };
  expect(await confirmed()).toEqual([asAsked, asAsked]);
  expect(await holds.merchant.charge(holds.cardId, body)).toMatchObject({ status: 201, body: { amount: 150 } });

  function confirmed() {
    const of = [(charged.body as Payment).id, link.id];
    return services.db('payments').many(sql`
      select payment.status, payment.amount, o.amount as asked
      from payment join bank_operation o on o.subject_id = payment.id
      where (payment.id = any(${of}::uuid[]) or one_time_payment_id = any(${of}::uuid[])) and o.status = 'approved'`);
  }
});

test('the card that a bank says was charged counts for no saved card', async () => {
  const other = { lastFourDigits: '1111', network: 'MASTERCARD', fundingSource: 'DEBIT', issuingBank: 'OTHER' };
  bank.garble((answer) => ({ ...answer, ...('amount' in answer && { card: other }) }));
  const { status, body } = await charge();
  expect(status).toBe(201);
  const kept = sql`select card->>'lastFourDigits' as digits from payment where id = ${(body as Payment).id}`;
  expect(await services.db('payments').one(kept)).not.toEqual({ digits: '1111' });
});

test('a no with a broken code is a no, and no broken code frees a hold', async () => {
  const held = await holds.place();
  await services.bank.setFaults({ next: ['sale', 'void'].map((kind) => ({ kind, fault: 'decline' })) });
  bank.garble((answer) => ({ ...answer, declineCode: 'already_voided\0' }));
  const fields = { declineCode: 'already_voided_' };
  expect(await charge()).toMatchObject({ status: 402, body: { code: 'CHARGE_DECLINED', ...fields } });
  expect(await holds.release(held)).toMatchObject({ status: 402, body: { code: 'RELEASE_DECLINED', ...fields } });
  expect(await holds.read(held)).toMatchObject({ status: 'HELD' });
});

test('bank, payments and holds agree on all of it', async () => {
  const [payments, ours] = [services.db('payments'), services.db('holds')];
  await expect(untilAgreed({ bankUrl: services.bank.url, payments, holds: ours })).resolves.toBeUndefined();
});

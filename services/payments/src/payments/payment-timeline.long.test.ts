import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { paymentTimeline, pendingPayments } from '@cobro/contracts/payment-timeline.ts';
import type { Payment } from '@cobro/contracts/payments.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql } from '@cobro/postgres/database.ts';
import { refusal } from '@cobro/testing/refusal.ts';
import { unansweredInquiries } from '@cobro/testing/start-bank.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestHolds, testHolds } from '@cobro/testing/test-holds.ts';
import { type TestMerchant, testMerchant } from '@cobro/testing/test-merchant.ts';
import { until } from '@cobro/testing/until.ts';

let services: RunningServices;
let holds: TestHolds;
beforeAll(async () => {
  services = await startServices({ services: ['payments', 'holds'], env: { BANK_CALL_TIMEOUT_MS: '4000' } });
  holds = await testHolds(services);
});
afterEach(() => services.bank.setFaults({}));
afterAll(() => services?.stop());

const key = () => holds.merchant.caller.by;
const charge = async (body?: object, card = holds.cardId) =>
  (await holds.merchant.charge(card, body)).body as Payment & { paymentId: string };
const timeline = async (id: string) =>
  paymentTimeline.parse((await holds.merchant.call({ path: `/payment/${id}/timeline` })).body);
const pending = async (merchant: TestMerchant = holds.merchant, query = '') =>
  pendingPayments.parse((await merchant.call({ path: `/payment/pending${query}` })).body);
/** Reads again if holds was too slow to answer. */
async function whole<T extends { complete: boolean }>(read: () => Promise<T>): Promise<T> {
  let shown = await read();
  await until('holds answers', async () => {
    if (!shown.complete) shown = await read();
    return shown.complete;
  });
  return shown;
}
/** Makes the open operation this many seconds older. */
const askedEarlier = (service: 'payments' | 'holds', paymentId: string, seconds: number) =>
  services.db(service).run(sql`
    update bank_operation set claimed_at = claimed_at - ${seconds} * interval '1 second'
    where subject_id = ${paymentId} and status = 'open'`);

describe('GET /payment/{id}/timeline', () => {
  test('a charge and its refund: what was asked, by which key, why, and what the bank said when', async () => {
    const { id } = await charge({ amount: 33.33, description: 'Dos boletos', externalId: 'timeline-1' });
    const path = `/payment-method/${holds.cardId}/payment/${id}/refund`;
    await holds.merchant.call({ method: 'POST', path, body: { reason: 'No llegó' } });
    const books = await services.bank.operations();
    const { payment, complete, operations } = await timeline(id);
    expect(complete).toBe(true);
    expect(payment).toMatchObject({
      id,
      status: 'REFUNDED',
      amount: 33.33,
      description: 'Dos boletos',
      externalId: 'timeline-1',
      source: 'SAVED_CARD',
      card: { lastFourDigits: '4242', network: 'VISA' },
      paymentMethodId: holds.cardId,
      oneTimePaymentId: null,
    });
    expect(operations).toMatchObject([
      { purpose: 'CHARGE', outcome: 'APPROVED', amount: 33.33, reason: null, askedBy: key(), silentAt: null },
      { purpose: 'REFUND', outcome: 'APPROVED', amount: 33.33, reason: 'No llegó', askedBy: key(), inquiries: 0 },
    ]);
    for (const operation of operations) {
      const booked = books.find(({ idempotencyKey }) => idempotencyKey === operation.id);
      expect(operation).toMatchObject({ bankTime: booked?.createdAt, bankReference: booked?.reference });
      expect(Date.parse(operation.settledAt ?? '')).toBeGreaterThanOrEqual(Date.parse(operation.askedAt));
    }
  });

  test('a declined charge has the code; one that was silent shows when, and the inquiries, until it has its outcome', async () => {
    const { id: declinedCard } = await holds.merchant.saveCard(testCards.declined);
    const { paymentId } = await charge({}, declinedCard);
    expect(await timeline(paymentId)).toMatchObject({
      payment: { status: 'CANCELLED', declineCode: 'do_not_honor' },
      operations: [{ purpose: 'CHARGE', outcome: 'DECLINED', declineCode: 'do_not_honor', askedBy: key() }],
    });

    await services.bank.setFaults({ ...unansweredInquiries, next: [{ kind: 'sale', fault: 'silentDone' }] });
    const { id } = await charge();
    await until('an inquiry', async () => ((await timeline(id)).operations[0]?.inquiries ?? 0) > 0);
    const open = await timeline(id);
    expect(open).toMatchObject({
      payment: { status: 'PENDING' },
      operations: [{ outcome: 'OPEN', settledAt: null, bankTime: null, bankReference: null }],
    });
    expect(open.operations[0]?.silentAt).not.toBeNull();
    await services.bank.setFaults({});
    await until('an outcome', async () => (await timeline(id)).payment.status === 'CONFIRMED');
    expect((await timeline(id)).operations).toMatchObject([{ outcome: 'APPROVED', silentAt: expect.any(String) }]);
  });

  test('a hold: what holds asked is between what payments asked; without holds it says that it is not complete', async () => {
    const held = await holds.place({ amount: 150 });
    await holds.capture(held, { amount: 60 });
    await until('payments follows', async () => (await holds.read(held)).status === 'CONFIRMED');
    await holds.refund(held);
    const purposes = ({ operations }: Awaited<ReturnType<typeof timeline>>) =>
      operations.map(({ purpose, amount }) => `${purpose} ${amount}`);
    const all = await whole(() => timeline(held.id));
    expect(all).toMatchObject({ payment: { status: 'REFUNDED', amount: 60, heldAmount: 150 } });
    expect(purposes(all)).toEqual(['HOLD 150', 'CAPTURE 60', 'REFUND 60']);
    expect(all.operations.map(({ askedBy }) => askedBy)).toEqual([key(), key(), key()]);

    await services.kill('holds');
    const part = await timeline(held.id);
    expect(part).toMatchObject({ complete: false, payment: { status: 'REFUNDED' } });
    expect(purposes(part)).toEqual(['HOLD 150', 'REFUND 60']);
    const { id } = await charge();
    expect(await timeline(id)).toMatchObject({ complete: true });
    await services.restart('holds');
  });

  test('a job asks in nobody’s name, and so did whoever asked before this was written down', async () => {
    const held = await holds.place();
    await services.db('payments').run(sql`update bank_operation set asked_by = null where subject_id = ${held.id}`);
    await services.moveClock(Date.parse(held.holdExpiresAt ?? '') + 15_000 - services.now().getTime());
    await until('it has expired', async () => (await holds.read(held)).status === 'HOLD_EXPIRED');
    expect((await whole(() => timeline(held.id))).operations).toMatchObject([
      { purpose: 'HOLD', askedBy: null },
      { purpose: 'EXPIRE', outcome: 'APPROVED', amount: null, askedBy: null },
    ]);
  });

  test('404 for what is nobody’s, another’s, or a card; 400 for what is no id', async () => {
    const other = await testMerchant(services);
    const { id } = await charge();
    expect(await other.call({ path: `/payment/${id}/timeline` })).toMatchObject(refusal(404, 'PAYMENT_NOT_FOUND'));
    for (const unknown of [newId(), holds.cardId]) {
      const answer = await holds.merchant.call({ path: `/payment/${unknown}/timeline` });
      expect(answer).toMatchObject(refusal(404, 'PAYMENT_NOT_FOUND'));
    }
    const bad = await holds.merchant.call({ path: '/payment/x/timeline' });
    expect(bad).toMatchObject(refusal(400, 'VALIDATION_ERROR'));
  });
});

describe('GET /payment/pending', () => {
  test('has charges, refunds and captures after a minute, the oldest first, and nothing once the bank has answered', async () => {
    const confirmed = await charge();
    const held = await holds.place();
    await services.bank.setFaults({
      ...unansweredInquiries,
      next: ['sale', 'refund', 'capture'].map((kind) => ({ kind, fault: 'silentDone' })),
    });
    const open = await charge({ amount: 12 });
    await holds.refund(confirmed);
    await holds.capture(held, { amount: 50 });
    expect(await whole(pending)).toEqual({ count: 0, complete: true, items: [] });

    await askedEarlier('payments', open.id, 61);
    await askedEarlier('payments', confirmed.id, 3_600);
    await askedEarlier('holds', held.id, 120);
    const all = await whole(pending);
    expect(all).toMatchObject({
      count: 3,
      complete: true,
      items: [
        { payment: { id: confirmed.id, status: 'CONFIRMED' }, operation: { purpose: 'REFUND', outcome: 'OPEN' } },
        { payment: { id: held.id, status: 'HELD' }, operation: { purpose: 'CAPTURE', amount: 50, askedBy: key() } },
        { payment: { id: open.id, status: 'PENDING', amount: 12 }, operation: { purpose: 'CHARGE' } },
      ],
    });
    const two = await whole(() => pending(holds.merchant, '?limit=2'));
    expect(two).toEqual({ ...all, items: two.items });
    expect(two.items.map(({ payment }) => payment.id)).toEqual([confirmed.id, held.id]);
    const stranger = await testMerchant(services);
    expect(await whole(() => pending(stranger))).toEqual({ count: 0, complete: true, items: [] });

    await services.kill('holds');
    const part = await pending();
    expect(part).toMatchObject({ count: 2, complete: false });
    await services.restart('holds');
    await services.bank.setFaults({});
    await until('the bank has answered', async () => (await pending()).count === 0, 90_000);
  });

  test.each(['?limit=0', '?limit=101', '?limit=x', '?page=1'])('%s is refused', async (query) => {
    const answer = await holds.merchant.call({ path: `/payment/pending${query}` });
    expect(answer).toMatchObject(refusal(400, 'VALIDATION_ERROR'));
  });
});

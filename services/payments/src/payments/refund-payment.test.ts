import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { type Payment, refund as refundShape } from '@cobro/contracts/payments.ts';
import type { RefusalCode } from '@cobro/contracts/refusals.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql } from '@cobro/postgres/database.ts';
import { untilAtTheBank } from '@cobro/testing/at-the-bank.ts';
import { hearEvents, type HeardEvents } from '@cobro/testing/hear-events.ts';
import { refusal } from '@cobro/testing/refusal.ts';
import { patiently } from '@cobro/testing/patiently.ts';
import { unansweredInquiries } from '@cobro/testing/start-bank.ts';
import { type HttpAnswer, type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestMerchant, testMerchant } from '@cobro/testing/test-merchant.ts';
import { until } from '@cobro/testing/until.ts';
import { retoldDifferently } from '../test-retelling.ts';

let services: RunningServices;
let events: HeardEvents;
let merchant: TestMerchant;
let card: string;

beforeAll(async () => {
  services = await startServices({ services: ['payments', 'holds'], env: { BANK_CALL_TIMEOUT_MS: '4000' } });
  events = await hearEvents(services.broker);
  merchant = await testMerchant(services);
  card = (await merchant.saveCard()).id;
});
afterAll(async () => {
  await events.close();
  await services.stop();
});

const pathOf = (id: string, cardId = card) => `/payment-method/${cardId}/payment/${id}`;
const refund = (id: string, body?: unknown, cardId = card) =>
  merchant.call({ method: 'POST', path: `${pathOf(id, cardId)}/refund`, body });
const read = async (id: string, cardId = card) => (await merchant.call({ path: pathOf(id, cardId) })).body as Payment;
const charge = async (body?: object, cardId = card) => (await merchant.charge(cardId, body)).body as Payment;
const capture = (id: string, body?: unknown) => merchant.call({ method: 'POST', path: `${pathOf(id)}/capture`, body });

/** The refunds in the bank's books for this payment. */
async function refundsOf(id: string) {
  const keys = await services.db('payments').many<{ id: string }>(sql`
    select id from bank_operation where subject_id = ${id} and purpose = 'refund'`);
  return (await services.bank.operations()).filter((one) => keys.some((key) => key.id === one.idempotencyKey));
}

test('the people of an organization give back 100,000.00 in an hour, the last one more; keys go on', async () => {
  const rich = await testMerchant(services);
  const cardId = (await rich.saveCard()).id;
  const paid = async (amount: number) => (await rich.charge(cardId, { amount })).body as Payment;
  const ofPerson = ({ id }: Payment) =>
    services.call('payments', {
      method: 'POST',
      path: `/payment-method/${cardId}/payment/${id}/refund`,
      caller: { kind: 'merchant', by: { kind: 'person', id: newId() }, organizationId: rich.organizationId },
    });
  const all = [await paid(60_000), await paid(39_999.99), await paid(70_000), await paid(0.01)];
  const statuses = [];
  for (const payment of all) statuses.push((await ofPerson(payment)).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  const last = all.at(-1) as Payment;
  const refused = await ofPerson(last);
  expect(refused.body).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', message: expect.stringContaining('100,000.00') });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
  const path = `/payment-method/${cardId}/payment/${last.id}/refund`;
  expect((await rich.call({ method: 'POST', path })).status).toBe(200);
});

test('what people refund and the bank never got uses nothing of the hour up', async () => {
  const rich = await testMerchant(services);
  const cardId = (await rich.saveCard()).id;
  const { body } = await rich.charge(cardId, { amount: 99_000 });
  const { id } = body as Payment;
  const { body: other } = await rich.charge(cardId, { amount: 2_000 });
  const byPerson = (paymentId: string) =>
    services.call('payments', {
      method: 'POST',
      path: `/payment-method/${cardId}/payment/${paymentId}/refund`,
      caller: { kind: 'merchant', by: { kind: 'person', id: newId() }, organizationId: rich.organizationId },
    });
  await services.bank.setFaults({ next: [{ kind: 'refund', fault: 'retry' }] });
  expect(await byPerson(id)).toMatchObject(refusal(503, 'BANK_UNAVAILABLE'));
  // Of twenty simultaneous refunds, all but one find the payment claimed.
  const statuses = (await Promise.all(Array.from({ length: 20 }, () => byPerson(id)))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(await byPerson((other as Payment).id)).toMatchObject({ status: 200 });
});

describe('a refund', () => {
  test('gives all of a charge back', async () => {
    const { id } = await charge({ amount: 33.33, externalId: 'to refund' });
    const answer = await refund(id, { reason: 'No llegó 🦊' });
    expect(answer.status).toBe(200);
    expect(refundShape.parse(answer.body)).toEqual({
      id,
      status: 'REFUNDED',
      amount: 33.33,
      currency: 'MXN',
      externalId: 'to refund',
    });
    expect(await read(id)).toMatchObject({ status: 'REFUNDED', amount: 33.33 });
    const [operation, ...more] = await refundsOf(id);
    expect(operation).toMatchObject({ kind: 'refund', amount: 3_333, outcome: 'approved' });
    expect(more).toEqual([]);
    expect(await events.data('PaymentRefunded', id)).toMatchObject({
      organizationId: merchant.organizationId,
      amount: 3_333n,
      reason: 'No llegó 🦊',
      refundedAt: new Date(operation?.createdAt ?? 0),
      transaction: { bankReference: operation?.reference, authResult: 'APPROVED' },
    });
    expect(events.of(id).map(({ type, sequence }) => `${type} ${sequence}`)).toEqual([
      'PaymentConfirmed 2',
      'PaymentRefunded 3',
    ]);
    expect(await refund(id)).toMatchObject(refusal(409, 'PAYMENT_ALREADY_REFUNDED'));
    const replay = await merchant.charge(card, { amount: 33.33, externalId: 'to refund' });
    expect(replay).toMatchObject({ status: 201, body: { id, status: 'REFUNDED' } });
  });

  test.each([undefined, {}, { reason: null }, { reason: '' }, { reason: '🦊'.repeat(500) }])(
    'takes %j for a body',
    async (body) => {
      expect(await refund((await charge()).id, body)).toMatchObject({ status: 200 });
    },
  );

  test.each<[unknown, string]>([
    [{ reason: '🦊'.repeat(501) }, 'reason'],
    [{ reason: 'a\0b' }, 'reason'],
    [{ reason: 1 }, 'reason'],
    [{ amount: 10 }, 'amount'],
    [{ raeson: 'typo' }, 'raeson'],
  ])('does not take %j', async (body, path) => {
    const { id } = await charge();
    const answer = await refund(id, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR', details: [{ path }] } });
    expect((await read(id)).status).toBe('CONFIRMED');
  });

  test('is of a payment of that card', async () => {
    const { id } = await charge();
    const otherCard = (await merchant.saveCard()).id;
    expect(await refund(id, { bad: 1 }, newId())).toMatchObject(refusal(404, 'PAYMENT_METHOD_NOT_FOUND'));
    expect(await refund(id, { bad: 1 }, otherCard)).toMatchObject(refusal(404, 'PAYMENT_NOT_FOUND'));
    expect(await refund(newId())).toMatchObject(refusal(404, 'PAYMENT_NOT_FOUND'));
    expect(await refund('x')).toMatchObject(refusal(400, 'VALIDATION_ERROR'));
    expect((await read(id)).status).toBe('CONFIRMED');
  });

  test('works after the card was revoked', async () => {
    const revoked = (await merchant.saveCard()).id;
    const { id } = await charge({}, revoked);
    await merchant.call({ method: 'DELETE', path: `/payment-method/${revoked}` });
    expect(await refund(id, {}, revoked)).toMatchObject({ status: 200 });
  });

  test('that the bank declines leaves the payment confirmed', async () => {
    const stubborn = (await merchant.saveCard(testCards.refundDeclined)).id;
    const { id } = await charge({}, stubborn);
    for (const answer of [await refund(id, {}, stubborn), await refund(id, {}, stubborn)]) {
      expect(answer.status).toBe(402);
      expect(answer.body).toMatchObject({ code: 'REFUND_DECLINED', declineCode: 'do_not_honor', paymentId: id });
    }
    expect((await read(id, stubborn)).status).toBe('CONFIRMED');
    expect((await refundsOf(id)).map(({ outcome }) => outcome)).toEqual(['declined', 'declined']);
  });

  test('asked for 20 times at once is made once', async () => {
    const { id } = await charge();
    const answers = await Promise.all(Array.from({ length: 20 }, () => refund(id)));
    const codes = answers.map(({ status, body }) => (status === 200 ? 'REFUNDED' : (body as { code: string }).code));
    expect(codes.filter((code) => code === 'REFUNDED')).toHaveLength(1);
    // A slow machine may have no connection left for the last of them.
    const others = ['REFUND_IN_PROGRESS', 'PAYMENT_ALREADY_REFUNDED', 'SERVICE_UNAVAILABLE'];
    for (const code of codes) expect(['REFUNDED', ...others]).toContain(code);
    expect(await refundsOf(id)).toHaveLength(1);
  });
});

describe('a refund of a hold', () => {
  test('is of what was captured of it', async () => {
    const { id } = await charge({ amount: 90, holdFunds: true });
    expect(await refund(id)).toMatchObject(refusal(409, 'PAYMENT_NOT_REFUNDABLE'));
    await capture(id, { amount: 20 });
    expect(await refund(id)).toMatchObject({ status: 200, body: { status: 'REFUNDED', amount: 20 } });
    expect(await refundsOf(id)).toMatchObject([{ amount: 2_000, outcome: 'approved' }]);
    const after = await read(id);
    expect(after).toMatchObject({ status: 'REFUNDED', amount: 20, heldAmount: 90, holdDaysRemaining: null });
    expect(after.capturedAt).not.toBeNull();
  });

  test('is refused once it is released', async () => {
    const { id } = await charge({ holdFunds: true });
    await merchant.call({ method: 'POST', path: `${pathOf(id)}/release` });
    expect(await refund(id)).toMatchObject(refusal(409, 'PAYMENT_NOT_REFUNDABLE'));
  });

  test('asks its owner where our copy has not heard of the capture', async () => {
    const { id } = await charge({ amount: 50, holdFunds: true });
    await capture(id, { amount: 45 });
    await until('the broker has brought the capture too', async () => {
      const { count } = await services
        .db('payments')
        .one<{ count: number }>(sql`select count(*)::int as count from outbox`);
      return count === 0 && (await read(id)).status === 'CONFIRMED';
    });
    // Undoes the event in our copy.
    await services.db('payments').run(sql`
      update payment set status = 'HELD', amount = held_amount, captured_at = null, capture_reference = null
      where id = ${id}`);
    expect(await refund(id)).toMatchObject({ status: 200, body: { status: 'REFUNDED', amount: 45 } });
    expect(await refundsOf(id)).toMatchObject([{ amount: 4_500, outcome: 'approved' }]);
  });

  test('waits for a capture or release whose outcome is open', async () => {
    const fault = 'silentDone';
    const next = ['capture', 'void'].map((kind) => ({ kind, fault }));
    await services.bank.setFaults({ ...unansweredInquiries, next });
    const open = async (ending: 'capture' | 'release', code: RefusalCode) => {
      const { id } = await charge({ holdFunds: true });
      const unanswered = await merchant.call({ method: 'POST', path: `${pathOf(id)}/${ending}` });
      expect(unanswered).toMatchObject({ status: 202, body: { status: 'HELD' } });
      expect(await refund(id)).toMatchObject(refusal(409, code));
      return id;
    };
    const ids = await Promise.all([open('capture', 'CAPTURE_IN_PROGRESS'), open('release', 'RELEASE_IN_PROGRESS')]);
    await services.bank.setFaults({});
    const end = async (id: string) => {
      await until('it is settled', async () => (await read(id)).status !== 'HELD');
      await refund(id);
      return (await read(id)).status;
    };
    expect(await Promise.all(ids.map(end))).toEqual(['REFUNDED', 'HOLD_RELEASED']);
  });

  test('is not decided while its owner cannot be asked', async () => {
    const { id } = await charge({ holdFunds: true });
    await services.kill('holds');
    expect(await refund(id)).toMatchObject(refusal(503, 'SERVICE_UNAVAILABLE'));
    await services.restart('holds');
    expect(await refund(id)).toMatchObject(refusal(409, 'PAYMENT_NOT_REFUNDABLE'));
  });
});

describe('a refund that the bank does not answer', () => {
  test.each([
    ['silentDone', 'REFUNDED'],
    ['silentNotDone', 'CONFIRMED'],
  ])('%s: stays as it was, and is %s when the bank has been asked', async (fault, end) => {
    const { id } = await charge({ amount: 5 });
    await services.bank.setFaults({ ...unansweredInquiries, next: [{ kind: 'refund', fault }] });
    const first = await refund(id, { reason: 'unanswered' });
    expect(first).toMatchObject({ status: 202, body: { id, status: 'CONFIRMED', amount: 5 } });
    expect(first.headers.get('retry-after')).toBe('1');
    expect(first.headers.get('location')).toBe(`/api${pathOf(id)}`);
    expect(await refund(id)).toMatchObject(refusal(409, 'REFUND_IN_PROGRESS'));
    await services.bank.setFaults({});
    let again: HttpAnswer | undefined;
    await until('the refund is settled', async () => {
      again = await patiently(() => refund(id));
      return (again.body as { code?: string }).code !== 'REFUND_IN_PROGRESS';
    });
    const approved = (await refundsOf(id)).filter(({ outcome }) => outcome === 'approved');
    expect(approved).toHaveLength(1);
    const event = await events.data('PaymentRefunded', id);
    expect(event.refundedAt.toISOString()).toBe(approved[0]?.createdAt);
    expect(event.reason).toBe(end === 'REFUNDED' ? 'unanswered' : null);
    expect(again?.status).toBe(end === 'REFUNDED' ? 409 : 200);
    expect((await read(id)).status).toBe('REFUNDED');
  });

  test('and in whose middle we die ends as the bank has it', async () => {
    const { id } = await charge();
    await services.bank.setFaults({ slowMs: 6_000, next: [{ kind: 'refund', fault: 'slow' }] });
    const lost = refund(id).catch(() => 'lost');
    await untilAtTheBank(services, 'payments');
    await services.kill('payments');
    expect(await lost).toBe('lost');
    await services.restart('payments');
    expect([409, 200]).toContain((await refund(id)).status);
    await until('the refund is settled', async () => (await read(id)).status === 'REFUNDED');
    expect(await refundsOf(id)).toHaveLength(1);
  });
});

test('whatever was published of these payments can be published again', async () => {
  const differences = () => retoldDifferently(services.db('payments'), events.of);
  await until('all of it is heard', async () => (await differences()).length === 0).catch(() => {});
  expect(await differences()).toEqual([]);
});

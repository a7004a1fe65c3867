import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  dataOf,
  type DataOf,
  type Envelope,
  type EventType,
  newEvent,
  parseEnvelope,
} from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import type { Payment } from '@cobro/contracts/payments.ts';
import { sql } from '@cobro/postgres/database.ts';
import { eventsExchange } from '@cobro/events/topology.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { type TestMerchant, testMerchant } from '@cobro/testing/test-merchant.ts';
import { until } from '@cobro/testing/until.ts';
import { connect } from 'amqplib';

let services: RunningServices;
let merchant: TestMerchant;
let card: string;

// Without holds, so that the test sends its events, in any order.
beforeAll(async () => {
  services = await startServices({ services: ['payments'], env: { BANK_CALL_TIMEOUT_MS: '5000' } });
  merchant = await testMerchant(services);
  card = (await merchant.saveCard()).id;
});
afterAll(() => services.stop());

const holds = { kind: 'service', name: 'holds' } as const;
const at = new Date('2026-05-05T12:00:00.000Z');
const hold = async () => (await merchant.charge(card, { amount: 70, holdFunds: true })).body as Payment;
const read = async (id: string) =>
  (await merchant.call({ path: `/payment-method/${card}/payment/${id}` })).body as Payment;
const handOver = (event: Envelope) =>
  services.call('payments', { method: 'POST', path: '/internal/events', body: event, caller: holds });

function about<T extends EventType>(
  type: T,
  paymentId: string,
  facts: Omit<DataOf<T>, 'paymentId' | 'organizationId'>,
) {
  const data = { paymentId, organizationId: merchant.organizationId, ...facts } as DataOf<T>;
  return newEvent(type, { subject: paymentId, sequence: 2, time: at, data });
}
const captured = (id: string, amount: bigint) => {
  const said = { authCode: 'A1', resultCode: '00', rawResponseText: 'APROBADA', authResult: 'APPROVED' } as const;
  const transaction = { bankReference: 'cap_1', ...said, createdAt: at };
  const rates = { feeBps: 350, promotionFeeDiscountBps: 0, promotionBusinessTakeBps: 0 };
  return about('HoldCaptured', id, { amount, capturedAt: at, rates, transaction });
};

describe('what becomes of a hold elsewhere', () => {
  test('is taken over once, by hand and by the broker', async () => {
    const { id } = await hold();
    const event = captured(id, 2_550n);
    expect(await handOver(event)).toMatchObject({ status: 200, body: { result: 'applied' } });
    expect(await handOver(event)).toMatchObject({ status: 200, body: { result: 'duplicate' } });
    const connection = await connect(services.broker.url);
    const channel = await connection.createConfirmChannel();
    const queued = captured((await hold()).id, 7_000n);
    for (const one of [event, queued, queued]) {
      const { content, headers } = services.keys.signed(one);
      channel.publish(eventsExchange(services.broker.prefix), one.type, content, { messageId: one.id, headers });
    }
    await channel.waitForConfirms();
    await until('the broker has brought the other', async () => (await read(queued.subject)).status === 'CONFIRMED');
    await connection.close();
    expect(await read(id)).toMatchObject({
      status: 'CONFIRMED',
      amount: 25.5,
      heldAmount: 70,
      capturedAt: at.toISOString(),
      holdReleasedAt: null,
      holdDaysRemaining: null,
    });
  });

  test.each([
    ['HoldReleased', 'HOLD_RELEASED'],
    ['HoldExpired', 'HOLD_EXPIRED'],
  ] as const)('%s: %s', async (type, status) => {
    const { id, holdExpiresAt } = await hold();
    await handOver(about(type, id, { releasedAt: at }));
    const copy = { status, amount: 70, holdReleasedAt: at.toISOString(), holdExpiresAt, holdDaysRemaining: null };
    expect(await read(id)).toMatchObject(copy);
    // A contradicting event changes nothing, because the copy has ended.
    for (const late of [captured(id, 7_000n), about('HoldReleased', id, { releasedAt: new Date() })]) {
      expect(await handOver(late)).toMatchObject({ status: 200 });
    }
    expect(await read(id)).toMatchObject({ ...copy, capturedAt: null });
  });

  test('comes to nothing for a payment that we do not have, or that never was a hold', async () => {
    expect(await handOver(captured(newId(), 100n))).toMatchObject({ status: 200, body: { result: 'applied' } });
    const charge = (await merchant.charge(card)).body as Payment;
    await handOver(about('HoldReleased', charge.id, { releasedAt: at }));
    await handOver(captured(charge.id, 100n));
    expect(await read(charge.id)).toEqual(charge);
  });

  test('that is sent in another shape changes nothing', async () => {
    const { id } = await hold();
    const bad = { ...captured(id, 100n), data: { paymentId: id, amount: '1.00' } };
    expect((await handOver(bad)).status).toBeGreaterThanOrEqual(400);
    expect(await handOver({ ...bad, data: captured(id, 100n).data })).toMatchObject({ body: { result: 'applied' } });
  });
});

describe('what holds asks of a payment', () => {
  const ask = async (id: string, paymentMethodId = card, organizationId = merchant.organizationId) => {
    const query = new URLSearchParams({ organizationId, paymentMethodId }).toString();
    return (await services.call('payments', { path: `/internal/payments/${id}?${query}`, caller: holds })).body;
  };

  test('is answered with the placing of the hold, however it ended', async () => {
    const { id, heldAt } = await hold();
    for (const ending of ['HoldReleased', 'HoldExpired'] as const) {
      const { kind, event } = (await ask(id)) as { kind: string; event: unknown };
      expect(kind).toBe('hold');
      const data = dataOf('HoldPlaced', parseEnvelope(event));
      expect(data).toMatchObject({ paymentId: id, paymentMethodId: card, amount: 7_000n });
      expect(data.heldAt.toISOString()).toBe(heldAt);
      await handOver(about(ending, id, { releasedAt: at }));
    }
  });

  test('or with why there is none', async () => {
    const other = (await merchant.saveCard()).id;
    const { id } = await hold();
    const charge = (await merchant.charge(card)).body as Payment;
    expect(await ask(id, card.toUpperCase())).toMatchObject({ kind: 'hold' });
    expect(await ask(charge.id)).toEqual({ kind: 'none', code: 'PAYMENT_NOT_HELD' });
    expect(await ask(id, other)).toEqual({ kind: 'none', code: 'PAYMENT_METHOD_MISMATCH' });
    expect(await ask(id, newId())).toEqual({ kind: 'none', code: 'PAYMENT_METHOD_NOT_FOUND' });
    expect(await ask(newId())).toEqual({ kind: 'none', code: 'PAYMENT_NOT_FOUND' });
    expect(await ask(id, card, newId())).toEqual({ kind: 'none', code: 'PAYMENT_METHOD_NOT_FOUND' });
  });
});

describe('an organization', () => {
  test('is kept as last published, in any order', async () => {
    const organizationId = newId();
    type Changed = 'OrganizationRegistered' | 'OrganizationChanged';
    const change = (sequence: number, name: string, type: Changed, more: { color?: string } = {}) =>
      newEvent(type, {
        subject: organizationId,
        sequence,
        time: at,
        data: { organizationId, name, websiteURL: null, partnerId: null, ...more },
      });
    const gateway = { kind: 'service', name: 'gateway' } as const;
    const publish = (body: Envelope) =>
      services.call('payments', { method: 'POST', path: '/internal/events', body, caller: gateway });
    const kept = () =>
      services.db('payments').one(sql`select name, color, sequence from organization where id = ${organizationId}`);
    for (const body of [
      change(3, 'Third', 'OrganizationChanged'),
      change(1, 'First', 'OrganizationRegistered'),
      change(2, 'Second', 'OrganizationChanged'),
    ]) {
      await publish(body);
    }
    expect(await kept()).toEqual({ name: 'Third', color: null, sequence: 3n });
    await publish(change(4, 'Third', 'OrganizationChanged', { color: '#0a7f5c' }));
    expect(await kept()).toEqual({ name: 'Third', color: '#0a7f5c', sequence: 4n });
  });
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Envelope, newEvent } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import type { Payment } from '@cobro/contracts/payments.ts';
import { sql } from '@cobro/postgres/database.ts';
import { untilAgreed } from '@cobro/testing/agreement.ts';
import { type HeardEvents, hearEvents } from '@cobro/testing/hear-events.ts';
import { type RunningServices, type ServiceName, startServices } from '@cobro/testing/start-services.ts';
import { moveToNoon, type TestHolds, testHolds } from '@cobro/testing/test-holds.ts';
import { until } from '@cobro/testing/until.ts';

let services: RunningServices;
let heard: HeardEvents;
let holds: TestHolds;
beforeAll(async () => {
  services = await startServices({ services: ['payments', 'holds'], env: { BANK_CALL_TIMEOUT_MS: '5000' } });
  await moveToNoon(services);
  heard = await hearEvents(services.broker);
  holds = await testHolds(services);
});
afterAll(async () => {
  await heard?.close();
  await services?.stop();
});

const published = async (held: Payment, type: string): Promise<Envelope> => {
  const find = () => heard.of(held.id).find((event) => event.type === type);
  await until(`${type} of ${held.id}`, () => find() !== undefined);
  return find() as Envelope;
};

/** Brings the event as the broker or the other service would. */
const bring = async (to: ServiceName, event: Envelope) => {
  const answer = await services.call(to, {
    method: 'POST',
    path: '/internal/events',
    body: event,
    caller: { kind: 'service', name: to === 'holds' ? 'payments' : 'holds' },
  });
  return (answer.body as { result: string }).result;
};

/** Waits until holds has the event, by hand-over or by the broker. */
const heardByHolds = (event: Envelope) =>
  until('holds has heard of it', async () => {
    const inbox = sql`select 1 from inbox where event_id = ${event.id}`;
    return (await services.db('holds').many(inbox)).length === 1;
  });

const publishedAgain = (event: Envelope): Envelope => ({ ...event, id: newId() });
const becomes = (held: Payment, status: Payment['status']) =>
  until(status, async () => (await holds.read(held)).status === status);

describe('an event that comes again', () => {
  test('HoldCaptured after the refund changes nothing, under its own id or another', async () => {
    const held = await holds.place();
    await holds.capture(held, { amount: 50 });
    const captured = await published(held, 'HoldCaptured');
    await becomes(held, 'CONFIRMED');
    expect(await holds.refund(held)).toMatchObject({ status: 200 });
    const refunded = await holds.read(held);

    expect(await bring('payments', captured)).toBe('duplicate');
    expect(await bring('payments', publishedAgain(captured))).toBe('applied');

    expect(await holds.read(held)).toEqual(refunded);
    expect(refunded).toMatchObject({ status: 'REFUNDED', amount: 50 });
  });

  test.each([
    ['capture', 'CONFIRMED'],
    ['release', 'HOLD_RELEASED'],
  ] as const)('HoldPlaced after the %s does not open the hold again', async (end, status) => {
    const held = await holds.place();
    const placed = await published(held, 'HoldPlaced');
    await holds[end](held);
    await heardByHolds(placed);

    expect(await bring('holds', placed)).toBe('duplicate');
    expect(await bring('holds', publishedAgain(placed))).toBe('applied');

    expect(await holds.capture(held)).toMatchObject({ status: 409, body: { code: 'PAYMENT_NOT_HELD' } });
    await becomes(held, status);
  });

  test('many copies at once are applied once', async () => {
    const held = await holds.place();
    await holds.capture(held);
    const captured = publishedAgain(await published(held, 'HoldCaptured'));
    const results = await Promise.all(Array.from({ length: 10 }, () => bring('payments', captured)));
    expect(results.filter((result) => result === 'applied')).toHaveLength(1);
    await becomes(held, 'CONFIRMED');
  });
});

describe('an event that comes late', () => {
  test('HoldPlaced after holds has asked for it: what came first counts', async () => {
    const held = await holds.place();
    const placed = await published(held, 'HoldPlaced');
    await heardByHolds(placed);
    await services.db('holds').run(sql`delete from hold where payment_id = ${held.id}`);
    expect(await holds.capture(held, { amount: 10 })).toMatchObject({ status: 200 });
    const row = await holdRow(held);

    expect(await bring('holds', publishedAgain(placed))).toBe('applied');

    expect(await holdRow(held)).toEqual(row);
  });

  test('an end that contradicts the one that payments knows is not taken over', async () => {
    const held = await holds.place();
    const captured = (await holds.capture(held)).body as Payment;
    await becomes(held, 'CONFIRMED');
    const { organizationId } = holds.merchant;
    for (const type of ['HoldReleased', 'HoldExpired'] as const) {
      const time = services.now();
      const data = { paymentId: held.id, organizationId, releasedAt: time };
      expect(await bring('payments', newEvent(type, { subject: held.id, sequence: 1, time, data }))).toBe('applied');
    }
    expect(await holds.read(held)).toEqual(captured);
  });
});

describe('what is published', () => {
  test('one HoldPlaced and one HoldCaptured with the bank’s answer', async () => {
    const held = await holds.place();
    await holds.capture(held, { amount: 12.34 });

    const data = await heard.data('HoldCaptured', held.id);

    const capture = (await services.bank.operations()).findLast(({ kind }) => kind === 'capture');
    expect(data).toMatchObject({
      paymentId: held.id,
      organizationId: holds.merchant.organizationId,
      amount: 1_234n,
      capturedAt: new Date(capture?.createdAt ?? ''),
      transaction: { bankReference: capture?.reference, authResult: 'APPROVED', resultCode: '00' },
    });
    await published(held, 'HoldPlaced');
    expect(heard.of(held.id)).toHaveLength(2);
  });

  test('nothing of a declined capture or release', async () => {
    const held = await holds.place();
    await services.bank.setFaults({ next: ['capture', 'void'].map((kind) => ({ kind, fault: 'decline' })) });
    expect([(await holds.capture(held)).status, (await holds.release(held)).status]).toEqual([402, 402]);
    await holds.release(held);
    await published(held, 'HoldReleased');
    await published(held, 'HoldPlaced');
    expect(heard.of(held.id)).toHaveLength(2);
  });
});

test('bank, payments and holds agree on all of it', async () => {
  const [payments, ours] = [services.db('payments'), services.db('holds')];
  await expect(untilAgreed({ bankUrl: services.bank.url, payments, holds: ours })).resolves.toBeUndefined();
});

const holdRow = (held: Payment) =>
  services.db('holds').maybe(sql`select to_jsonb(hold) as row from hold where payment_id = ${held.id}`);

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import type { Envelope } from '@cobro/contracts/events.ts';
import { sql } from '@cobro/postgres/database.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { about, approved, organizationEvent, paymentFacts, rates } from '@cobro/testing/test-facts.ts';
import fc from 'fast-check';
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

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute));

/** The lives that a payment can have: its events, and its final status. */
const lives = {
  charged: 'CONFIRMED',
  refunded: 'REFUNDED',
  declined: 'CANCELLED',
  held: 'HELD',
  captured: 'CONFIRMED',
  'captured and refunded': 'REFUNDED',
  released: 'HOLD_RELEASED',
  expired: 'HOLD_EXPIRED',
} as const;
type Life = keyof typeof lives;

function eventsOf(life: Life): Envelope[] {
  const facts = paymentFacts();
  const ids = { paymentId: facts.paymentId, organizationId: facts.organizationId };
  const confirmed = about('PaymentConfirmed', { ...facts, confirmedAt: at(1) });
  const placed = about('HoldPlaced', { ...facts, captureBefore: null, heldAt: at(1) });
  const transaction = approved('capture-1', '2026-11-20T12:02:00.000Z');
  const captured = about('HoldCaptured', { ...ids, amount: 70_001n, capturedAt: at(2), rates, transaction });
  const refund = { ...ids, paymentIntentId: null, amount: 1n, refundedAt: at(3), reason: null, payment: null };
  const refunded = about('PaymentRefunded', {
    ...refund,
    transaction: approved('refund-1', '2026-11-20T12:03:00.000Z'),
  });
  switch (life) {
    case 'charged':
      return [confirmed];
    case 'refunded':
      return [confirmed, refunded];
    case 'declined':
      return [about('PaymentDeclined', { ...facts, declinedAt: at(1), declineCode: 'generic_decline' })];
    case 'held':
      return [placed];
    case 'captured':
      return [placed, captured];
    case 'captured and refunded':
      return [placed, captured, refunded];
    case 'released':
      return [placed, about('HoldReleased', { ...ids, releasedAt: at(2) })];
    case 'expired':
      return [placed, about('HoldExpired', { ...ids, releasedAt: at(2) })];
  }
}

async function rowOf(event: Envelope) {
  const { row } = await reporting.db.one<{ row: Record<string, unknown> }>(sql`
    select to_jsonb(payment) - 'listed_at' as row from payment where id = ${event.subject}`);
  return row;
}

/** The same events under new ids, copies of one event under one id, as published again for a service that missed them. */
function retold(events: Envelope[]): Envelope[] {
  const ids = new Map(events.map(({ id }) => [id, newId()]));
  return events.map((event) => ({ ...event, id: ids.get(event.id) ?? event.id }));
}

describe('the projection of a payment', () => {
  test('is the same whatever the order of its events, also when they come twice', async () => {
    for (const [life, status] of Object.entries(lives) as [Life, string][]) {
      const events = eventsOf(life);
      for (const event of events) await reporting.receive(event);
      const [first] = events as [Envelope];
      const expected = await rowOf(first);
      expect(expected['status']).toBe(status);
      await fc.assert(
        fc.asyncProperty(
          fc.shuffledSubarray([...events, ...events], { minLength: events.length * 2 }),
          async (shuffled) => {
            await reporting.db.run(sql`delete from payment`);
            for (const event of retold(shuffled)) await reporting.receive(event);
            expect(await rowOf(first)).toEqual(expected);
          },
        ),
        { numRuns: events.length === 1 ? 1 : 12 },
      );
    }
  });

  test('is the same when its events come all at once, as to several replicas', async () => {
    for (let round = 0; round < 10; round++) {
      const events = eventsOf('captured and refunded');
      const applied = await reporting.receive(...events, ...events.toReversed(), ...events);
      expect(applied.filter((result) => result === 'applied')).toHaveLength(3);
      const row = await rowOf(events[0] as Envelope);
      expect(row).toMatchObject({ status: 'REFUNDED', amount: 70_001, disbursement: { feeAmount: 2_450 } });
    }
  });

  test('has the status of the strongest fact, whichever are known', async () => {
    const ranks = [
      ['refunded_at', 'REFUNDED'],
      ['confirmed_at', 'CONFIRMED'],
      ['captured_at', 'CONFIRMED'],
      ['expired_at', 'HOLD_EXPIRED'],
      ['released_at', 'HOLD_RELEASED'],
      ['held_at', 'HELD'],
      ['declined_at', 'CANCELLED'],
    ] as const;
    const event = eventsOf('declined')[0] as Envelope;
    await reporting.receive(event);
    for (let known = 1; known < 2 ** ranks.length; known++) {
      const fact = (i: number) => ((known >> i) & 1 ? at(1) : null);
      const capture = fact(2) && { amount: 1n, transaction: '{}' };
      const { status } = await reporting.db.one<{ status: string }>(sql`
        update payment set refunded_at = ${fact(0)}, confirmed_at = ${fact(1)}, captured_at = ${fact(2)},
          captured_amount = ${capture?.amount}, capture_transaction = ${capture?.transaction}, expired_at = ${fact(3)},
          released_at = ${fact(4)}, held_at = ${fact(5)}, hold_expires_at = ${fact(5)}, declined_at = ${fact(6)}
        where id = ${event.subject} returning status`);
      expect(status).toBe(ranks.find((_, i) => (known >> i) & 1)?.[1]);
    }
  });

  test('facts without the making of the payment have no status and come into no list', async () => {
    const [placed, captured] = eventsOf('captured') as [Envelope, Envelope];
    await reporting.receive(captured);
    expect(await rowOf(captured)).toMatchObject({
      status: null,
      captured_amount: 70_001,
      disbursement: { feeAmount: 2_450 },
    });
    await reporting.receive(placed);
    expect(await rowOf(captured)).toMatchObject({ status: 'CONFIRMED', disbursement: { feeAmount: 2_450 } });
  });
});

describe('the projection of an organization', () => {
  test('is what its highest sequence says, whatever the order', async () => {
    const organizationId = newId();
    const partnerId = newId();
    const events = [
      organizationEvent('OrganizationRegistered', 1, { organizationId, name: 'Uno', partnerId: null }),
      organizationEvent('OrganizationChanged', 2, { organizationId, name: 'Dos', partnerId }),
      organizationEvent('OrganizationChanged', 10, { organizationId, name: 'Diez', partnerId: null }),
    ];
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(events, { minLength: 3 }), async (shuffled) => {
        await reporting.db.run(sql`delete from organization`);
        for (const event of retold(shuffled)) await reporting.receive(event);
        const row = await reporting.db.one(sql`select name, partner_id, sequence from organization`);
        expect(row).toEqual({ name: 'Diez', partner_id: null, sequence: 10n });
      }),
      { numRuns: 6 },
    );
  });
});

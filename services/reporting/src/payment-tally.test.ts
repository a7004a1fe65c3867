import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import type { Envelope } from '@cobro/contracts/events.ts';
import { sql } from '@cobro/postgres/database.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import fc from 'fast-check';
import { foldOldestChanges } from './payment-tally.store.ts';
import { about, approved, paymentFacts, startReporting } from './reporting-under-test.ts';

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

const organizations = [newId(), newId()];
const at = new Date('2026-11-20T12:01:00.000Z');

/** The events of a payment, with how many of them are told, in their order. */
const history = fc.record({
  organization: fc.constantFrom(...organizations),
  life: fc.constantFrom('charge', 'decline', 'capture', 'release', 'expiry'),
  terms: fc.constantFrom(1, 3),
  issuingBank: fc.constantFrom('BBVA', 'BANORTE'),
  day: fc.integer({ min: 1, max: 60 }),
  told: fc.integer({ min: 1, max: 3 }),
});
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

function eventsOf({ organization, life, terms, issuingBank, day, told }: History): Envelope[] {
  const given = paymentFacts();
  const createdAt = new Date(Date.UTC(2026, 8, day, day % 24));
  const facts = { ...given, organizationId: organization, terms, createdAt, card: { ...given.card, issuingBank } };
  const ids = { paymentId: facts.paymentId, organizationId: organization };
  const transaction = approved('bank-1', '2026-11-20T12:02:00.000Z');
  const held = about('HoldPlaced', { ...facts, heldAt: at });
  const refunded = about('PaymentRefunded', {
    ...ids,
    paymentIntentId: null,
    amount: 1n,
    refundedAt: at,
    reason: null,
    transaction,
  });
  const all = {
    charge: () => [about('PaymentConfirmed', { ...facts, confirmedAt: at }), refunded],
    decline: () => [about('PaymentDeclined', { ...facts, declinedAt: at, declineCode: 'do_not_honor' })],
    capture: () => [held, about('HoldCaptured', { ...ids, amount: 700n, capturedAt: at, transaction }), refunded],
    release: () => [held, about('HoldReleased', { ...ids, releasedAt: at })],
    expiry: () => [held, about('HoldExpired', { ...ids, releasedAt: at })],
  }[life]();
  return all.slice(0, told);
}

/** The same event again, under another id: from a producer that has forgotten that it told it. */
const again = (event: Envelope): Envelope => ({ ...event, id: newId() });

/** Tallies of each kind and span, with what waits to be folded, beside the rows themselves. */
async function differences(): Promise<unknown[]> {
  return reporting.db.many(sql`
    with of_rows as (
      select organization_id, (created_at at time zone interval '-06:00')::date as day, status, type, terms, issuing_bank, 1 as payments
      from payment where status is not null
    ), right_ones as (
      select organization_id, span, case span when 'all' then date '1970-01-01' when 'month' then date_trunc('month', day::timestamp)::date else day end as starts,
        status, type, terms, issuing_bank, payments
      from of_rows cross join unnest(array['all', 'month', 'day']) as span
    ), ours as (
      select organization_id, span, starts, status, type, terms, issuing_bank, payments from payment_tally
      union all
      select organization_id, span, case span when 'all' then date '1970-01-01' when 'month' then date_trunc('month', day::timestamp)::date else day end,
        status, type, terms, issuing_bank, change
      from payment_change cross join unnest(array['all', 'month', 'day']) as span
    )
    select organization_id, span, starts, status, type, terms, issuing_bank, sum(payments) as off
    from (select * from ours union all select organization_id, span, starts, status, type, terms, issuing_bank, -payments from right_ones) as both_sides
    group by 1, 2, 3, 4, 5, 6, 7
    having sum(payments) <> 0`);
}

test('tallies and changes are what the rows are, after events in any order, again and at once, however they are folded', async () => {
  const histories = fc.array(history, { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(histories, fc.infiniteStream(fc.nat(6)), async (given, chance) => {
      const next = () => chance.next().value ?? 0;
      const events = given.flatMap(eventsOf);
      const shuffled = [...events, ...events.filter(() => next() < 3).map(again)]
        .map((event) => ({ event, rank: next() * 1_000 + next() }))
        .toSorted((a, b) => a.rank - b.rank)
        .map(({ event }) => event);
      for (let first = 0; first < shuffled.length;) {
        const together = 1 + next();
        await Promise.all([
          reporting.receive(...shuffled.slice(first, first + together)),
          ...(next() < 3 ? [reporting.db.inTransaction((tx) => foldOldestChanges(tx, 1 + next()))] : []),
        ]);
        first += together;
      }
      expect(await differences()).toEqual([]);
      await Promise.all([1, 2].map(() => reporting.db.inTransaction((tx) => foldOldestChanges(tx, 1_000))));
      expect(await differences()).toEqual([]);
      const { waiting, empty } = await reporting.db.one<{ waiting: number; empty: number }>(sql`
        select (select count(*)::int from payment_change) as waiting,
          (select count(*)::int from payment_tally where payments <= 0) as empty`);
      expect({ waiting, empty }).toEqual({ waiting: 0, empty: 0 });
    }),
    { numRuns: 40 },
  );
});

test('a payment that is deleted is counted no more', async () => {
  await reporting.receive(
    ...eventsOf({ organization: newId(), life: 'charge', terms: 1, issuingBank: 'BBVA', day: 1, told: 1 }),
  );
  await reporting.db.run(sql`delete from payment`);
  expect(await differences()).toEqual([]);
});

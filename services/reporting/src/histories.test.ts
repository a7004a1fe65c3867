import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Envelope, newEvent } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { sql } from '@cobro/postgres/database.ts';
import { inFull } from '@cobro/testing/in-full.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { about, approved, organizationEvent, paymentFacts, rates } from '@cobro/testing/test-facts.ts';
import fc from 'fast-check';
import { findMissummed } from './day-sum.store.ts';
import { findMiscounted, foldOldestChanges } from './payment-tally.store.ts';
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

const at = new Date('2026-11-20T12:01:00.000Z');

/** A payment's events in their order, for one of these organizations, and how many of them are published. */
const lifeOf = (organizations: string[]) =>
  fc.record({
    organization: fc.constantFrom(...organizations),
    life: fc.constantFrom('charge', 'decline', 'capture', 'release', 'expiry'),
    terms: fc.constantFrom(1, 3),
    issuingBank: fc.constantFrom('BBVA', 'BANORTE'),
    day: fc.integer({ min: 1, max: 60 }),
    known: fc.integer({ min: 1, max: 3 }),
  });
type Life = ReturnType<typeof lifeOf> extends fc.Arbitrary<infer T> ? T : never;

function eventsOf({ organization, life, terms, issuingBank, day, known }: Life): Envelope[] {
  const given = paymentFacts();
  const createdAt = new Date(Date.UTC(2026, 8, day, day % 24));
  const facts = { ...given, organizationId: organization, terms, createdAt, card: { ...given.card, issuingBank } };
  const ids = { paymentId: facts.paymentId, organizationId: organization };
  const transaction = approved('bank-1', '2026-11-20T12:02:00.000Z');
  const held = about('HoldPlaced', { ...facts, captureBefore: null, heldAt: at });
  const refunded = about('PaymentRefunded', {
    ...ids,
    paymentIntentId: null,
    amount: 1n,
    refundedAt: at,
    reason: null,
    payment: null,
    transaction,
  });
  const all = {
    charge: () => [about('PaymentConfirmed', { ...facts, confirmedAt: at }), refunded],
    decline: () => [about('PaymentDeclined', { ...facts, declinedAt: at, declineCode: 'do_not_honor' })],
    capture: () => [
      held,
      about('HoldCaptured', { ...ids, amount: 700n, capturedAt: at, rates, transaction }),
      refunded,
    ],
    release: () => [held, about('HoldReleased', { ...ids, releasedAt: at })],
    expiry: () => [held, about('HoldExpired', { ...ids, releasedAt: at })],
  }[life]();
  return all.slice(0, known);
}

/** The same event under another id, as from a producer that has forgotten that it published it. */
const again = (event: Envelope): Envelope => ({ ...event, id: newId() });

const organizations = [newId(), newId()];
const differences = async () => [
  ...(await findMiscounted(reporting.db, 100)),
  ...(await findMissummed(reporting.db, 100)),
];

test('tallies, sums of days and their changes are what the rows are, after events in any order, again and at once, however they are folded', async () => {
  const histories = fc.array(lifeOf(organizations), { minLength: 1, maxLength: 12 });
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
        select (select count(*)::int from payment_change) + (select count(*)::int from day_change) as waiting,
          (select count(*)::int from payment_tally where payments <= 0)
            + (select count(*)::int from day_sum where payments <= 0) as empty`);
      expect({ waiting, empty }).toEqual({ waiting: 0, empty: 0 });
    }),
    { numRuns: 40 },
  );
});

test('sums of days are completed once from rows that they lack, by several at once, while others come and are folded', async () => {
  await reporting.db.run(sql`delete from payment`);
  while ((await reporting.db.inTransaction((tx) => foldOldestChanges(tx, 1_000))) > 0);
  const life = (day: number) =>
    eventsOf({ organization: newId(), life: 'charge', terms: 1, issuingBank: 'BBVA', day, known: 2 });
  for (let day = 1; day <= 5; day++) await reporting.receive(...life(day));
  // Makes the payments look older than the sums.
  await reporting.db.run(sql`delete from day_change`);
  expect(await findMissummed(reporting.db, 100)).toHaveLength(15);
  const complete = () => reporting.db.run(sql`select complete_day_sums()`);
  await Promise.all([
    complete(),
    reporting.receive(...life(6)),
    reporting.receive(...life(7)),
    reporting.db.inTransaction((tx) => foldOldestChanges(tx, 2)),
    complete(),
    complete(),
  ]);
  expect(await findMissummed(reporting.db, 100)).toEqual([]);
  await complete();
  expect(await findMissummed(reporting.db, 100)).toEqual([]);
});

test('a payment that is deleted is counted no more', async () => {
  await reporting.receive(
    ...eventsOf({ organization: newId(), life: 'charge', terms: 1, issuingBank: 'BBVA', day: 1, known: 1 }),
  );
  await reporting.db.run(sql`delete from payment`);
  expect(await differences()).toEqual([]);
});

describe('a whole history, of many payments and of the records that partners read beside them', () => {
  const [organization, terminalId, branchId, salespersonId] = [newId(), newId(), newId(), newId()];
  const changed = fc.record({
    what: fc.constantFrom('organization', 'terminal', 'branch', 'salesperson'),
    sequence: fc.integer({ min: 1, max: 6 }),
  });
  /** Each change of a record has its own sequence, and each sequence one name. */
  const record = ({ what, sequence }: typeof changed extends fc.Arbitrary<infer T> ? T : never): Envelope => {
    const organizationId = organization;
    const name = `${what} ${sequence}`;
    const as = (subject: string) => ({ subject, sequence, time: at });
    switch (what) {
      case 'organization':
        return organizationEvent('OrganizationChanged', sequence, { organizationId, name, partnerId: null });
      case 'terminal': {
        const data = { terminalId, organizationId, serialNumber: name, branchId: null, salespersonId: null };
        return newEvent('TerminalChanged', { ...as(terminalId), data });
      }
      case 'branch':
        return newEvent('BranchChanged', { ...as(branchId), data: { branchId, organizationId, name } });
      case 'salesperson':
        return newEvent('SalespersonChanged', {
          ...as(salespersonId),
          data: { salespersonId, organizationId, name, username: name, status: 'ACTIVE', branchId: null },
        });
    }
  };

  async function clear() {
    for (const table of [
      'payment',
      'payment_change',
      'payment_tally',
      'day_change',
      'day_sum',
      'organization',
      'terminal',
      'branch',
      'salesperson',
      'inbox',
    ]) {
      await reporting.db.run({ text: `delete from ${table}`, values: [] });
    }
  }

  /** Every row of every table but the inbox, after folding. Without `listed_at`, which no event has. */
  async function endState() {
    while ((await reporting.db.inTransaction((tx) => foldOldestChanges(tx, 1_000))) > 0);
    const { rows } = await reporting.db.one<{ rows: object[] }>(sql`
      select json_agg(row order by row::text) as rows from (
        select to_jsonb(payment) - 'listed_at' as row from payment
        union all select to_jsonb(payment_tally) from payment_tally
        union all select to_jsonb(payment_change) from payment_change
        union all select to_jsonb(day_sum) from day_sum
        union all select to_jsonb(day_change) from day_change
        union all select to_jsonb(organization) from organization
        union all select to_jsonb(terminal) from terminal
        union all select to_jsonb(branch) from branch
        union all select to_jsonb(salesperson) from salesperson
      ) as every`);
    return rows;
  }

  test('ends in the same state shuffled, repeated, delayed and by several at once', async () => {
    const histories = fc.record({
      lives: fc.array(lifeOf([organization, newId()]), { minLength: 1, maxLength: 8 }),
      records: fc.array(changed, { maxLength: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(histories, fc.infiniteStream(fc.nat(9)), async ({ lives: given, records }, chance) => {
        const next = () => chance.next().value ?? 0;
        const events = [...given.flatMap(eventsOf), ...records.map(record)];
        await clear();
        for (const event of events) await reporting.receive(event);
        const expected = await endState();

        await clear();
        // Some are published again by a forgetful producer or delivered again by the broker, each with its own delay.
        const copies = events.flatMap((event) => {
          const first = again(event);
          return [first, ...(next() < 3 ? [first] : []), ...(next() < 3 ? [again(event)] : [])];
        });
        const arriving = copies
          .map((event) => ({ event, late: next() * 10 + next() }))
          .toSorted((a, b) => a.late - b.late)
          .map(({ event }) => event);
        while (arriving.length > 0) await reporting.receive(...arriving.splice(0, 1 + next()));
        expect(await endState()).toEqual(expected);
      }),
      { numRuns: inFull ? 300 : 5 },
    );
  });
});

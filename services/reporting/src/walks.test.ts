import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PaymentFacts } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { sql } from '@cobro/postgres/database.ts';
import { inFull } from '@cobro/testing/in-full.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { about, approved, merchant, paymentFacts, rates } from '@cobro/testing/test-facts.ts';
import fc from 'fast-check';
import { startReporting } from './reporting-under-test.ts';

const RUNS = inFull ? 400 : 6;

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

const cards = [newId(), newId()];
/** Few different times, so that many payments share one and their ids decide the order. */
const minutes = fc.integer({ min: 0, max: 5 });
const made = fc.record({
  as: fc.constantFrom('charge', 'hold', 'decline'),
  minute: minutes,
  type: fc.constantFrom('CARD_PRESENT', 'CARD_NOT_PRESENT'),
  card: fc.constantFrom(...cards),
});
type Made = typeof made extends fc.Arbitrary<infer T> ? T : never;

/** What happens during a walk; `on` picks one of the payments that it can happen to. */
const step = fc.oneof(
  fc.record({ what: fc.constant('create'), as: made }),
  fc.record({ what: fc.constantFrom('capture', 'release', 'refund'), on: fc.nat(40) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Filters on fields that never change, and on fields that do. */
const lasting = ['', 'type=CARD_PRESENT', `paymentMethodId=${cards[0]}`, 'createdAtFrom=2026-11-20T12:02:00Z'];
const changing = [
  'status=HELD',
  'status=CONFIRMED',
  'status=REFUNDED&status=CONFIRMED',
  'status=HELD&type=CARD_PRESENT',
];

const time = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute));

/** A new merchant for each run, and the events of its payments. */
function newHistory() {
  const organizationId = newId();
  const payments: { facts: PaymentFacts; held: boolean; paid: boolean; changed: boolean }[] = [];
  const create = async ({ as, minute, type, card }: Made) => {
    const facts = paymentFacts({ organizationId, type, createdAt: time(minute), paymentMethodId: card });
    payments.push({ facts, held: as === 'hold', paid: as === 'charge', changed: false });
    await reporting.receive(
      as === 'charge'
        ? about('PaymentConfirmed', { ...facts, confirmedAt: time(minute) })
        : as === 'hold'
          ? about('HoldPlaced', { ...facts, captureBefore: null, heldAt: time(minute) })
          : about('PaymentDeclined', { ...facts, declinedAt: time(minute), declineCode: 'do_not_honor' }),
    );
  };
  const happen = async (given: Step) => {
    if ('as' in given) return create(given.as);
    const able = payments.filter(({ held, paid }) => (given.what === 'refund' ? paid : held));
    const one = able[given.on % Math.max(able.length, 1)];
    if (one === undefined) return undefined;
    const ids = { paymentId: one.facts.paymentId, organizationId };
    const transaction = approved('bank-1', '2026-11-20T13:00:00.000Z');
    Object.assign(one, { held: false, paid: given.what === 'capture', changed: true });
    await reporting.receive(
      given.what === 'capture'
        ? about('HoldCaptured', { ...ids, amount: 700n, capturedAt: time(30), rates, transaction })
        : given.what === 'release'
          ? about('HoldReleased', { ...ids, releasedAt: time(30) })
          : about('PaymentRefunded', {
              ...ids,
              paymentIntentId: null,
              amount: 1n,
              refundedAt: time(40),
              reason: null,
              payment: null,
              transaction,
            }),
    );
  };
  return { organizationId, payments, create, happen };
}

type History = ReturnType<typeof newHistory>;

/** Follows the list to its end. `between` happens while each page but the first is read. */
async function walk(history: History, filter: string, sizes: number[], between: Step[][]): Promise<string[]> {
  const seen: string[] = [];
  for (let page = 0, cursor = ''; ; page++) {
    const limit = sizes[page % sizes.length];
    const reading = reporting.get(
      merchant(history.organizationId),
      `/developer/v1/payment?${[filter, `limit=${limit}`, cursor && `cursor=${cursor}`].filter(Boolean).join('&')}`,
    );
    const steps = page === 0 ? [] : (between[page % Math.max(between.length, 1)] ?? []);
    const [{ body }] = await Promise.all([reading, inOrder(steps, history.happen)]);
    seen.push(...body.data.map(({ id }: { id: string }) => id));
    if (!body.pagination.hasMore) return seen;
    cursor = body.pagination.nextCursor;
  }
}

async function inOrder(steps: Step[], happen: (step: Step) => Promise<void>): Promise<void> {
  for (const one of steps) await happen(one);
}

const matching = async ({ organizationId }: History, filter: string): Promise<string[]> => {
  const { body } = await reporting.get(merchant(organizationId), `/developer/v1/payment?${filter}&limit=100`);
  return body.data.map(({ id }: { id: string }) => id);
};

const story = fc.record({
  first: fc.array(made, { maxLength: 20 }),
  sizes: fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 3 }),
  between: fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 6 }),
});

test('a walk shows each payment that there was at its start once, and no other, whatever happens meanwhile and at any page size', async () => {
  await fc.assert(
    fc.asyncProperty(story, fc.constantFrom(...lasting), async ({ first, sizes, between }, filter) => {
      const history = newHistory();
      await inOrder(
        first.map((as) => ({ what: 'create' as const, as })),
        history.happen,
      );
      const expected = await matching(history, filter);
      expect(await walk(history, filter, sizes, between)).toEqual(expected);
    }),
    { numRuns: RUNS },
  );
});

test('under a filter by status it shows each payment that does not change once, and one that changes at most once', async () => {
  await fc.assert(
    fc.asyncProperty(story, fc.constantFrom(...changing), async ({ first, sizes, between }, filter) => {
      const history = newHistory();
      await inOrder(
        first.map((as) => ({ what: 'create' as const, as })),
        history.happen,
      );
      const [expected, known] = [await matching(history, filter), new Set(history.payments.map(idOf))];
      const seen = await walk(history, filter, sizes, between);
      const changed = new Set(history.payments.filter((payment) => payment.changed).map(idOf));
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.filter((id) => !known.has(id))).toEqual([]);
      expect(seen.filter((id) => !changed.has(id))).toEqual(expected.filter((id) => !changed.has(id)));
    }),
    { numRuns: RUNS },
  );
});

const idOf = ({ facts }: { facts: PaymentFacts }) => facts.paymentId;

test('a page that is read in the moment in which a payment comes shows it or does not, and the walk never shows it twice', async () => {
  const history = newHistory();
  const { organizationId } = history;
  for (let n = 0; n < 12; n++)
    await history.create({ as: 'charge', minute: n % 3, type: 'CARD_PRESENT', card: newId() });
  const before = new Set(history.payments.map(idOf));
  const creating = Array.from({ length: 30 }, (_, n) =>
    history.create({ as: 'hold', minute: n % 4, type: 'CARD_PRESENT', card: newId() }),
  );
  const walks = await Promise.all([1, 2, 5].map((size) => walk(history, '', [size], [])));
  await Promise.all(creating);
  for (const seen of walks) {
    expect(new Set(seen).size).toBe(seen.length);
    expect([...before].filter((id) => !seen.includes(id))).toEqual([]);
  }
  const { count } = await reporting.db.one<{ count: number }>(sql`
    select count(*)::int as count from payment where organization_id = ${organizationId}`);
  expect(count).toBe(42);
});

import type { Movement } from '@cobro/contracts/acquirer/settlement-report.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { dayInMexicoCity } from '@cobro/domain/mexico-city.ts';
import { describe, expect, test } from '@jest/globals';
import type { OperationRecord } from './records.ts';
import { type Books, reconcileDay } from './reconcile-day.ts';

const DAY = '2026-11-20';
const charge = newId();

const movement = (given: Pick<Movement, 'id' | 'kind' | 'gross'> & { about?: string; time?: string }): Movement => ({
  about: null,
  fee: null,
  net: null,
  currency: 'MXN',
  reference: `ref ${given.id}`.replace(' ', '_'),
  time: '2026-11-20T18:00:00.000Z',
  ...given,
});

/** An acquirer that reports these movements, two a page, and says that it approved these charges. Our books have only these charges. */
function booksWith(
  reported: Movement[],
  { approved = [], asOf = '2026-11-21T18:00:00Z' }: { approved?: OperationRecord[]; asOf?: string } = {},
): Books {
  const none = async () => [];
  const dayOf = ({ time }: Movement) => dayInMexicoCity(new Date(time));
  return {
    bank: {
      report: async (day, after) => ({
        asOf: new Date(asOf),
        data: reported
          .filter((one) => dayOf(one) === day && (after === undefined || one.id > after))
          .toSorted((a, b) => (a.id < b.id ? -1 : 1))
          .slice(0, 2),
      }),
      ask: async ({ reference, time }) => ({ outcome: 'approved', reference, createdAt: time ?? '' }),
    },
    operations: [
      {
        answeredIn: async (hour, after) =>
          after === undefined ? approved.filter(({ time }) => time?.startsWith(hour)) : [],
        withIds: none,
        // A refund is under way, so that only the operations are compared.
        ofPayments: async () => [...approved, ...approved.map((one) => ({ ...one, status: 'open' as const }))],
      },
    ],
    payments: none,
    holds: none,
    projections: none,
  };
}

test('money that an acquirer moved by itself is a difference of its kind, whatever its id is', async () => {
  const found = await reconcileDay(
    booksWith([
      movement({ id: '!adjusted', kind: 'adjustment', gross: -5 }),
      movement({ id: 'dp_1', kind: 'dispute', gross: -10_000, about: charge }),
      movement({ id: 're_1', kind: 'refund_failed', gross: 10_000, about: charge }),
    ]),
    DAY,
  );
  expect(found.byKind).toEqual({ adjustment: 1, dispute: 1, refund_failed: 1 });
  expect(found.listed.map(({ sentence }) => sentence).join('\n')).toContain(charge);
});

describe('a charge of the last or first minutes of the day that the bank has approved and not booked on it', () => {
  const chargeAt = (time: string): OperationRecord => ({
    id: newId(),
    acquirer: 'default',
    purpose: 'charge',
    subjectId: charge,
    amount: 10_000n,
    status: 'approved',
    reference: 'ref',
    declineCode: null,
    time,
  });
  const others = ['a', 'b', 'z'].map((id) =>
    movement({ id, kind: 'charge', gross: 1, time: '2026-11-21T07:00:00.000Z' }),
  );
  const LAST = '2026-11-21T05:58:00.000Z';
  const FIRST = '2026-11-20T06:02:00.000Z';

  test.each([
    ['on the next day', LAST, '2026-11-21T06:00:10.000Z'],
    ['on the day before', FIRST, '2026-11-20T05:59:50.000Z'],
  ])('but %s is no difference', async (_name, time, booked) => {
    const one = chargeAt(time);
    const moved = movement({ id: one.id, kind: 'charge', gross: 10_000, time: booked });
    const found = await reconcileDay(booksWith([...others, moved], { approved: [one] }), DAY);
    expect(found).toMatchObject({ differences: 0, recent: 1 });
  });

  test.each([LAST, FIRST])('and on no other is one: %s', async (time) => {
    const one = chargeAt(time);
    const found = await reconcileDay(booksWith(others, { approved: [one] }), DAY);
    expect(found).toMatchObject({ differences: 1, recent: 0, listed: [{ what: 'missing_there', id: one.id }] });
  });

  test('is none while the next day’s report has only begun', async () => {
    const approved = [chargeAt(LAST)];
    const found = await reconcileDay(booksWith(others, { approved, asOf: '2026-11-21T06:04:00Z' }), DAY);
    expect(found).toMatchObject({ differences: 0, recent: 1 });
  });
});

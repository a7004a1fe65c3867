import type { Movement } from '@cobro/contracts/acquirer/settlement-report.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { expect, test } from '@jest/globals';
import { type Books, reconcileDay } from './reconcile-day.ts';

const DAY = '2026-11-20';
const charge = newId();

const movement = (given: Pick<Movement, 'id' | 'kind' | 'gross'> & { about?: string }): Movement => ({
  about: null,
  fee: null,
  net: null,
  currency: 'MXN',
  reference: `ref ${given.id}`.replace(' ', '_'),
  time: '2026-11-20T18:00:00.000Z',
  ...given,
});

/** An acquirer that reports these movements, a page of two at a time, beside books of ours that are empty. */
function booksWith(reported: Movement[]): Books {
  const none = async () => [];
  return {
    bank: {
      report: async (_day, after) => ({
        asOf: new Date('2026-11-21T18:00:00Z'),
        data: reported.filter(({ id }) => after === undefined || id > after).slice(0, 2),
      }),
      ask: async () => undefined,
    },
    operations: [{ answeredIn: none, withIds: none, ofPayments: none }],
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

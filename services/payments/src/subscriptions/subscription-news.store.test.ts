import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { News } from './subscription-news.rules.ts';
import { findPublished, notePublished } from './subscription-news.store.ts';
import { day, type StoredSubscriptions, storedSubscriptions } from './subscriptions-under-test.ts';

let stored: StoredSubscriptions;
beforeAll(async () => {
  stored = await storedSubscriptions();
});
afterAll(() => stored.close());

test('what was found by one look is published again in the order in which it was published', async () => {
  const subscriptionId = await stored.given({}, false);
  const looks: News[][] = [
    [
      { change: 'created', periodNumber: null },
      { change: 'renewed', periodNumber: 1 },
      { change: 'past_due', periodNumber: 2 },
    ],
    [
      { change: 'recovered', periodNumber: 2 },
      { change: 'renewed', periodNumber: 3 },
      { change: 'past_due', periodNumber: 4 },
      { change: 'cancelled', periodNumber: null },
    ],
  ];
  const all = looks.flatMap((look, i) => look.map((one) => ({ ...one, subscriptionId, at: day(i + 1) })));
  await stored.db.inTransaction(async (tx) => notePublished(tx, all.toReversed()));
  const [row] = await findPublished(stored.db, [subscriptionId], day(15));
  expect(row?.published.map(({ at: _, ...one }) => one)).toEqual(looks.flat());
});

import { describe, expect, test } from '@jest/globals';
import type { SubscriptionRow } from './subscription.row.ts';
import { type Announced, announcedAfter, newsOf, renewingNumber } from './subscription-news.rules.ts';
import { testSubscription } from './test-subscription.ts';

const nothing: Announced = { created: false, paid: 0, pastDue: 0, end: false };
const begun: Announced = { created: true, paid: 1, pastDue: 0, end: false };

/** Monthly from 31 January, charged when it was created. */
const row = (over: Partial<SubscriptionRow> = {}): SubscriptionRow =>
  testSubscription({
    firstBillingDate: '2026-01-31',
    wakeAt: new Date(0),
    createdAt: new Date('2026-01-31T18:00:00Z'),
    updatedAt: new Date('2026-01-31T18:00:00Z'),
    ...over,
  });

const said = (...given: Parameters<typeof newsOf>) =>
  newsOf(...given).map(({ change, periodNumber }) => [change, periodNumber]);

describe('what is published of a subscription', () => {
  const endedAt = new Date('2026-03-01T00:00:00Z');
  test.each<[string, Partial<SubscriptionRow>, Announced, number[], [string, number | null][]]>([
    ['one that waits for its first charge', { isStarted: false }, nothing, [], []],
    ['its first charge, when it was created', {}, nothing, [1], [['created', null]]],
    [
      'a first charge that failed',
      { isStarted: false, endedAt, endReason: 'FIRST_CHARGE_FAILED' },
      nothing,
      [],
      [['cancelled', null]],
    ],
    ['one that begins later', { firstBillingDate: '2026-02-10', latestNumber: 0 }, nothing, [], [['created', null]]],
    ['its first period, later', { firstBillingDate: '2026-02-10' }, { ...begun, paid: 0 }, [1], [['renewed', 1]]],
    ['a renewal', { latestNumber: 2 }, begun, [2], [['renewed', 2]]],
    [
      'two renewals at once',
      { latestNumber: 3 },
      begun,
      [2, 3],
      [
        ['renewed', 2],
        ['renewed', 3],
      ],
    ],
    ['a decline', { latestNumber: 2, isPastDue: true }, begun, [], [['past_due', 2]]],
    ['a second decline of the period', { latestNumber: 2, isPastDue: true }, { ...begun, pastDue: 2 }, [], []],
    [
      'the charge of a period that was past due',
      { latestNumber: 2 },
      { ...begun, pastDue: 2 },
      [2],
      [['recovered', 2]],
    ],
    [
      'the charge of the period after one that was past due',
      { latestNumber: 3 },
      { ...begun, paid: 2, pastDue: 2 },
      [3],
      [['renewed', 3]],
    ],
    [
      'a renewal, and a decline of the next',
      { latestNumber: 3, isPastDue: true },
      begun,
      [2],
      [
        ['renewed', 2],
        ['past_due', 3],
      ],
    ],
    [
      'the last retry of a decline of which nothing was published',
      { latestNumber: 2, isPastDue: true, endedAt, endReason: 'PAYMENT_FAILED' },
      begun,
      [],
      [
        ['past_due', 2],
        ['cancelled', null],
      ],
    ],
    ['its merchant’s cancellation', { endedAt, endReason: 'MERCHANT' }, begun, [], [['cancelled', null]]],
    ['its last period’s end', { endedAt, endReason: 'COMPLETED' }, begun, [], [['completed', null]]],
    ['an end that was published', { endedAt, endReason: 'COMPLETED' }, { ...begun, end: true }, [], []],
    ['a change of its amount', { amount: 1n }, begun, [], []],
  ])('%s', (_, over, before, paid, news) => {
    expect(said(row(over), before, paid)).toEqual(news);
    // A second look publishes nothing more.
    expect(said(row(over), announcedAfter(row(over), before, paid), [])).toEqual([]);
  });
});

describe('the period that is due within three days', () => {
  const due = '2026-02-28T14:00:00Z';
  test.each<[string, Partial<SubscriptionRow>, number, string, number | undefined]>([
    ['three days before', {}, 0, '2026-02-25T14:00:00Z', 2],
    ['a moment sooner', {}, 0, '2026-02-25T13:59:59Z', undefined],
    ['a minute before', {}, 0, '2026-02-28T13:59:00Z', 2],
    ['when it is due', {}, 0, due, undefined],
    ['published before', {}, 2, '2026-02-26T14:00:00Z', undefined],
    ['past due', { status: 'PAST_DUE', isPastDue: true }, 0, '2026-02-26T14:00:00Z', undefined],
    ['paused', { status: 'PAUSED', pausedAt: new Date('2026-02-01T00:00:00Z') }, 0, '2026-02-26T14:00:00Z', undefined],
    ['to be cancelled', { cancelsAt: new Date('2026-02-28T06:00:00Z') }, 0, '2026-02-26T14:00:00Z', undefined],
    ['after its last period', { totalPeriods: 1 }, 0, '2026-02-26T14:00:00Z', undefined],
    ['its first one', { firstBillingDate: '2026-02-28', latestNumber: 0 }, 0, '2026-02-26T14:00:00Z', 1],
  ])('%s', (_, over, announced, now, number) => {
    expect(renewingNumber(row(over), announced, new Date(now))).toBe(number);
  });
});

import { describe, expect, test } from '@jest/globals';
import { dueAt, numberAt } from '@cobro/domain/billing-periods.ts';
import * as fc from 'fast-check';
import { bankKeyOf } from './bank-key.ts';
import type { SubscriptionRow } from './subscription.row.ts';
import {
  cancelling,
  counts,
  endByClock,
  factsOf,
  isHardDecline,
  nextBillingAt,
  nextRetryAt,
  nextStep,
  periodStatus,
  showSubscription,
} from './subscription.rules.ts';
import { anchor, at, testSubscription as row } from './test-subscription.ts';

/** The test subscription, declined at that time. */
const pastDue = (attempted: string, given: Partial<SubscriptionRow> = {}) =>
  row({
    status: 'PAST_DUE',
    isPastDue: true,
    attemptedAt: at(attempted),
    givesUpAt: at('2027-02-28T00:00'),
    standingNumber: null,
    standingStatus: null,
    ...given,
  });

const SLEEP = { do: 'wait', until: new Date('9999-01-01') } as const;
const wait = (until: string) => ({ do: 'wait', until: at(until) }) as const;
const charge = (number: number) => ({ do: 'charge', number }) as const;

describe('the runner', () => {
  test.each<[string, SubscriptionRow, string, ReturnType<typeof nextStep>]>([
    ['waits for the due time', row(), '2027-02-28T07:59', wait('2027-02-28T08:00')],
    ['charges at 08:00 of the due day', row(), '2027-02-28T08:00', charge(2)],
    ['charges late within its own period', row(), '2027-03-30T23:59', charge(2)],
    ['never charges a period that is over by itself', row(), '2027-05-31T08:00', charge(5)],
    ['charges none below the highest', row({ latestNumber: 5 }), '2027-03-01T08:00', wait('2027-05-31T00:00')],
    [
      'looks again when a slow clock is in the past-due period',
      pastDue('2027-02-28T00:01', { latestNumber: 2, givesUpAt: at('2027-03-31T00:00') }),
      '2027-02-27T23:59',
      wait('2027-02-28T00:00'),
    ],
    [
      'bills nothing where cancelled',
      row({ cancelsAt: at('2027-03-31T00:00') }),
      '2027-02-28T08:00',
      wait('2027-03-31T00:00'),
    ],
    ['tries nothing while an outcome is unknown', row({ isCharging: true }), '2027-02-28T08:00', SLEEP],
    ['tries nothing while paused', row({ pausedAt: at('2027-02-01T00:00') }), '2027-02-28T08:00', SLEEP],
    ['skips what began while paused', row({ chargesFrom: 3 }), '2027-02-28T08:00', wait('2027-03-31T08:00')],
    [
      'leaves out what was not carried out before a pause',
      row({ chargesFrom: 2, triesAgain: true }),
      '2027-01-31T08:05',
      wait('2027-02-28T08:00'),
    ],
    ['retries on due day + 1', pastDue('2027-01-31T08:00'), '2027-02-01T08:00', charge(1)],
    ['waits for the next slot', pastDue('2027-02-01T08:00'), '2027-02-01T08:01', wait('2027-02-03T08:00')],
    ['tries once for slots missed', pastDue('2027-02-09T10:00'), '2027-02-09T10:01', wait('2027-02-14T08:00')],
    ['follows the due day', pastDue('2027-01-31T08:00'), '2027-02-05T12:00', charge(1)],
    [
      'does not ask again after a hard decline',
      pastDue('2027-01-31T08:00', { isHard: true, givesUpAt: at('2027-02-14T08:00') }),
      '2027-02-01T08:00',
      wait('2027-02-14T08:00'),
    ],
    ['asks at once with a new card', pastDue('2027-01-31T08:00', { triesAgain: true }), '2027-01-31T08:01', charge(1)],
    [
      'ends at the last slot after a hard decline',
      pastDue('2027-01-31T08:00', { isHard: true, givesUpAt: at('2027-02-14T08:00') }),
      '2027-02-14T08:00',
      { do: 'end' },
    ],
    ['ends where the last retry has passed', pastDue('2027-02-03T08:00'), '2027-04-01T00:00', { do: 'end' }],
    [
      'ends at the end of the last period',
      row({ totalPeriods: 1, completesAt: at('2027-02-28T00:00') }),
      '2027-02-28T00:00',
      { do: 'end' },
    ],
    [
      'charges nothing behind the last period',
      row({ totalPeriods: 1, completesAt: at('2027-02-28T00:00') }),
      '2027-02-27T08:00',
      wait('2027-02-28T00:00'),
    ],
    [
      'leaves what has ended',
      row({ endedAt: at('2027-02-01T00:00'), endReason: 'MERCHANT' }),
      '2027-02-28T08:00',
      SLEEP,
    ],
    ['leaves what its first charge has not begun', row({ isStarted: false }), '2027-02-28T08:00', SLEEP],
  ])('%s', (_, subscription, now, step) => {
    expect(nextStep(subscription, at(now))).toEqual(step);
  });

  test('whatever the time, it charges only the period of that moment, and never before it is due', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: -500, max: 2_000 }),
        fc.boolean(),
        fc.boolean(),
        (latestNumber, days, isPastDue, triesAgain) => {
          const now = new Date(at('2027-01-31T08:00').getTime() + days * 43_200_000);
          const subscription = row({
            latestNumber,
            isPastDue,
            triesAgain,
            attemptedAt: dueAt(anchor, latestNumber || 1),
          });
          const step = nextStep(subscription, now);
          if (step.do !== 'charge') return;
          expect(step.number).toBe(numberAt(anchor, now));
          expect(step.number).toBeGreaterThanOrEqual(latestNumber);
          expect(step.number === latestNumber || dueAt(anchor, step.number) <= now).toBe(true);
        },
      ),
    );
  });
});

test('the clock ends it at the first of what comes: PAYMENT_FAILED, MERCHANT or COMPLETED', () => {
  const [gives, cancels, completes] = [at('2027-02-14T08:00'), at('2027-02-28T00:00'), at('2027-03-31T00:00')];
  const ending = (given: Partial<SubscriptionRow>) => endByClock(row(given), at('2028-01-01T00:00'));
  expect(ending({ givesUpAt: gives, cancelsAt: cancels })).toEqual({ endedAt: gives, endReason: 'PAYMENT_FAILED' });
  expect(ending({ cancelsAt: cancels, completesAt: completes })).toEqual({ endedAt: cancels, endReason: 'MERCHANT' });
  expect(ending({ cancelsAt: completes, completesAt: completes })).toEqual({
    endedAt: completes,
    endReason: 'COMPLETED',
  });
  // During a pause it does not give up, but its last period ends.
  expect(ending({ givesUpAt: gives, pausedAt: at('2027-02-01T00:00') })).toBeUndefined();
  const paused = { givesUpAt: gives, pausedAt: at('2027-02-01T00:00'), completesAt: completes };
  expect(ending(paused)).toEqual({ endedAt: completes, endReason: 'COMPLETED' });
});

test.each<[string, Partial<SubscriptionRow>, string, string | undefined]>([
  ['a paid period ends', {}, '2027-02-10T00:00', '2027-02-28T00:00'],
  ['a declined one too', { isPastDue: true, standingNumber: null }, '2027-02-10T00:00', '2027-02-28T00:00'],
  ['one that is due and not billed is not waited for', {}, '2027-02-28T07:59', undefined],
  ['nor one that is skipped', { chargesFrom: 3 }, '2027-03-10T00:00', undefined],
  [
    'nor one that a pause has left out',
    { chargesFrom: 2, standingStatus: 'NOT_INITIALIZED' },
    '2027-02-10T00:00',
    undefined,
  ],
  ['one that was collected', { chargesFrom: 3, standingNumber: 2 }, '2027-03-10T00:00', '2027-03-31T00:00'],
  ['nothing was billed', { latestNumber: 0, standingNumber: null }, '2027-01-01T00:00', undefined],
  ['a clock that went back bills no less', { latestNumber: 2 }, '2027-02-10T00:00', '2027-03-31T00:00'],
])('cancelling at the period’s end: %s', (_, given, now, cancelsAt) => {
  const ends = cancelsAt === undefined ? { endedAt: at(now), endReason: 'MERCHANT' } : { cancelsAt: at(cancelsAt) };
  expect(cancelling(row(given), true, at(now))).toEqual(ends);
});

test.each<[string, SubscriptionRow, number, boolean]>([
  ['the open period', pastDue('2027-01-31T08:00'), 1, true],
  ['a skipped one', row({ chargesFrom: 2 }), 1, false],
  ['one to come', row(), 2, false],
  ['one below the highest that was tried', row({ latestNumber: 2 }), 1, false],
  ['one without a retry left', pastDue('2027-02-15T00:00', { givesUpAt: null }), 1, false],
  ['the next after that', pastDue('2027-02-15T00:00', { givesUpAt: null, latestNumber: 0 }), 1, true],
])('whether a charge counts for the status: %s', (_, subscription, number, expected) => {
  expect(counts(subscription, number, at('2027-02-20T00:00'))).toBe(expected);
});

test.each([
  'stolen_card',
  'lost_card',
  'pickup_card',
  'expired_card',
  'invalid_number',
  'unknown_token',
  'do_not_try_again',
  'revocation_of_authorization',
  'transaction_not_allowed',
])('%s is a hard decline', (code) => {
  expect(isHardDecline(code)).toBe(true);
});
test.each(['do_not_honor', 'insufficient_funds', 'not_processed', null])('%s is none', (code) => {
  expect(isHardDecline(code)).toBe(false);
});

test('nextRetryAt is the next slot after a soft decline; null after a hard one, while paused, and once all are used', () => {
  expect(nextRetryAt(row())).toBeNull();
  expect(nextRetryAt(pastDue('2027-02-02T00:00'))).toEqual(at('2027-02-03T08:00'));
  expect(nextRetryAt(pastDue('2027-02-14T08:00'))).toBeNull();
  expect(nextRetryAt(pastDue('2027-01-31T08:00', { isHard: true }))).toBeNull();
  expect(nextRetryAt(pastDue('2027-01-31T08:00', { pausedAt: at('2027-01-31T09:00') }))).toBeNull();
});

test('nextBillingAt is the due time of the next period that was not tried; null if paused, ending or ended', () => {
  const now = at('2027-02-10T00:00');
  expect(nextBillingAt(row(), now)).toEqual(at('2027-02-28T08:00'));
  expect(nextBillingAt(row({ latestNumber: 0 }), now)).toEqual(at('2027-01-31T08:00'));
  expect(nextBillingAt(row({ latestNumber: 0, totalPeriods: 1 }), at('2026-12-01T00:00'))).toEqual(
    at('2027-01-31T08:00'),
  );
  expect(nextBillingAt(row({ totalPeriods: 1 }), now)).toBeNull();
  expect(nextBillingAt(row({ pausedAt: now }), now)).toBeNull();
  expect(nextBillingAt(row({ cancelsAt: at('2027-02-28T00:00') }), now)).toBeNull();
  expect(nextBillingAt(row({ endedAt: now, endReason: 'MERCHANT' }), now)).toBeNull();
});

test('a period that is over: never tried SKIPPED, tried FAILED; the current one OPEN until it is paid', () => {
  const now = at('2027-04-10T00:00');
  const subscription = row({ latestNumber: 2, standingNumber: null, standingStatus: null });
  const status = (number: number, payment?: string, given: Partial<SubscriptionRow> = {}) =>
    periodStatus(
      { ...subscription, ...given },
      number,
      factsOf(payment === undefined ? undefined : { status: payment, isAsked: payment !== 'NOT_INITIALIZED' }),
      now,
    );
  expect(status(1)).toBe('SKIPPED');
  expect(status(1, 'CANCELLED')).toBe('FAILED');
  expect(status(1, 'REFUNDED')).toBe('PAID');
  expect(status(2)).toBe('FAILED');
  expect(status(2, 'NOT_INITIALIZED')).toBe('SKIPPED');
  expect(status(2, 'NOT_INITIALIZED', { isPastDue: true })).toBe('FAILED');
  expect(status(3)).toBe('OPEN');
  expect(status(3, 'CANCELLED', { latestNumber: 3 })).toBe('OPEN');
  expect(status(3, 'PENDING', { latestNumber: 3, status: 'CANCELLED' })).toBe('OPEN');
  expect(status(3, 'CANCELLED', { latestNumber: 3, status: 'CANCELLED' })).toBe('FAILED');
  // A period is skipped by a pause, also the current one.
  expect(status(3, undefined, { pausedAt: at('2027-03-15T00:00') })).toBe('SKIPPED');
  expect(status(3, undefined, { chargesFrom: 4 })).toBe('SKIPPED');
  expect(status(3, 'CANCELLED', { chargesFrom: 4 })).toBe('FAILED');
});

test('the current period reads as in the list of periods where it was skipped, collected by hand and declined', () => {
  const skipped = row({ chargesFrom: 3 });
  const statusOf = (one: SubscriptionRow) => showSubscription(one, at('2027-03-10T00:00')).currentPeriod?.status;
  expect(statusOf(skipped)).toBe('SKIPPED');
  expect(statusOf({ ...skipped, askedNumber: 2 })).toBe('FAILED');
  expect(statusOf({ ...skipped, askedNumber: 2, standingNumber: 2 })).toBe('PAID');
});

test('what the clock has ended reads as ended before anybody has written that down', () => {
  const now = at('2027-03-05T00:00');
  const ending = row({ status: 'CANCELLED', cancelsAt: at('2027-02-28T00:00') });
  expect(showSubscription(ending, now)).toMatchObject({
    status: 'CANCELLED',
    cancelAtPeriodEnd: false,
    currentPeriod: null,
    nextBillingAt: null,
    endedAt: '2027-02-28T06:00:00.000Z',
    endReason: 'MERCHANT',
  });
});

test('the bank’s key is a UUID v8 that follows from subscription, number and attempt', () => {
  const key = bankKeyOf('0195c3d2-0000-7000-8000-000000000000', 2, 1);
  expect(key).toBe(bankKeyOf('0195c3d2-0000-7000-8000-000000000000', 2, 1));
  expect(key).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  const others = [
    bankKeyOf('0195c3d2-0000-7000-8000-000000000000', 2, 2),
    bankKeyOf('0195c3d2-0000-7000-8000-000000000000', 21, 1),
  ];
  expect(new Set([key, ...others]).size).toBe(3);
});

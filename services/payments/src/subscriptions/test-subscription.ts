import type { SubscriptionRow } from './subscription.row.ts';

/** For tests: a time of Mexico City, to the minute. */
export const at = (text: string) => new Date(`${text}:00-06:00`);
export const anchor = { firstBillingDate: '2027-01-31', periodicity: 'MONTHLY' } as const;

/** A subscription of 349 a month from 31 January 2027, whose latest period is paid. */
export const testSubscription = (given: Partial<SubscriptionRow> = {}): SubscriptionRow => ({
  id: '0195c3d2-0000-7000-8000-000000000000',
  organizationId: '0195c3d2-0000-7000-8000-000000000001',
  externalId: null,
  requestDigest: Buffer.alloc(0),
  paymentMethodId: '0195c3d2-0000-7000-8000-000000000002',
  productId: null,
  description: null,
  amount: 34_900n,
  currency: 'MXN',
  ...anchor,
  totalPeriods: null,
  completesAt: null,
  isListed: true,
  isStarted: true,
  cancelsAt: null,
  pausedAt: null,
  endedAt: null,
  endReason: null,
  chargesFrom: 1,
  latestNumber: 1,
  attemptedAt: at('2027-01-31T08:00'),
  retriesEndAt: at('2027-02-14T08:00'),
  periodEndsAt: at('2027-02-28T00:00'),
  isPastDue: false,
  isHard: false,
  givesUpAt: null,
  triesAgain: false,
  lastDeclineCode: null,
  wakeAt: at('2027-01-31T08:00'),
  waitsFor: null,
  createdAt: at('2027-01-31T08:00'),
  updatedAt: at('2027-01-31T08:00'),
  version: 1,
  status: 'ACTIVE',
  productName: null,
  standingNumber: 1,
  standingStatus: 'CONFIRMED',
  askedNumber: 1,
  isCharging: false,
  ...given,
});

import type { Periodicity } from '@cobro/contracts/periodicities.ts';
import type { EndReason, SubscriptionStatus } from '@cobro/contracts/subscriptions.ts';
import { column, type RowOf, tableOf } from '@cobro/postgres/table.ts';

const kept = {
  id: column<string>(),
  organizationId: column<string>(),
  externalId: column<string | null>(),
  /** SHA-256 of the request as it was sent. */
  requestDigest: column<Buffer>(),
  paymentMethodId: column<string>(),
  productId: column<string | null>(),
  description: column<string | null>(),
  /** Centavos, for the next period that was not tried yet. */
  amount: column<bigint>(),
  currency: column<'MXN'>(),
  periodicity: column<Periodicity>(),
  /** A day in Mexico City. */
  firstBillingDate: column<string>(),
  totalPeriods: column<number | null>(),
  /** The end of its last period. */
  completesAt: column<Date | null>(),
  /** False if its first charge was not sent: then it is shown nowhere. */
  isListed: column<boolean>(),
  /** False until the first charge is approved, if it is charged on creation. */
  isStarted: column<boolean>(),
  /** The period's end at which its merchant's cancellation ends it. */
  cancelsAt: column<Date | null>(),
  pausedAt: column<Date | null>(),
  endedAt: column<Date | null>(),
  endReason: column<EndReason | null>(),
  /** Lower periods are skipped. */
  chargesFrom: column<number>(),
  /** The highest period that was tried, or found with nothing to charge; 0 if none was. */
  latestNumber: column<number>(),
  /** When that period was tried last. Retries come later than this. */
  attemptedAt: column<Date | null>(),
  /** The last retry of that period. */
  retriesEndAt: column<Date | null>(),
  /** The end of that period. */
  periodEndsAt: column<Date | null>(),
  isPastDue: column<boolean>(),
  /** The bank is not asked until the card is replaced. */
  isHard: column<boolean>(),
  /** When the clock ends it as PAYMENT_FAILED. */
  givesUpAt: column<Date | null>(),
  /** To be tried without waiting for a retry slot: not sent, not processed, or a new card. */
  triesAgain: column<boolean>(),
  lastDeclineCode: column<string | null>(),
  /** Business time when the job should look at it; derived, and decides nothing. */
  wakeAt: column<Date>(),
  /** The acquirer that could not be asked, or has not carried out a charge. */
  waitsFor: column<string | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
  version: column<number>(),
};

/** The stored columns, without the derived ones. */
export const keptSubscriptionTable = tableOf(kept);

/** Adds the columns that are derived when a subscription is read. */
const columns = {
  ...kept,
  status: column<SubscriptionStatus>(),
  productName: column<string | null>(),
  /** The highest period whose payment stands or is under way, and that payment's status. */
  standingNumber: column<number | null>(),
  standingStatus: column<'NOT_INITIALIZED' | 'PENDING' | 'CONFIRMED' | 'REFUNDED' | null>(),
  /** The highest period that the bank was asked to charge. */
  askedNumber: column<number | null>(),
  /** Whether the outcome of a charge of any of its periods is not known. */
  isCharging: column<boolean>(),
};

export type SubscriptionRow = RowOf<typeof columns>;
export const subscriptionTable = tableOf(columns);

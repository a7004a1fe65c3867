import { pesosOf } from '@cobro/contracts/amount.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { EndReason, PeriodStatus, Subscription } from '@cobro/contracts/subscriptions.ts';
import { beginsAt, dueAt, endsOn, numberAt, retrySlots, startsOn } from '@cobro/domain/billing-periods.ts';
import type { SubscriptionRow } from './subscription.row.ts';

/** Declines of a card that will not become good. The bank is not asked again until the card is replaced. */
const hardDeclines = new Set([
  'stolen_card',
  'lost_card',
  'pickup_card',
  'expired_card',
  'invalid_number',
  'unknown_token',
  'do_not_try_again',
  'revocation_of_authorization',
  'transaction_not_allowed',
]);
export const isHardDecline = (declineCode: string | null): boolean => hardDeclines.has(declineCode ?? '');

/** How and when the clock has ended it: the first end that came. Returns undefined if it has not. */
export function endByClock(row: SubscriptionRow, now: Date): { endedAt: Date; endReason: EndReason } | undefined {
  const { givesUpAt, cancelsAt, completesAt, pausedAt } = row;
  if (pausedAt === null && givesUpAt !== null && givesUpAt <= now)
    return { endedAt: givesUpAt, endReason: 'PAYMENT_FAILED' };
  if (cancelsAt !== null && cancelsAt <= now && (completesAt === null || cancelsAt < completesAt))
    return { endedAt: cancelsAt, endReason: 'MERCHANT' };
  if (completesAt !== null && completesAt <= now) return { endedAt: completesAt, endReason: 'COMPLETED' };
  return undefined;
}

export const hasEnded = ({ status }: SubscriptionRow): boolean => status === 'CANCELLED' || status === 'COMPLETED';

/** @throws Refusal 409 */
export function refuseEnded(row: SubscriptionRow): void {
  if (hasEnded(row)) throw new Refusal('SUBSCRIPTION_ENDED');
}

/** The period of this moment, at most the last; 0 before the first. */
export const currentNumber = (row: SubscriptionRow, now: Date): number =>
  Math.min(numberAt(row, now), row.totalPeriods ?? Number.POSITIVE_INFINITY);

/** Whether a period that was not tried is skipped, because the subscription was or is paused. */
const isSkipped = (row: SubscriptionRow, number: number): boolean =>
  number < row.chargesFrom ||
  (row.pausedAt !== null && number > row.latestNumber && beginsAt(row, number + 1) > row.pausedAt);

/**
 * What cancelling changes. At the period's end: the billed period goes on to its end and nothing more is billed, so it ends at once
 * if the current period was not billed. Returns undefined if that end is set already.
 */
export function cancelling(
  row: SubscriptionRow,
  atPeriodEnd: boolean,
  now: Date,
): { endedAt: Date; endReason: EndReason } | { cancelsAt: Date } | undefined {
  const { latestNumber, chargesFrom, standingNumber, standingStatus } = row;
  // A period that was tried and then skipped is not billed; a skipped one that was collected by hand is.
  const billed = Math.max(
    latestNumber < chargesFrom ? 0 : latestNumber,
    standingStatus === 'NOT_INITIALIZED' ? 0 : (standingNumber ?? 0),
  );
  const nothingToWaitFor = billed === 0 || billed < currentNumber(row, now);
  if (!atPeriodEnd || nothingToWaitFor) return { endedAt: now, endReason: 'MERCHANT' };
  return row.cancelsAt === null ? { cancelsAt: beginsAt(row, billed + 1) } : undefined;
}

/** What is to be done with a subscription now. */
export type Step =
  | { do: 'end' }
  | { do: 'charge'; number: number }
  /** `until`: when to look again. */
  | { do: 'wait'; until: Date };

const FAR = new Date('9999-01-01T00:00:00Z');
const earliest = (dates: readonly (Date | null | undefined)[]): Date =>
  dates.reduce<Date>((first, date) => (date && date < first ? date : first), FAR);

const endsOf = (row: SubscriptionRow) => [row.pausedAt === null ? row.givesUpAt : null, row.cancelsAt, row.completesAt];

/**
 * Derived from the anchor, the row and the time. Only the current period is charged, and none below the highest that was tried, so
 * that a slow clock bills nothing backwards.
 */
export function nextStep(row: SubscriptionRow, now: Date): Step {
  if (row.endedAt !== null) return { do: 'wait', until: FAR };
  if (endByClock(row, now) !== undefined) return { do: 'end' };
  const ends = endsOf(row);
  // While the outcome of a charge is not known nothing else is tried; its settlement wakes us.
  if (row.pausedAt !== null || !row.isStarted || row.isCharging) return { do: 'wait', until: earliest(ends) };
  const number = currentNumber(row, now);
  const due = number > 0 && dueAt(row, number) <= now;
  const isNew = number > row.latestNumber && number >= row.chargesFrom && row.cancelsAt === null;
  if (due && isNew) return { do: 'charge', number };
  const isOpen = number > 0 && number === row.latestNumber && number >= row.chargesFrom;
  if (isOpen && row.triesAgain) return { do: 'charge', number };
  const retryAt = nextRetryAt(row);
  if (isOpen && retryAt !== null && retryAt <= now) return { do: 'charge', number };
  // A slow clock is not yet in the latest period, which may have retries.
  const opensAt = number < row.latestNumber ? beginsAt(row, row.latestNumber) : null;
  return { do: 'wait', until: earliest([...ends, opensAt, isOpen ? retryAt : null, nextBillingAt(row, now)]) };
}

/** When a subscription whose acquirer cannot be asked is due for something else: its end, or its next period. */
export const putOffUntil = (row: SubscriptionRow, now: Date): Date =>
  earliest([...endsOf(row), beginsAt(row, currentNumber(row, now) + 1)]);

/** The next retry of the latest period after a soft decline, or after nothing to charge with was found. */
export function nextRetryAt(row: SubscriptionRow): Date | null {
  const { isPastDue, isHard, attemptedAt, latestNumber, pausedAt, endedAt } = row;
  if (!isPastDue || isHard || attemptedAt === null || pausedAt !== null || endedAt !== null) return null;
  return retrySlots(row, latestNumber).find((slot) => slot > attemptedAt) ?? null;
}

/** When the next untried period is due; null if there is none, or the subscription is paused, ending or ended. */
export function nextBillingAt(row: SubscriptionRow, now: Date): Date | null {
  if (row.pausedAt !== null || row.cancelsAt !== null || row.endedAt !== null) return null;
  const next = Math.max(currentNumber(row, now), row.latestNumber + 1, row.chargesFrom, 1);
  return row.totalPeriods !== null && next > row.totalPeriods ? null : dueAt(row, next);
}

/**
 * Whether a charge of the period counts for the status, so that its decline is retried. A charge of a skipped or older period does
 * not, nor one of a period that had no retry left at the resumption: then the subscription stays PAST_DUE until its next period is
 * charged.
 */
export function counts(row: SubscriptionRow, number: number, now: Date): boolean {
  if (number !== currentNumber(row, now) || number < row.latestNumber || isSkipped(row, number)) return false;
  return number > row.latestNumber || !row.isPastDue || row.givesUpAt !== null;
}

/** The claim's note, for the settlement, that a charge does not count. */
export const NOT_COUNTED = 'does not count for the status';

/** What a period costs: what the bank was asked for, else what the subscription costs now. */
export const amountOf = (row: SubscriptionRow, period: { isAsked: boolean; amount: bigint } | undefined): bigint =>
  period?.isAsked === true ? period.amount : row.amount;

/** What is known of a period's payments. */
export interface PeriodFacts {
  /** Whether the bank was asked. */
  isAsked: boolean;
  /** Whether it has a payment, and none was sent. */
  isUnsent: boolean;
  isPaid: boolean;
  /** Whether the outcome of its charge is not known. */
  isPending: boolean;
}

/** `period`: its payments, if it has any. */
export const factsOf = (period: { status: string; isAsked: boolean } | undefined): PeriodFacts => ({
  isAsked: period?.isAsked === true,
  isUnsent: period?.isAsked === false,
  isPaid: period?.status === 'CONFIRMED' || period?.status === 'REFUNDED',
  isPending: period?.status === 'PENDING',
});

export function periodStatus(row: SubscriptionRow, number: number, facts: PeriodFacts, now: Date): PeriodStatus {
  if (facts.isPaid) return 'PAID';
  if (facts.isPending) return 'OPEN';
  // The latest without a charge had nothing to charge with.
  const isTried = facts.isAsked || (number === row.latestNumber && (row.isPastDue || !facts.isUnsent));
  const isOver = hasEnded(row) || number < currentNumber(row, now) || (isTried && number < row.chargesFrom);
  if (isTried) return isOver ? 'FAILED' : 'OPEN';
  return isOver || isSkipped(row, number) ? 'SKIPPED' : 'OPEN';
}

function currentPeriod(row: SubscriptionRow, now: Date): Subscription['currentPeriod'] {
  const number = hasEnded(row) ? 0 : currentNumber(row, now);
  if (number === 0) return null;
  const { standingNumber, standingStatus, askedNumber } = row;
  const isAsked = askedNumber === number;
  const status = standingNumber === number ? standingStatus : isAsked ? 'CANCELLED' : null;
  return {
    number,
    startsOn: startsOn(row, number),
    endsOn: endsOn(row, number),
    status: periodStatus(row, number, factsOf(status === null ? undefined : { status, isAsked }), now),
  };
}

const iso = (date: Date | null | undefined) => date?.toISOString() ?? null;

/** The subscription as its merchant sees it now. */
export function showSubscription(row: SubscriptionRow, now: Date): Subscription {
  const { id, status, description, paymentMethodId, productId, productName, externalId, periodicity } = row;
  const ended = row.endedAt === null ? endByClock(row, now) : row;
  const goesOn = ended === undefined;
  return {
    id,
    status,
    description,
    paymentMethodId,
    product: productId === null ? null : { id: productId, name: productName ?? '' },
    amount: pesosOf(row.amount),
    currency: row.currency,
    periodicity,
    firstBillingDate: row.firstBillingDate,
    totalPeriods: row.totalPeriods,
    cancelAtPeriodEnd: row.cancelsAt !== null && goesOn,
    currentPeriod: currentPeriod(row, now),
    nextBillingAt: goesOn ? iso(nextBillingAt(row, now)) : null,
    nextRetryAt: goesOn ? iso(nextRetryAt(row)) : null,
    lastDeclineCode: row.lastDeclineCode,
    endedAt: iso(ended?.endedAt),
    endReason: ended?.endReason ?? null,
    externalId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

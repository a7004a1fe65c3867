import type { Place } from '@cobro/bank/bank-places.ts';
import type { Claimed, Outcome } from '@cobro/bank/journal.ts';
import type { BillingFacts, PaymentFacts } from '@cobro/contracts/events.ts';
import type { Secret } from '@cobro/contracts/secret.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import type { Deps } from '../deps.ts';
import { type FeeChannelRow, ratesOf } from '../fees/fee-channel.store.ts';
import type { PaymentRow } from './payment.row.ts';
import { claimPayment } from './payment.store.ts';

/** What a payment is made for. Each origin brings its own checks; what follows the checks is the same for all. */
export type Origin =
  | { source: 'SAVED_CARD'; paymentMethodId: string; externalId: string | null }
  | { source: 'ONE_TIME_PAYMENT'; oneTimePaymentId: string; attemptDigest: Buffer | null };

/** One attempt to take money from a card, or to hold it. */
export interface PaymentAttempt {
  organizationId: string;
  origin: Origin;
  type: PaymentFacts['type'];
  holdFunds: boolean;
  /** In centavos. */
  amount: bigint;
  description: string | null;
  terms: number;
  /** Undefined only for a hold. */
  channel: FeeChannelRow | undefined;
  card: PaymentFacts['card'];
  billing: BillingFacts | null;
}

export interface ClaimedAttempt {
  payment: PaymentRow;
  claimed: Claimed;
}

/**
 * Claims the attempt as the last step of the caller's transaction: the payment becomes PENDING and its operation is written down.
 * Undefined where another payment has the externalId.
 */
export async function claimAttempt(
  deps: Deps,
  tx: Tx,
  attempt: PaymentAttempt,
  place: Place,
): Promise<ClaimedAttempt | undefined> {
  // Refused here, before anything is written, the claim leaves those that share its transaction alone.
  place.take();
  const { origin, channel, ...rest } = attempt;
  const payment = await claimPayment(tx, {
    ...rest,
    ...columnsOf(origin),
    rates: channel === undefined ? null : ratesOf(channel),
    createdAt: deps.clock.now(),
  });
  if (payment === undefined) return undefined;
  const purpose = attempt.holdFunds ? 'hold' : 'charge';
  const claimed = deps.journal.claim(tx, { purpose, subjectId: payment.id, amount: payment.amount }, place);
  return { payment, claimed };
}

/** The columns that name an origin. All but the given origin's own are null. */
const columnsOf = (origin: Origin) => ({
  paymentMethodId: null,
  externalId: null,
  oneTimePaymentId: null,
  attemptDigest: null,
  ...origin,
});

/** Asks the bank for the money, after the claim's commit, and returns how the attempt ended. */
export function carryOutAttempt(
  deps: Deps,
  token: Secret<string>,
  { payment, claimed }: ClaimedAttempt,
): Promise<Outcome<PaymentRow>> {
  const { amount, terms } = payment;
  return deps.journal.carryOut(
    claimed,
    payment.holdFunds ? { kind: 'authorize', token, amount } : { kind: 'sale', token, amount, terms },
  );
}

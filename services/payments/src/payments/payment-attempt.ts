import type { Place } from '@cobro/bank/bank-places.ts';
import type { Claimed, Outcome } from '@cobro/bank/journal.ts';
import type { BillingFacts, PaymentFacts } from '@cobro/contracts/events.ts';
import type { Secret } from '@cobro/contracts/secret.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import type { Deps } from '../deps.ts';
import { type FeeChannelRow, ratesOf } from '../fees/fee-channel.store.ts';
import type { PaymentRow } from './payment.row.ts';
import { claimPayment } from './payment.store.ts';

/** What a payment is made for. Each origin brings its own checks; what follows them is the same for all. */
export type Origin =
  | { source: 'SAVED_CARD'; paymentMethodId: string; externalId: string | null }
  | { source: 'ONE_TIME_PAYMENT'; oneTimePaymentId: string; attemptDigest: Buffer | null };

/** One try to take money from a card, or to hold it. */
export interface PaymentAttempt {
  organizationId: string;
  origin: Origin;
  type: PaymentFacts['type'];
  holdFunds: boolean;
  /** Centavos. */
  amount: bigint;
  description: string | null;
  terms: number;
  /** Undefined for a hold only. */
  channel: FeeChannelRow | undefined;
  card: PaymentFacts['card'];
  billing: BillingFacts | null;
}

export interface ClaimedAttempt {
  payment: PaymentRow;
  claimed: Claimed;
}

/**
 * In the caller's transaction, at its end: the payment PENDING and its operation. Undefined where the externalId of a saved card's
 * payment is taken.
 */
export async function claimAttempt(
  deps: Deps,
  tx: Tx,
  attempt: PaymentAttempt,
  place: Place,
): Promise<ClaimedAttempt | undefined> {
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

/** Of the columns that name an origin, all but the origin's own are null. */
const columnsOf = (origin: Origin) => ({
  paymentMethodId: null,
  externalId: null,
  oneTimePaymentId: null,
  attemptDigest: null,
  ...origin,
});

/** After the commit: asks the bank for it, and answers how that ended. */
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

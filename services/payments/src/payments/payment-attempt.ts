import type { Place } from '@cobro/bank/bank-places.ts';
import type { BankRequest } from '@cobro/bank/bank.ts';
import type { ClaimByWriting, Outcome } from '@cobro/bank/journal.ts';
import type { BillingFacts, PaymentFacts } from '@cobro/contracts/events.ts';
import type { Secret } from '@cobro/contracts/secret.ts';
import type { Deps } from '../deps.ts';
import { type FeeChannelRow, ratesOf } from '../fees/fee-channel.store.ts';
import type { PaymentRow } from './payment.row.ts';
import type { NewPayment } from './payment.store.ts';

/**
 * One attempt to take money from a card, or to hold it. Each origin (a saved card, a link, a tap) makes its own checks and brings what
 * it writes to claim a payment; what follows is the same for all.
 */
export interface Attempt extends ClaimByWriting {
  purpose: 'charge' | 'hold';
  /** In centavos. */
  amount: bigint;
  token: Secret<string>;
  /** A `performance.now()` value after which nothing is sent. */
  sendBefore?: number;
}

/** The payment as it was claimed, and how the attempt ended. */
export interface AttemptEnd {
  payment: PaymentRow;
  outcome: Outcome<PaymentRow>;
}

/** Claims the payment, asks the bank, and settles. Undefined where the origin's claim has written no payment. */
export async function makeAttempt(
  deps: Deps,
  { token, sendBefore, ...claim }: Attempt,
  place: Place,
): Promise<AttemptEnd | undefined> {
  const claimed = await deps.journal.claimByWriting<PaymentRow>(claim, place);
  if (claimed === undefined) return undefined;
  const { row: payment } = claimed;
  const outcome = await deps.journal.carryOut(claimed, requestOf(payment, token), deps.settlers.charge, sendBefore);
  return { payment, outcome };
}

const requestOf = ({ holdFunds, amount, terms }: PaymentRow, token: Secret<string>): BankRequest =>
  holdFunds ? { kind: 'authorize', token, amount } : { kind: 'sale', token, amount, terms };

/** What a payment is made for, where the attempt itself writes the payment. */
type Origin =
  | { source: 'SAVED_CARD'; paymentMethodId: string; externalId: string | null }
  | { source: 'ONE_TIME_PAYMENT'; oneTimePaymentId: string; attemptDigest: Buffer | null };

/** The facts of a payment that is claimed now. */
export interface ClaimFacts {
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

/** All columns that name an origin, but for the given origin's own, are null. */
export const newPayment = (deps: Deps, { origin, channel, ...rest }: ClaimFacts): NewPayment => ({
  ...rest,
  paymentMethodId: null,
  externalId: null,
  oneTimePaymentId: null,
  attemptDigest: null,
  ...origin,
  rates: channel === undefined ? null : ratesOf(channel),
  createdAt: deps.clock.now(),
});

import type { Permit } from '@cobro/bank/bank-permits.ts';
import type { BankRequest } from '@cobro/bank/bank.ts';
import type { ClaimByWriting, Claimed, Outcome } from '@cobro/bank/journal.ts';
import { type NullField, type Rates, unset } from '@cobro/contracts/payment-fields.ts';
import type { Periodicity } from '@cobro/contracts/periodicities.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Secret } from '@cobro/contracts/secret.ts';
import { sql, type Sql } from '@cobro/postgres/database.ts';
import type { Deps } from '../deps.ts';
import { type FeeChannelRow, ratesOf } from '../fees/fee-channel.store.ts';
import type { Promoted } from '../promotions/promote.ts';
import { countingPayment, firstWithRoom } from '../promotions/promotion-in-force.ts';
import type { Attribution } from '../salespeople/attribution.ts';
import type { PaymentRow } from './payment.row.ts';
import type { NewPayment } from './payment.store.ts';

/**
 * One attempt to take money from a card, or to hold it. An origin (a saved card, a subscription, a one-time payment, a payment
 * link, an intent) makes its checks and supplies the SQL that claims a payment; the rest is the same for all.
 */
export interface Attempt extends Omit<ClaimByWriting, 'writing' | 'origin'> {
  purpose: 'charge' | 'hold';
  /** Writes the payment with these rates, only if `room` holds: their promotion is still the best one. */
  writing: (rates: Rates | null, room: Sql | undefined) => Sql;
  /** Writes what the payment is made for, if the claim writes that too; only if `room` holds. */
  origin?: (room: Sql | undefined) => Sql;
  /** The fee channel's rates, for a payment that carries no promotion. */
  rates: Rates | null;
  /** The promotions that it may carry, the best first. */
  promotions: readonly Promoted[];
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

/** False only if the attempt ended as `not_sent`: the bank did nothing. */
export const attemptWasSent = ({ outcome: { outcome } }: AttemptEnd): boolean => outcome !== 'not_sent';

/** Claims the payment, asks the bank, and settles. Returns undefined if the origin's claim wrote no payment. */
export async function makeAttempt(
  deps: Deps,
  { token, sendBefore, ...attempt }: Attempt,
  permit: Permit,
): Promise<AttemptEnd | undefined> {
  const claimed = await claimPayment(deps, attempt, permit);
  if (claimed === undefined) return undefined;
  const { row: payment } = claimed;
  const outcome = await deps.journal.carryOut(
    claimed,
    requestOf(deps, payment, token),
    deps.settlers.charge,
    sendBefore,
  );
  return { payment, outcome };
}

/** How often a claim is tried while the best promotion keeps changing. */
const MOST_TRIES = 20;

/**
 * Claims the payment with the best promotion that can still be taken, or without one. A claim that writes nothing reads, in its
 * snapshot, which one is best now. If that is another than was tried (one was spent, has ended or has room again), it is next;
 * the same one means that what is paid for was in the way. A transaction takes one promotion at most, so that no two wait
 * for each other's. @throws Refusal BANK_UNAVAILABLE after MOST_TRIES
 */
async function claimPayment(
  { journal }: Deps,
  { rates, promotions, writing, origin, counting = [], ...claim }: Omit<Attempt, 'token' | 'sendBefore'>,
  permit: Permit,
): Promise<Claimed<PaymentRow> | undefined> {
  const best = promotions.length === 0 ? undefined : firstWithRoom(promotions.map(({ promotion }) => promotion.id));
  let promoted = promotions[0];
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    const room = best && sql`${best} is not distinct from ${promoted?.promotion.id ?? null}::uuid`;
    const written = {
      writing: writing(promoted?.rates ?? rates, room),
      ...(origin && { origin: origin(room) }),
      ...(best && { reading: best }),
      counting: promoted === undefined ? counting : [...counting, countingPayment(promoted.promotion, 1)],
    };
    const { claimed, read } = await journal.claimByWriting<PaymentRow>({ ...claim, ...written }, permit);
    if (claimed !== undefined) return claimed;
    const tried = promoted;
    promoted = promotions.find(({ promotion }) => promotion.id === read);
    if (promoted === tried) return undefined;
  }
  throw new Refusal('BANK_UNAVAILABLE');
}

function requestOf({ journal }: Deps, payment: PaymentRow, token: Secret<string>): BankRequest {
  const { holdFunds, amount, terms, organizationId, source, acquirer } = payment;
  const isRecurring = source === 'SUBSCRIPTION' && journal.offers(acquirer)?.recurring === true;
  // The merchant's own program charges a saved card. At a checkout or a terminal the cardholder is there.
  const initiatedBy = source === 'SAVED_CARD' || source === 'SUBSCRIPTION' ? 'merchant' : 'customer';
  const charge = { token, amount, initiatedBy, organizationId } as const;
  if (holdFunds) return { kind: 'authorize', ...charge };
  return { kind: 'sale', ...charge, terms, ...(isRecurring && { recurring: true }) };
}

/** What a payment is made for. */
export type Origin =
  | { source: 'SAVED_CARD'; paymentMethodId: string; externalId: string | null }
  | {
      source: 'SUBSCRIPTION';
      paymentMethodId: string;
      subscriptionId: string;
      periodNumber: number;
      periodicity: Periodicity;
    }
  | { source: 'ONE_TIME_PAYMENT'; oneTimePaymentId: string; attemptDigest: Buffer | null }
  | { source: 'PAYMENT_LINK'; paymentLinkId: string; attemptId: string; attemptDigest: Buffer }
  | ({ source: 'PAYMENT_INTENT'; paymentIntentId: string; terminalId: string } & Attribution);

/** What is known of a new payment. */
type MadeOf = Pick<PaymentRow, 'acquirer' | 'organizationId' | 'type' | 'holdFunds' | 'amount' | 'terms' | 'card'> &
  Partial<Pick<PaymentRow, NullField>> & {
    origin: Origin;
    /** Undefined if none fits: for a hold, or for a tap, which is then declined. */
    channel: FeeChannelRow | undefined;
  };

/** A field that the origin does not name is null. */
export const newPayment = (deps: Deps, { origin, channel, ...known }: MadeOf): NewPayment => ({
  ...unset,
  attemptDigest: null,
  attemptId: null,
  periodNumber: null,
  ...known,
  ...origin,
  currency: 'MXN',
  // MONTHLY until the bank has said what it can do, as all banks paid before they could say.
  installments: deps.journal.offers(known.acquirer)?.installments ?? 'MONTHLY',
  rates: channel === undefined ? null : ratesOf(channel),
  createdAt: deps.clock.now(),
});

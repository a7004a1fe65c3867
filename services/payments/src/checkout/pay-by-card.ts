import type { Permit } from '@cobro/bank/bank-permits.ts';
import type { VaultedCard } from '@cobro/bank/bank.ts';
import type { CardInput, PayerInformation } from '@cobro/contracts/payment-methods.ts';
import { Refusal, type RefusalCode } from '@cobro/contracts/refusals.ts';
import { chooseFeeChannel } from '@cobro/domain/fees.ts';
import type { Slot } from '@cobro/limits/decline-limits.ts';
import { numberFingerprintOf } from '@cobro/service-kit/number-fingerprint.ts';
import { findAcquirerChoice } from '../acquirers/acquirer-choice.store.ts';
import { type CardSent, withFallback } from '../acquirers/with-fallback.ts';
import { billingFacts } from '../cards/billing.ts';
import type { Deps } from '../deps.ts';
import { type FeeChannelRow, findPricing } from '../fees/fee-channel.store.ts';
import type { Sql } from '@cobro/postgres/database.ts';
import { promotionsFor } from '../promotions/promote.ts';
import type { PromotionInForce } from '../promotions/promotion-in-force.ts';
import { type Attempt, makeAttempt, newPayment, type Origin } from '../payments/payment-attempt.ts';
import type { PaymentRow } from '../payments/payment.row.ts';
import { type NewPayment, readSettled } from '../payments/payment.store.ts';
import { type Attribution, attributionTo } from '../salespeople/attribution.ts';

/** What a payer sends, parsed and valid. */
export interface PayerAttempt {
  card: CardInput;
  /** Allowed by what is paid; 1 if absent. */
  terms?: number | undefined;
  billingInformation: PayerInformation;
  /** Until when (a `performance.now()` value) the payer waits. */
  deadline: number;
}

/** What a card is charged for. */
export interface Purchase {
  organizationId: string;
  amount: bigint;
  description: string;
  /** The salesperson that the payment names. */
  salespersonId: string | null;
  origin: Origin;
  productId: string | null;
  /** Whether this card may pay in these terms. */
  offersTerms(card: VaultedCard, terms: number): boolean;
  /** What the claim writes, and what it locks and counts. */
  claiming: Pick<Attempt, 'locking' | 'counting' | 'key'> & {
    /** Writes only if `room` holds. */
    writing(payment: NewPayment, room: Sql | undefined): Sql;
  };
}

/** Refusals that permits and claims throw. A permit's come before the vault is asked, a claim's after it. */
const BEFORE_THE_VAULT = ['BANK_UNAVAILABLE', 'NOT_OFFERED_BY_ACQUIRER', 'TERMS_NOT_AVAILABLE'] as const;
/** Why a card was not charged. */
type NotCharged = 'FEE_CHANNEL_UNKNOWN' | (typeof BEFORE_THE_VAULT)[number];

/** How an attempt to pay at a checkout ended. `Why`: why what is paid for cannot be paid. */
export type CheckoutPayment<Why extends RefusalCode> =
  | { end: 'paid' | 'pending'; payment: PaymentRow }
  /** Without a payment if the vault declined the card. */
  | { end: 'declined'; declineCode: string; payment?: PaymentRow }
  | { end: 'too_many_declines'; retryAfterS: number }
  /** `isCardGood`: the vault has taken the card. */
  | { end: 'not_paid'; why: NotCharged | Why; isCardGood?: true };

/** `not_claimed`: no payment was written, because what is paid has changed or the same attempt came first. */
type CardPayment = CheckoutPayment<never> | { end: 'not_claimed' };

const notPaid = <Why extends RefusalCode>(why: Why) => ({ end: 'not_paid', why }) as const;

/** The hash of a card's number under which its declines are counted. */
export const cardOfSlot = (deps: Deps, { card }: PayerAttempt): string =>
  numberFingerprintOf(deps.fingerprintKeys, card).toString('base64url');

/** Pays while the slot is reserved. A decline keeps the slot. */
export async function payInSlot<Why extends RefusalCode, Earlier = never>(
  slot: Slot,
  pay: () => Promise<CheckoutPayment<Why> | Earlier>,
): Promise<CheckoutPayment<Why> | Earlier> {
  if (slot.refused) return { end: 'too_many_declines', retryAfterS: slot.retryAfterS };
  let counts = false;
  try {
    const payment = await pay();
    counts = countsAsDecline(payment as CheckoutPayment<Why>);
    return payment;
  } finally {
    await (counts ? slot.keep() : slot.free());
  }
}

/** Counts a good card too: otherwise its answer would show that for free. */
const countsAsDecline = (payment: CheckoutPayment<RefusalCode>) =>
  payment.end === 'declined' || 'isCardGood' in payment;

/** Exchanges the card at the vault, claims, and asks the bank. */
export async function payByCard(deps: Deps, purchase: Purchase, attempt: PayerAttempt): Promise<CardPayment> {
  const { organizationId, amount } = purchase;
  const cardId = numberFingerprintOf(deps.fingerprintKeys, attempt.card).toString('hex');
  const wanted = { amount, terms: attempt.terms ?? 1 };
  const choice = await findAcquirerChoice(deps.db, organizationId);
  const request = { organizationId, cardId, wanted, deadline: attempt.deadline };
  const payAt = (acquirer: string, sent: CardSent) =>
    deps.journal
      .withPermit({ ...request, acquirer }, (permit) => chargeCard(deps, purchase, { attempt, permit, sent }))
      .catch(refusedBefore);
  return withFallback(choice, payAt, isBankUnavailable);
}

const isBankUnavailable = (payment: CardPayment) => payment.end === 'not_paid' && payment.why === 'BANK_UNAVAILABLE';

function refusedBefore(error: unknown): CardPayment {
  const why = error instanceof Refusal && BEFORE_THE_VAULT.find((code) => code === error.code);
  if (why) return notPaid(why);
  throw error;
}

async function chargeCard(
  deps: Deps,
  purchase: Purchase,
  { attempt, permit, sent }: { attempt: PayerAttempt; permit: Permit; sent: CardSent },
): Promise<CardPayment> {
  // Unless this ends in a token, nothing has been charged.
  sent.mayHaveArrived = true;
  const exchanged = await deps.journal.exchange({ card: attempt.card, use: 'once' }, permit);
  sent.mayHaveArrived = exchanged.outcome !== 'unreachable';
  if (exchanged.outcome === 'declined') return { end: 'declined', declineCode: exchanged.declineCode };
  if (exchanged.outcome !== 'approved' || exchanged.vaulted === undefined) return notPaid('BANK_UNAVAILABLE');
  const card = exchanged.vaulted;
  const terms = attempt.terms ?? 1;
  if (!purchase.offersTerms(card, terms)) return { ...notPaid('TERMS_NOT_AVAILABLE'), isCardGood: true };
  const { network, fundingSource } = card;
  const { channels, promotions } = await findPricing(deps.db, purchase.organizationId, deps.clock.now());
  const channel = chooseFeeChannel(channels, { type: 'CARD_NOT_PRESENT', network, fundingSource, terms });
  if (channel === undefined) return { ...notPaid('FEE_CHANNEL_UNKNOWN'), isCardGood: true };
  const { acquirer } = permit;
  const sold = await attributionTo(deps.db, purchase);
  const charged = { acquirer, attempt, card, channel, sold, promotions };
  const end = await makeAttempt(deps, attemptOf(deps, purchase, charged), permit);
  if (end === undefined) return { end: 'not_claimed' };
  const { outcome, row } = end.outcome;
  if (outcome === 'not_sent') return notPaid('BANK_UNAVAILABLE');
  if (outcome === 'unknown') return { end: 'pending', payment: end.payment };
  return endOf(row ?? (await readSettled(deps.db, end.payment)));
}

function endOf(payment: PaymentRow): CardPayment {
  const { status, declineCode } = payment;
  if (status === 'CANCELLED') return { end: 'declined', declineCode: declineCode ?? 'unknown', payment };
  return { end: status === 'PENDING' ? 'pending' : 'paid', payment };
}

interface CardToCharge {
  /** The acquirer whose vault gave the token. */
  acquirer: string;
  attempt: PayerAttempt;
  card: VaultedCard;
  channel: FeeChannelRow;
  sold: Partial<Attribution>;
  promotions: PromotionInForce[];
}

function attemptOf(
  deps: Deps,
  { organizationId, amount, description, origin, productId, claiming }: Purchase,
  { acquirer, attempt, card: { token, ...card }, channel, sold, promotions }: CardToCharge,
): Attempt {
  const payment = newPayment(deps, {
    acquirer,
    organizationId,
    origin,
    type: 'CARD_NOT_PRESENT',
    holdFunds: false,
    amount,
    description,
    terms: attempt.terms ?? 1,
    channel,
    card: { ...card, entryMode: null },
    billing: billingFacts(attempt.billingInformation),
    ...sold,
  });
  const { writing, ...rest } = claiming;
  return {
    ...rest,
    purpose: 'charge',
    amount,
    token,
    rates: payment.rates,
    promotions: promotionsFor(payment, promotions, productId),
    writing: (rates, room) => writing({ ...payment, rates }, room),
  };
}

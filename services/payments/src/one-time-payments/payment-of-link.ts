import type { Place } from '@cobro/bank/bank-places.ts';
import type { VaultedCard } from '@cobro/bank/bank.ts';
import type { OneTimePaymentAttempt } from '@cobro/contracts/one-time-payments.ts';
import { Refusal, type RefusalCode } from '@cobro/contracts/refusals.ts';
import { chooseFeeChannel } from '@cobro/domain/fees.ts';
import { tooManyAttempts } from '@cobro/service-kit/answer.ts';
import { numberFingerprintOf } from '@cobro/service-kit/number-fingerprint.ts';
import { billingFacts } from '../cards/billing.ts';
import type { Deps } from '../deps.ts';
import { type FeeChannelRow, listFeeChannels } from '../fees/fee-channel.store.ts';
import { type Attempt, makeAttempt, newPayment } from '../payments/payment-attempt.ts';
import type { PaymentRow } from '../payments/payment.row.ts';
import { findOpenPaymentOfLink, lookAgain, writingPaymentOfLink } from '../payments/payment.store.ts';
import type { OneTimePaymentRow } from './one-time-payment.row.ts';
import { paymentRefusal } from './one-time-payment.rules.ts';
import { findOneTimePayment, lockingLink } from './one-time-payment.store.ts';

/** An attempt to pay a link, read and valid. */
export interface LinkAttempt extends Omit<OneTimePaymentAttempt, 'terms'> {
  /** Allowed by the link; a single payment where it is not said. */
  terms?: number | undefined;
  /** Of the form that was sent, by each key, of which the first is kept; none of the JSON way. */
  attemptDigests: readonly Buffer[];
  /** IP address of the payer. */
  address: string;
  /** Until when (a `performance.now()` value) the payer waits. */
  deadline: number;
}

/**
 * Pays a link with a card: the use case of the page and of the JSON way. Answers the payment: CONFIRMED, PENDING while the bank's
 * answer is unknown, CANCELLED where it declined. Everything else is refused: the link's state (409), too many declines (429),
 * the vault (402 CHARGE_DECLINED), terms and fee channel (409), a bank that cannot be asked (503).
 */
export async function attemptPayment(deps: Deps, link: OneTimePaymentRow, attempt: LinkAttempt): Promise<PaymentRow> {
  const open = await findOpenPaymentOfLink(deps.db, link.id);
  refuse(paymentRefusal(link, open !== undefined, deps.clock.now()));
  const cardFingerprint = numberFingerprintOf(deps.fingerprintKeys, attempt.card);
  const card = cardFingerprint.toString('base64url');
  const limit = await deps.limits.link.take({ card, link: link.id, address: attempt.address });
  if (limit.refused) throw tooManyAttempts(limit.retryAfterS);
  let counts = false;
  try {
    const cardId = cardFingerprint.toString('hex');
    const { organizationId } = link;
    const row = await deps.journal.withPlace({ organizationId, cardId, deadline: attempt.deadline }, (place) =>
      payWithCard(deps, link, attempt, place),
    );
    counts = row.status === 'CANCELLED';
    return row;
  } catch (error) {
    counts = error instanceof Refusal && COUNTING.has(error.code);
    throw error;
  } finally {
    if (!counts) await limit.giveBack();
  }
}

/** Refusals after which a place stays taken. The last two come after the vault, so they would say for nothing that a card is good. */
const COUNTING = new Set<RefusalCode>(['CHARGE_DECLINED', 'TERMS_NOT_AVAILABLE', 'FEE_CHANNEL_UNKNOWN']);

async function payWithCard(
  deps: Deps,
  link: OneTimePaymentRow,
  attempt: LinkAttempt,
  place: Place,
): Promise<PaymentRow> {
  const card = await exchangeCard(deps, attempt, place);
  const channels = await listFeeChannels(deps.db, link.organizationId);
  const end = await makeAttempt(deps, attemptOf(deps, { link, attempt, card, channels }), place);
  if (end === undefined) throw await whyNotPaid(deps, link.id);
  const { outcome, row } = end.outcome;
  if (outcome === 'not_sent') throw new Refusal('BANK_UNAVAILABLE');
  if (outcome === 'unknown') return end.payment;
  return row ?? lookAgain(deps.db, end.payment.id);
}

interface CardForLink {
  link: OneTimePaymentRow;
  attempt: LinkAttempt;
  card: VaultedCard;
  channels: FeeChannelRow[];
}

/** The attempt to charge the card for this link. The link is locked first, so that of all who pay or cancel at once one comes first. */
function attemptOf(deps: Deps, { link, attempt, card: { token, ...card }, channels }: CardForLink): Attempt {
  const { id: linkId, organizationId, amount, description } = link;
  const { terms = 1, attemptDigests } = attempt;
  const payment = newPayment(deps, {
    organizationId,
    origin: { source: 'ONE_TIME_PAYMENT', oneTimePaymentId: linkId, attemptDigest: attemptDigests[0] ?? null },
    type: 'CARD_NOT_PRESENT',
    holdFunds: false,
    amount,
    description,
    terms,
    channel: channelFor(channels, card, terms),
    card: { ...card, entryMode: null },
    billing: billingFacts(attempt.billingInformation),
  });
  const writing = writingPaymentOfLink(payment, { linkId, attemptDigests });
  return { purpose: 'charge', locking: lockingLink(linkId), writing, key: linkId, amount, token };
}

/**
 * Why the link could not be claimed: it has ended, or another attempt came first, which may have ended since. The other one may be the
 * same form, sent twice, whose first copy was declined while the second was at the vault.
 */
async function whyNotPaid(deps: Deps, id: string): Promise<Refusal> {
  const link = await findOneTimePayment(deps.db, id);
  if (link === undefined) throw new Error('a link is gone');
  return new Refusal(paymentRefusal(link, false, deps.clock.now()) ?? 'PAYMENT_IN_PROGRESS');
}

/** The card for a token of the bank's vault. Nothing has been charged where this does not end in a token. */
async function exchangeCard(deps: Deps, { card }: LinkAttempt, place: Place): Promise<VaultedCard> {
  const answer = await deps.journal.exchange(card, place);
  if (answer.outcome === 'declined')
    throw new Refusal('CHARGE_DECLINED', { fields: { declineCode: answer.declineCode } });
  if (answer.outcome !== 'approved' || answer.vaulted === undefined) throw new Refusal('BANK_UNAVAILABLE');
  return answer.vaulted;
}

/** Installments are for credit cards. @throws Refusal 409 */
function channelFor(
  channels: FeeChannelRow[],
  { network, fundingSource }: Pick<VaultedCard, 'network' | 'fundingSource'>,
  terms: number,
): FeeChannelRow {
  if (terms > 1 && fundingSource !== 'CREDIT') throw new Refusal('TERMS_NOT_AVAILABLE');
  const channel = chooseFeeChannel(channels, { type: 'CARD_NOT_PRESENT', network, fundingSource, terms });
  if (channel === undefined) throw new Refusal('FEE_CHANNEL_UNKNOWN');
  return channel;
}

function refuse(code: ReturnType<typeof paymentRefusal>): void {
  if (code !== undefined) throw new Refusal(code);
}

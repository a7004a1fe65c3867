import type { Permit } from '@cobro/bank/bank-permits.ts';
import type { VaultedCard } from '@cobro/bank/bank.ts';
import type { OneTimePaymentAttempt } from '@cobro/contracts/one-time-payments.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { chooseFeeChannel } from '@cobro/domain/fees.ts';
import { numberFingerprintOf } from '@cobro/service-kit/number-fingerprint.ts';
import { findAcquirerChoice } from '../acquirers/acquirer-choice.store.ts';
import { type CardSent, withFallback } from '../acquirers/with-fallback.ts';
import { billingFacts } from '../cards/billing.ts';
import type { Deps } from '../deps.ts';
import { type FeeChannelRow, listFeeChannels } from '../fees/fee-channel.store.ts';
import { type Attempt, makeAttempt, newPayment } from '../payments/payment-attempt.ts';
import type { PaymentRow } from '../payments/payment.row.ts';
import { findOpenPaymentOfLink, lookAgain, writingPaymentOfLink } from '../payments/payment.store.ts';
import { type Attribution, attributionTo } from '../salespeople/attribution.ts';
import type { OneTimePaymentRow } from './one-time-payment.row.ts';
import { paymentRefusal } from './one-time-payment.rules.ts';
import { findOneTimePayment, lockingLink } from './one-time-payment.store.ts';

/** An attempt to pay a link, read and valid. */
export interface LinkAttempt extends Omit<OneTimePaymentAttempt, 'terms'> {
  /** Allowed by the link; a single payment where it is not said. */
  terms?: number | undefined;
  /** Digests of the form that was sent, one by each key. The first is kept. The JSON way has none. */
  attemptDigests: readonly Buffer[];
  /** IP address of the payer. */
  address: string;
  /** Until when (a `performance.now()` value) the payer waits. */
  deadline: number;
}

/** Why the vault was not even asked. Permits and claims refuse every use case alike, by throwing. */
const BEFORE_THE_VAULT = ['BANK_UNAVAILABLE', 'NOT_OFFERED_BY_ACQUIRER', 'TERMS_NOT_AVAILABLE'] as const;

/** Why nothing was charged. */
type NotPaid =
  | 'ONE_TIME_PAYMENT_NOT_PENDING'
  | 'ONE_TIME_PAYMENT_EXPIRED'
  | 'PAYMENT_IN_PROGRESS'
  | 'FEE_CHANNEL_UNKNOWN'
  | (typeof BEFORE_THE_VAULT)[number];

/** How an attempt to pay a link ended. */
export type LinkPayment =
  | { end: 'paid' | 'pending'; payment: PaymentRow }
  /** Without a payment where the vault refused the card. */
  | { end: 'declined'; declineCode: string; payment?: PaymentRow }
  | { end: 'too_many_declines'; retryAfterS: number }
  /** `isCardGood`: the vault has taken the card. */
  | { end: 'not_paid'; why: NotPaid; isCardGood?: true };

const notPaid = (why: NotPaid) => ({ end: 'not_paid', why }) as const;

/** Pays a link with a card: the use case of the page and of the JSON way. */
export async function attemptPayment(deps: Deps, link: OneTimePaymentRow, attempt: LinkAttempt): Promise<LinkPayment> {
  const open = await findOpenPaymentOfLink(deps.db, link.id);
  const refused = paymentRefusal(link, open !== undefined, deps.clock.now());
  if (refused !== undefined) return notPaid(refused);
  const cardFingerprint = numberFingerprintOf(deps.fingerprintKeys, attempt.card);
  const card = cardFingerprint.toString('base64url');
  const slot = await deps.limits.link.reserve({ card, link: link.id, address: attempt.address });
  if (slot.refused) return { end: 'too_many_declines', retryAfterS: slot.retryAfterS };
  let counts = false;
  try {
    const cardId = cardFingerprint.toString('hex');
    const { organizationId, amount } = link;
    const wanted = { amount, terms: attempt.terms ?? 1 };
    const choice = await findAcquirerChoice(deps.db, organizationId);
    const request = { organizationId, cardId, wanted, deadline: attempt.deadline };
    const payAt = (acquirer: string, sent: CardSent) =>
      deps.journal
        .withPermit({ ...request, acquirer }, (permit) => payWithCard(deps, link, { attempt, permit, sent }))
        .catch(refusedBefore);
    const payment = await withFallback(choice, payAt, isBankUnavailable);
    // A slot stays taken also where the card proved good: the answer would say so for nothing.
    counts = payment.end === 'declined' || (payment.end === 'not_paid' && payment.isCardGood === true);
    return payment;
  } finally {
    if (!counts) await slot.free();
  }
}

const isBankUnavailable = (payment: LinkPayment) => payment.end === 'not_paid' && payment.why === 'BANK_UNAVAILABLE';

function refusedBefore(error: unknown): LinkPayment {
  const why = error instanceof Refusal && BEFORE_THE_VAULT.find((code) => code === error.code);
  if (why) return notPaid(why);
  throw error;
}

async function payWithCard(
  deps: Deps,
  link: OneTimePaymentRow,
  { attempt, permit, sent }: { attempt: LinkAttempt; permit: Permit; sent: CardSent },
): Promise<LinkPayment> {
  // Nothing has been charged where this does not end in a token.
  sent.mayHaveArrived = true;
  const exchanged = await deps.journal.exchange({ card: attempt.card, use: 'once' }, permit);
  sent.mayHaveArrived = exchanged.outcome !== 'unreachable';
  if (exchanged.outcome === 'declined') return { end: 'declined', declineCode: exchanged.declineCode };
  if (exchanged.outcome !== 'approved' || exchanged.vaulted === undefined) return notPaid('BANK_UNAVAILABLE');
  const card = exchanged.vaulted;
  const channel = channelFor(await listFeeChannels(deps.db, link.organizationId), card, attempt.terms ?? 1);
  if (typeof channel === 'string') return { ...notPaid(channel), isCardGood: true };
  const { acquirer } = permit;
  const sold = await attributionTo(deps.db, link);
  const end = await makeAttempt(deps, attemptOf(deps, { acquirer, link, attempt, card, channel, sold }), permit);
  if (end === undefined) return notPaid(await whyNotPaid(deps, link.id));
  const { outcome, row } = end.outcome;
  if (outcome === 'not_sent') return notPaid('BANK_UNAVAILABLE');
  if (outcome === 'unknown') return { end: 'pending', payment: end.payment };
  return endOf(row ?? (await lookAgain(deps.db, end.payment.id)));
}

function endOf(payment: PaymentRow): LinkPayment {
  const { status, declineCode } = payment;
  if (status === 'CANCELLED') return { end: 'declined', declineCode: declineCode ?? 'unknown', payment };
  return { end: status === 'PENDING' ? 'pending' : 'paid', payment };
}

interface CardForLink {
  /** Who gave the token. */
  acquirer: string;
  link: OneTimePaymentRow;
  attempt: LinkAttempt;
  card: VaultedCard;
  channel: FeeChannelRow;
  sold: Partial<Attribution>;
}

/** The attempt to charge the card for this link. The link is locked first, so that those who pay or cancel at once come one after the other. */
function attemptOf(
  deps: Deps,
  { acquirer, link, attempt, card: { token, ...card }, channel, sold }: CardForLink,
): Attempt {
  const { id: linkId, organizationId, amount, description } = link;
  const { terms = 1, attemptDigests } = attempt;
  const payment = newPayment(deps, {
    acquirer,
    organizationId,
    origin: { source: 'ONE_TIME_PAYMENT', oneTimePaymentId: linkId, attemptDigest: attemptDigests[0] ?? null },
    type: 'CARD_NOT_PRESENT',
    holdFunds: false,
    amount,
    description,
    terms,
    channel,
    card: { ...card, entryMode: null },
    billing: billingFacts(attempt.billingInformation),
    ...sold,
  });
  const writing = writingPaymentOfLink(payment, { linkId, attemptDigests });
  return { purpose: 'charge', locking: lockingLink(linkId), writing, key: linkId, amount, token };
}

/**
 * Why the link could not be claimed: it has ended, or another attempt came first, which may have ended since. The other one may be the
 * same form, sent twice, whose first copy was declined while the second was at the vault.
 */
async function whyNotPaid(deps: Deps, id: string): Promise<NotPaid> {
  const link = await findOneTimePayment(deps.db, id);
  if (link === undefined) throw new Error('a link is gone');
  return paymentRefusal(link, false, deps.clock.now()) ?? 'PAYMENT_IN_PROGRESS';
}

/** The fee channel, or why there is none. Installments are for credit cards. */
function channelFor(
  channels: FeeChannelRow[],
  { network, fundingSource }: Pick<VaultedCard, 'network' | 'fundingSource'>,
  terms: number,
): FeeChannelRow | NotPaid {
  if (terms > 1 && fundingSource !== 'CREDIT') return 'TERMS_NOT_AVAILABLE';
  return (
    chooseFeeChannel(channels, { type: 'CARD_NOT_PRESENT', network, fundingSource, terms }) ?? 'FEE_CHANNEL_UNKNOWN'
  );
}

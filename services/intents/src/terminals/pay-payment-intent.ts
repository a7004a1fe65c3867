import { createHmac } from 'node:crypto';
import type { Permit } from '@cobro/bank/bank-permits.ts';
import type { VaultedCard } from '@cobro/bank/bank.ts';
import type { CallerOf } from '@cobro/contracts/caller.ts';
import type { Envelope } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import type { TappedCard } from '@cobro/contracts/payment-methods.ts';
import { Refusal, type RefusalCode } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { payPaymentIntent as contract } from '@cobro/contracts/routes/payment-intents.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import { byEach, type KeyRing } from '@cobro/service-kit/key-ring.ts';
import { seal } from '@cobro/service-kit/seal.ts';
import type { Deps } from '../deps.ts';
import { intentPaymentRequested } from '../intents/intent-events.ts';
import { inTraceOfIntent } from '../intents/intent-trace.ts';
import type { PaymentIntentRow } from '../intents/payment-intent.row.ts';
import { payRefusal } from '../intents/payment-intent.rules.ts';
import { beginCharging, findIntentForTerminal, listPending, lockIntent } from '../intents/payment-intent.store.ts';
import { requireSeller, soldAt } from '../registry/seller.ts';
import type { SalespersonRow } from '../registry/staff.store.ts';
import { lockTerminal, type TerminalRow } from '../registry/terminal.store.ts';
import { noteSeen } from '../registry/note-seen.ts';
import type { AttemptRow } from './attempt.row.ts';
import { findAttempt, insertAttempt } from './attempt.store.ts';
import { countingDeclines } from './counting-declines.ts';
import { outcomeOfAttempt } from './outcome-of-attempt.ts';
import { answerAttempt } from './show-attempt.ts';

interface Tap {
  terminal: CallerOf<'terminal'>;
  attemptId: string;
  card: TappedCard;
  terms: number;
  /** The salesperson that the request names, if any. */
  seller: SalespersonRow | undefined;
  /** One digest by each key. The first is stored. */
  digests: [Buffer, ...Buffer[]];
  deadline: number;
}

/**
 * POST /terminal/v1/payment-intent/{id}/payment: 201 paid, 402 declined (another attempt may follow), 202 while the outcome is
 * unknown. The same attempt sent again gets the same outcome and charges nothing.
 */
export async function payPaymentIntent(
  deps: Deps,
  input: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const intent = await findIntentForTerminal(deps.db, input.caller, input.params.id);
  if (intent === undefined) throw new Refusal('PAYMENT_INTENT_NOT_FOUND');
  return inTraceOfIntent(intent.trace, () => pay(deps, intent, input));
}

async function pay(
  deps: Deps,
  intent: PaymentIntentRow,
  { caller, deadline, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  noteSeen(deps, caller.terminalId);
  const { attemptId, card, terms = 1, salespersonId } = readBody();
  const digests = digestsOf(deps.fingerprintKeys, card, terms);

  const [earlier, pending] = await Promise.all([
    findAttempt(deps.db, intent.id, attemptId),
    listPending(deps.db, caller.terminalId),
  ]);
  if (earlier !== undefined) return replay(deps, intent, earlier, { digests, deadline });
  const seller =
    salespersonId === undefined ? undefined : await requireSeller(deps.db, caller.organizationId, salespersonId);
  const tap: Tap = { terminal: caller, attemptId, card, terms, seller, digests, deadline };
  refuse(payRefusal(intent, deps.clock.now()));
  // Checked again under the locks. Here it keeps a blocked terminal from learning whether the vault takes a card.
  refuseBlocked(intent, pending);
  const { organizationId, terminalId } = caller;
  let isReplayed = false;
  const counted = { intentId: intent.id, attemptId, terminalId, card, digest: digests[0] };
  const attempt = await countingDeclines(deps, counted, async () => {
    const wanted = { amount: intent.amount, terms, isCardPresent: true } as const;
    const acquirer = await deps.acquirerOf(organizationId, deadline);
    const request = { acquirer, organizationId, cardId: null, wanted, deadline };
    const requested = await deps.vault.withPermit(request, (permit) => requestPayment(deps, intent, tap, permit));
    isReplayed = requested === undefined;
    if (requested !== undefined) await deps.handOver([requested.event]);
    const outcome = await outcomeOfAttempt(deps, requested?.attempt ?? { intentId: intent.id, attemptId }, deadline);
    refuseAnother(outcome, tap);
    return outcome;
  });
  return answerAttempt(intent, attempt, isReplayed ? REPLAYED : {});
}

const REPLAYED = { 'Idempotent-Replayed': 'true' };

type Repeated = Pick<Tap, 'digests' | 'deadline'>;

async function replay(deps: Deps, intent: PaymentIntentRow, earlier: AttemptRow, tap: Repeated) {
  refuseAnother(earlier, tap);
  return answerAttempt(intent, await outcomeOfAttempt(deps, earlier, tap.deadline), REPLAYED);
}

function refuseAnother({ requestDigest }: AttemptRow, { digests }: Pick<Tap, 'digests'>): void {
  if (!digests.some((digest) => requestDigest.equals(digest))) throw new Refusal('ATTEMPT_MISMATCH');
}

interface Requested {
  attempt: AttemptRow;
  event: Envelope;
}

/** Commits the attempt and its event. Returns undefined if the same attempt has come meanwhile. */
async function requestPayment(
  deps: Deps,
  intent: PaymentIntentRow,
  tap: Tap,
  permit: Permit,
): Promise<Requested | undefined> {
  const vaulted = await exchangeCard(deps, intent, tap, permit);
  if (vaulted === undefined) return undefined;
  const paymentId = newId(deps.clock.now().getTime());
  return deps.db.inTransaction(async (tx) => {
    const terminal = await lockTerminal(tx, tap.terminal.terminalId);
    const row = await lockIntentToPay(deps, tx, intent.id, tap);
    if (row === undefined) return undefined;
    const { id: intentId } = intent;
    const { lastFourDigits, network } = vaulted;
    const now = deps.clock.now();
    const charging = await beginCharging(tx, { id: intentId, terminalId: terminal.id, paymentId, now });
    const sold = await soldAt(tx, terminal, tap.seller);
    const { acquirer } = permit;
    const event = paymentRequested(deps, charging, { paymentId, terminal, sold, vaulted, acquirer, tap });
    const attempt: AttemptRow = {
      intentId,
      attemptId: tap.attemptId,
      terminalId: terminal.id,
      requestDigest: tap.digests[0],
      status: 'REQUESTED',
      paymentId,
      operationCode: null,
      declineCode: null,
      lastFourDigits,
      network,
    };
    const isNew = await insertAttempt(tx, { ...attempt, paymentRequest: event });
    // A concurrent copy of this request has written down the vault's decline. The next repeat is answered with that 402.
    if (!isNew) throw new Refusal('INTENT_IN_PROGRESS');
    deps.outbox.append(tx, event);
    return { attempt, event };
  });
}

/** Locks the intent if it may be paid now; undefined if this attempt is known already. The terminal must be locked. */
async function lockIntentToPay(deps: Deps, tx: Tx, id: string, tap: Tap): Promise<PaymentIntentRow | undefined> {
  const { terminalId, organizationId } = tap.terminal;
  const [intent, pending, earlier] = await Promise.all([
    lockIntent(tx, organizationId, id),
    listPending(tx, terminalId),
    findAttempt(tx, id, tap.attemptId),
  ]);
  if (earlier !== undefined) return undefined;
  if (intent === undefined || (intent.terminalId !== null && intent.terminalId !== terminalId)) {
    throw new Refusal('PAYMENT_INTENT_NOT_FOUND');
  }
  refuse(payRefusal(intent, deps.clock.now()));
  refuseBlocked(intent, pending);
  return intent;
}

/** Refuses if another card is being charged at this terminal, or if its own intent comes before one that any terminal may take. */
function refuseBlocked(intent: PaymentIntentRow, pending: PaymentIntentRow[]): void {
  const isBlocked = (other: PaymentIntentRow) => other.chargingPaymentId !== null || intent.terminalId === null;
  if (pending.some((other) => other.id !== intent.id && isBlocked(other))) throw new Refusal('INTENT_IN_PROGRESS');
}

/** How long after its attempt is written (real time) a card may be charged. Later its holder may have left. */
const CHARGE_WITHIN_MS = 30_000;

interface NewRequest {
  paymentId: string;
  terminal: TerminalRow;
  sold: Awaited<ReturnType<typeof soldAt>>;
  vaulted: VaultedCard;
  /** The acquirer that gave the token. */
  acquirer: string;
  tap: Tap;
}

function paymentRequested(
  deps: Deps,
  intent: PaymentIntentRow,
  { paymentId, terminal, sold, vaulted, acquirer, tap }: NewRequest,
): Envelope {
  const { token, lastFourDigits, network, fundingSource, issuingBank } = vaulted;
  const sealed = new Secret(JSON.stringify({ token: token.reveal(), fundingSource, issuingBank }));
  return intentPaymentRequested(intent, {
    paymentId,
    terminalId: terminal.id,
    ...sold,
    terms: tap.terms,
    card: { lastFourDigits, network, entryMode: tap.card.entryMode },
    acquirer,
    sealedCard: seal(deps.tapKeys, paymentId, sealed).toString('base64'),
    chargeBefore: new Date(Date.now() + CHARGE_WITHIN_MS),
  });
}

/**
 * Exchanges the card for a single-use token of the bank's vault. A decline by the vault is written down as the attempt's end; undefined
 * if the attempt is known by then. Without a token nothing has been charged.
 */
async function exchangeCard(deps: Deps, intent: PaymentIntentRow, tap: Tap, permit: Permit) {
  const answer = await deps.vault.exchange({ card: tap.card, use: 'once' }, permit);
  if (answer.outcome === 'approved' && answer.vaulted !== undefined) return answer.vaulted;
  if (answer.outcome !== 'declined') throw new Refusal('BANK_UNAVAILABLE');
  const { declineCode } = answer;
  const isNew = await insertAttempt(deps.db, {
    intentId: intent.id,
    attemptId: tap.attemptId,
    terminalId: tap.terminal.terminalId,
    requestDigest: tap.digests[0],
    status: 'DECLINED',
    declineCode,
    paymentId: null,
    lastFourDigits: null,
    network: null,
    paymentRequest: null,
  });
  if (isNew) throw new Refusal('CHARGE_DECLINED', { fields: { declineCode, paymentId: null } });
  return undefined;
}

/** Keyed hash that shows whether two requests present the same card in the same terms. */
function digestsOf(keys: KeyRing, card: TappedCard, terms: number): [Buffer, ...Buffer[]] {
  const identity = `attempt\0${card.number.reveal()}/${card.expirationYear}-${card.expirationMonth}/${terms}`;
  return byEach(keys, (key) => createHmac('sha256', key.reveal()).update(identity).digest());
}

function refuse(code: RefusalCode | undefined): void {
  if (code !== undefined) throw new Refusal(code);
}

import type { Permit } from '@cobro/bank/bank-permits.ts';
import type { Claimed } from '@cobro/bank/journal.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { savePaymentMethod as contract } from '@cobro/contracts/routes/saved-cards.ts';
import type { CardInput, SavePaymentMethodBody } from '@cobro/contracts/payment-methods.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { refuseCardData } from '@cobro/contracts/text.ts';
import { whereUnavailable } from '@cobro/postgres/unavailable.ts';
import { accepted, tooManyAttempts } from '@cobro/service-kit/answer.ts';
import { numberFingerprintOf } from '@cobro/service-kit/number-fingerprint.ts';
import { findAcquirerChoice } from '../acquirers/acquirer-choice.store.ts';
import { type CardSent, withFallback } from '../acquirers/with-fallback.ts';
import { claimKey } from '../claim-key.ts';
import type { Deps } from '../deps.ts';
import { billingFacts } from './billing.ts';
import { fingerprintsOf, refuseExpired } from './card-details.ts';
import { endOfFirstAttempt, waitUntil } from '../first-attempt.ts';
import { showPaymentMethod } from './payment-method.rules.ts';
import type { PaymentMethodRow } from './payment-method.row.ts';
import {
  findMethodByExternalId,
  findPaymentMethod,
  forgetPaymentMethod,
  replaceFingerprint,
  writingPaymentMethod,
} from './payment-method.store.ts';

/**
 * POST /payment-method: the number goes to the bank's vault. 201 ACTIVE, 202 PENDING while the bank's answer is unknown, 402
 * declined.
 */
export async function savePaymentMethod(
  deps: Deps,
  input: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { organizationId } = input.caller;
  const body = input.readBody();
  refuseExpired(body.card, deps.clock.now());
  const fingerprints = fingerprintsOf(deps.fingerprintKeys, body.card);
  const { externalId } = body;
  const { deadline } = input;
  const choice = await findAcquirerChoice(deps.db, organizationId);
  const request = { organizationId, askedBy: input.caller.by, cardId: null, externalId, deadline };
  const until = waitUntil();
  for (;;) {
    const earlier = externalId && (await earlierSave(deps, { organizationId, externalId, fingerprints, until }));
    if (earlier) return { ...earlier, headers: { ...earlier.headers, 'Idempotent-Replayed': 'true' } };
    refuseCardData(externalId);
    const answer = await withFallback(choice, (acquirer, sent) =>
      deps.journal.withPermit({ ...request, acquirer }, async (permit) => {
        const { claimed } = await claimCard(deps, { organizationId, body, fingerprint: fingerprints[0] }, permit);
        return claimed && carryOutSave(deps, claimed, { card: body.card, sent });
      }),
    );
    if (answer !== undefined) return answer;
  }
}

/** For `sendBefore`: nothing is sent. */
const NEVER = 0;

async function carryOutSave(
  deps: Deps,
  claimed: Claimed<PaymentMethodRow>,
  { card, sent }: { card: CardInput; sent: CardSent },
): Promise<AnswerOf<typeof contract>> {
  const { row: method } = claimed;
  // Reserved after the claim, because simultaneous requests with one externalId are one attempt.
  const number = numberFingerprintOf(deps.fingerprintKeys, card).toString('base64url');
  const slot = await deps.limits.saving.reserve({ card: number });
  const sendBefore = slot.refused ? NEVER : undefined;
  const request = { kind: 'tokenize', card, use: 'saved' } as const;
  sent.mayHaveArrived = true;
  const outcome = await deps.journal.carryOut(claimed, request, deps.settlers.save, sendBefore);
  sent.mayHaveArrived = outcome.outcome !== 'not_sent' || outcome.isKeyClosed === true;
  if (outcome.outcome === 'declined') await deps.refusalWatch.refused(method.organizationId);
  else if (!slot.refused) await slot.free();
  switch (outcome.outcome) {
    case 'not_sent':
      await forgetRefused(deps, method);
      throw slot.refused ? tooManyAttempts(slot.retryAfterS) : new Refusal('BANK_UNAVAILABLE');
    case 'declined':
      await forgetRefused(deps, method);
      throw new Refusal('CARD_DECLINED', { fields: { declineCode: outcome.declineCode } });
    case 'not_processed':
      throw new Refusal('CARD_DECLINED', { fields: { declineCode: 'not_processed' } });
    case 'unknown':
      return answerSave(method, deps.clock.now());
    case 'approved':
      return answerSave(outcome.row ?? (await readSettled(deps, method)), deps.clock.now());
  }
}

/** The card as an inquiry settled it; if the database is away, as claimed, because a 503 would say that nothing was sent. */
async function readSettled({ db }: Deps, known: PaymentMethodRow): Promise<PaymentMethodRow> {
  const row = await findPaymentMethod(db, known.organizationId, known.id).catch(whereUnavailable(known));
  if (row === undefined) throw new Error('a saved card is gone');
  return row;
}

/** Deletes a card before its refusal is answered. A card that cannot be deleted stays as REVOKED. */
async function forgetRefused(deps: Deps, method: PaymentMethodRow): Promise<void> {
  await forgetPaymentMethod(deps.db, method, deps.callTimeoutMs).catch(() => {});
}

/** Claims nothing if another card has the externalId. */
const claimCard = (
  deps: Deps,
  { organizationId, body, fingerprint }: { organizationId: string; body: SavePaymentMethodBody; fingerprint: Buffer },
  permit: Permit,
) => {
  const writing = writingPaymentMethod({
    organizationId,
    acquirer: permit.acquirer,
    externalId: body.externalId ?? null,
    fingerprint,
    lastFourDigits: body.card.number.reveal().slice(-4),
    expirationMonth: body.card.expirationMonth,
    expirationYear: body.card.expirationYear,
    billing: billingFacts(body.billingInformation),
    createdAt: deps.clock.now(),
  });
  const key = claimKey(organizationId, body.externalId);
  return deps.journal.claimByWriting<PaymentMethodRow>({ purpose: 'save', writing, key }, permit);
};

/**
 * Answers with the card that an earlier request saved under this externalId, if it is the same card; waits briefly while that
 * request is running. Returns undefined if it saved none.
 */
async function earlierSave(
  deps: Deps,
  asked: { organizationId: string; externalId: string; fingerprints: [Buffer, ...Buffer[]]; until: number },
): Promise<AnswerOf<typeof contract> | undefined> {
  const look = async () => {
    const row = await findMethodByExternalId(deps.db, asked.organizationId, asked.externalId);
    if (row === undefined) return undefined;
    const [first, ...others] = asked.fingerprints;
    if (row.fingerprint.equals(first)) return row;
    if (!others.some((other) => row.fingerprint.equals(other))) throw new Refusal('EXTERNAL_ID_MISMATCH');
    // Only a request with the number can replace a fingerprint by one of the first key. The answer does not need that.
    await replaceFingerprint(deps.db, row, first).catch(() => {});
    return row;
  };
  const row = await endOfFirstAttempt(deps, look, asked.until);
  if (row === 'running') throw new Refusal('SAVE_IN_PROGRESS');
  return row && answerSave(row, deps.clock.now());
}

function answerSave(row: PaymentMethodRow, now: Date): AnswerOf<typeof contract> {
  const body = showPaymentMethod(row, now);
  if (row.status !== 'PENDING') return { status: 201, body };
  return accepted(body, `/api/payment-method/${row.id}`);
}

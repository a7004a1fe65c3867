import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { findOpenOperation } from '@cobro/bank/journal.store.ts';
import type { CallerOf } from '@cobro/contracts/caller.ts';
import type { BillingFacts } from '@cobro/contracts/events.ts';
import { type CardInput, savePaymentMethodBody, type SavePaymentMethodBody } from '@cobro/contracts/payment-methods.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Secret } from '@cobro/contracts/secret.ts';
import { validate } from '@cobro/contracts/validation.ts';
import { cardExpired } from '@cobro/domain/mexico-city.ts';
import type { Answer } from '@cobro/service-kit/handle.ts';
import { bankUnavailable } from './payment-answer.ts';
import type { Deps } from './deps.ts';
import { showPaymentMethod } from './payment-method.rules.ts';
import type { PaymentMethodRow } from './payment-method.rules.ts';
import { claimPaymentMethod, findMethodByExternalId, findPaymentMethod } from './payment-method.store.ts';
import { callIsRunning } from './payment.rules.ts';

const WAIT_MS = 2_000;
const LOOK_EVERY_MS = 50;

interface Input {
  caller: CallerOf<'merchant'>;
  body: unknown;
}

/** POST /payment-method: the number goes to the bank's vault. 201 ACTIVE, 202 PENDING while its answer is unknown, 402 refused. */
export async function savePaymentMethod(deps: Deps, input: Input): Promise<Answer> {
  const { organizationId } = input.caller;
  const body = validate(savePaymentMethodBody, input.body);
  const { expirationMonth: month, expirationYear: year } = body.card;
  if (cardExpired({ month, year }, deps.clock.now())) throw expiredCard();
  const fingerprint = fingerprintOf(deps.fingerprintKey, body.card);
  const claim = await claimCard(deps, organizationId, body, fingerprint);
  if (claim === undefined) return replaySave(deps, organizationId, body.externalId ?? '', fingerprint);
  const outcome = await deps.journal.carryOut(claim.claimed, { kind: 'tokenize', card: body.card });
  if (outcome.outcome === 'not_sent') throw bankUnavailable();
  if (outcome.outcome === 'declined')
    throw new Refusal('CARD_DECLINED', { fields: { declineCode: outcome.declineCode } });
  if (outcome.outcome === 'not_processed')
    throw new Refusal('CARD_DECLINED', { fields: { declineCode: 'not_processed' } });
  const row = await findPaymentMethod(deps.db, organizationId, claim.method.id);
  if (row === undefined) throw new Refusal('CARD_DECLINED');
  return answerSave(row, deps.clock.now());
}

const claimCard = (deps: Deps, organizationId: string, body: SavePaymentMethodBody, fingerprint: Buffer) =>
  deps.db.inTransaction(async (tx) => {
    const method = await claimPaymentMethod(tx, {
      organizationId,
      externalId: body.externalId,
      fingerprint,
      lastFourDigits: body.card.number.reveal().slice(-4),
      expirationMonth: body.card.expirationMonth,
      expirationYear: body.card.expirationYear,
      billing: billingFacts(body.billingInformation),
      createdAt: deps.clock.now(),
    });
    if (method === undefined) return undefined;
    return { method, claimed: await deps.journal.claim(tx, { purpose: 'save', subjectId: method.id }) };
  });

/** The same card again under this externalId is the original; while that one is being saved, waits for it a little. */
async function replaySave(
  deps: Deps,
  organizationId: string,
  externalId: string,
  fingerprint: Buffer,
): Promise<Answer> {
  const until = Date.now() + WAIT_MS;
  for (;;) {
    const row = await findMethodByExternalId(deps.db, organizationId, externalId);
    // The first attempt did not come to be.
    if (row === undefined) throw inProgress();
    if (!row.fingerprint.equals(fingerprint)) throw new Refusal('EXTERNAL_ID_MISMATCH');
    const open = row.status === 'PENDING' ? await findOpenOperation(deps.db, row.id) : undefined;
    if (open === undefined || !callIsRunning(open, Date.now(), deps.callTimeoutMs)) {
      const answer = answerSave(row, deps.clock.now());
      return { ...answer, headers: { ...answer.headers, 'Idempotent-Replayed': 'true' } };
    }
    if (Date.now() > until) throw inProgress();
    await sleep(LOOK_EVERY_MS);
  }
}

function answerSave(row: PaymentMethodRow, now: Date): Answer {
  const body = showPaymentMethod(row, now);
  if (row.status !== 'PENDING') return { status: 201, body };
  return { status: 202, body, headers: { 'Retry-After': '1', Location: `/api/payment-method/${row.id}` } };
}

const inProgress = () => new Refusal('SAVE_IN_PROGRESS', { headers: { 'Retry-After': '1' } });

function expiredCard(): Refusal {
  const detail = { path: 'card.expirationMonth', message: 'the card has expired' };
  return new Refusal('VALIDATION_ERROR', { message: `${detail.path}: ${detail.message}.`, details: [detail] });
}

function fingerprintOf(key: Secret<Buffer>, card: CardInput): Buffer {
  const identity = `${card.number.reveal()}/${card.expirationYear}-${card.expirationMonth}`;
  return createHmac('sha256', key.reveal()).update(identity).digest();
}

function billingFacts(given: SavePaymentMethodBody['billingInformation']): BillingFacts | null {
  if (given === undefined) return null;
  const { email, firstName, lastName, phoneNumber, address } = given;
  return {
    email: email ?? null,
    firstName: firstName ?? null,
    lastName: lastName ?? null,
    phoneNumber: phoneNumber ?? null,
    address: address
      ? {
          addressLine: address.addressLine ?? null,
          city: address.city ?? null,
          state: address.state ?? null,
          zip: address.zip ?? null,
        }
      : null,
  };
}

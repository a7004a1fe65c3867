import type { ChargeBody } from '@cobro/contracts/payments.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { chargePaymentMethod as contract } from '@cobro/contracts/routes/saved-card-payments.ts';
import { refuseCardData } from '@cobro/contracts/text.ts';
import type { PaymentMethodRow } from '../cards/payment-method.row.ts';
import { refuseNotActive } from '../cards/payment-method.rules.ts';
import { findMethodToCharge, findPaymentMethod } from '../cards/payment-method.store.ts';
import { claimKey } from '../claim-key.ts';
import type { Deps } from '../deps.ts';
import type { Pricing } from '../fees/fee-channel.store.ts';
import { replayCharge } from './earlier-charge.ts';
import { answerCharge } from './payment-answer.ts';
import { type Attempt, type AttemptEnd, makeAttempt } from './payment-attempt.ts';
import { paymentOfCard } from './payment-of-card.ts';
import { findByExternalId, readSettled, writingPaymentOfCard } from './payment.store.ts';

/** POST /payment-method/{id}/payment: 201 CONFIRMED or HELD, 202 while the outcome is unknown, 402 declined. */
export async function chargePaymentMethod(
  deps: Deps,
  input: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { organizationId } = input.caller;
  const at = deps.clock.now();
  const method = await findMethodToCharge(deps.db, organizationId, { id: input.params.id, at });
  if (method === undefined) throw new Refusal('PAYMENT_METHOD_NOT_FOUND');
  const charge = input.readBody();

  const asked = { paymentMethodId: method.id, amount: charge.amount };
  const earlier = charge.externalId && (await findByExternalId(deps.db, organizationId, charge.externalId));
  if (earlier && earlier.status !== 'NOT_INITIALIZED') return replayCharge(deps, earlier.id, asked);
  if (!earlier) refuseCardData(charge.externalId);

  refuseNotActive(method, deps.clock.now());
  const attempt = attemptOf(deps, method, charge);
  const { externalId } = charge;
  const wanted = { amount: charge.amount };
  const { deadline } = input;
  const { acquirer } = method;
  const askedBy = input.caller.by;
  const request = { acquirer, organizationId, askedBy, cardId: method.id, externalId, wanted, deadline };
  const end = await deps.journal.withPermit(request, (permit) => makeAttempt(deps, attempt, permit));
  if (end !== undefined) return answerAttempt(deps, end);
  const winner = externalId === undefined ? undefined : await findByExternalId(deps.db, organizationId, externalId);
  // The card may have been revoked since it was read.
  if (winner === undefined || winner.status === 'NOT_INITIALIZED')
    refuseNotActive(await findPaymentMethod(deps.db, organizationId, method.id), deps.clock.now());
  if (winner === undefined) throw new Error('a conflict without a row');
  return replayCharge(deps, winner.id, asked);
}

/** The attempt to charge a saved card. @throws Refusal if no fee channel fits a charge */
function attemptOf(
  deps: Deps,
  method: PaymentMethodRow & Pricing,
  { amount, externalId, description, holdFunds }: ChargeBody,
): Attempt {
  const { payment, ...attempt } = paymentOfCard(deps, method, {
    origin: { source: 'SAVED_CARD', paymentMethodId: method.id, externalId: externalId ?? null },
    amount,
    description: description ?? null,
    ...(holdFunds !== undefined && { holdFunds }),
  });
  return {
    ...attempt,
    key: claimKey(method.organizationId, externalId),
    writing: (rates, room) => writingPaymentOfCard({ ...payment, rates }, room),
  };
}

async function answerAttempt(
  deps: Deps,
  { payment, outcome: { outcome, row } }: AttemptEnd,
): Promise<AnswerOf<typeof contract>> {
  if (outcome === 'not_sent') throw new Refusal('BANK_UNAVAILABLE');
  // Does not read the row, because a database that is away may be why the outcome could not be written down.
  if (outcome === 'unknown') return answerCharge(payment, deps.clock.now());
  return answerCharge(row ?? (await readSettled(deps.db, payment)), deps.clock.now());
}

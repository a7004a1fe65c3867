import type { Claimed } from '@cobro/bank/journal.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { chargePaymentMethod as contract } from '@cobro/contracts/routes/saved-card-payments.ts';
import type { ChargeBody } from '@cobro/contracts/payments.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Secret } from '@cobro/contracts/secret.ts';
import { chooseFeeChannel } from '@cobro/domain/fees.ts';
import { unseal } from '@cobro/service-kit/seal.ts';
import { answerCharge } from './payment-answer.ts';
import { replayCharge } from './earlier-charge.ts';
import type { Deps } from '../deps.ts';
import { type FeeChannelRow, ratesOf } from '../fees/fee-channel.store.ts';
import { statusOf } from '../cards/payment-method.rules.ts';
import type { PaymentMethodRow } from '../cards/payment-method.row.ts';
import { findMethodToCharge } from '../cards/payment-method.store.ts';
import type { PaymentRow } from './payment.row.ts';
import { claimPayment, findByExternalId, lookAgain } from './payment.store.ts';

/** POST /payment-method/{id}/payment: 201 CONFIRMED or HELD, 202 while the outcome is unknown, 402 declined. */
export async function chargePaymentMethod(
  deps: Deps,
  input: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { organizationId } = input.caller;
  const method = await findMethodToCharge(deps.db, organizationId, input.params.id);
  if (method === undefined) throw new Refusal('PAYMENT_METHOD_NOT_FOUND');
  const charge = input.readBody();

  const asked = { paymentMethodId: method.id, amount: charge.amount };
  const earlier = charge.externalId && (await findByExternalId(deps.db, organizationId, charge.externalId));
  if (earlier && earlier.status !== 'NOT_INITIALIZED') return replayCharge(deps, earlier.id, asked);

  if (statusOf(method, deps.clock.now()) !== 'ACTIVE') throw new Refusal('PAYMENT_METHOD_NOT_ACTIVE');
  const token = tokenOf(deps, method);
  const claim = await claimCharge(deps, method, charge);
  if (claim === undefined) {
    const winner = await findByExternalId(deps.db, organizationId, charge.externalId ?? '');
    if (winner === undefined) throw new Error('a conflict without a row');
    return replayCharge(deps, winner.id, asked);
  }
  return carryOutCharge(deps, token, claim);
}

interface ClaimedCharge {
  payment: PaymentRow;
  claimed: Claimed;
}

async function claimCharge(
  deps: Deps,
  method: PaymentMethodRow & { channels: FeeChannelRow[] },
  charge: ChargeBody,
): Promise<ClaimedCharge | undefined> {
  const { organizationId, lastFourDigits, network, fundingSource, issuingBank, billing } = method;
  const holdFunds = charge.holdFunds ?? false;
  const kind = { type: 'CARD_NOT_PRESENT' as const, network, fundingSource, terms: 1 };
  const channel = chooseFeeChannel(method.channels, kind);
  if (channel === undefined && !holdFunds) throw new Refusal('FEE_CHANNEL_UNKNOWN');
  return deps.db.inTransaction(async (tx) => {
    const payment = await claimPayment(tx, {
      organizationId,
      paymentMethodId: method.id,
      type: 'CARD_NOT_PRESENT',
      source: 'SAVED_CARD',
      holdFunds,
      amount: charge.amount,
      externalId: charge.externalId ?? null,
      description: charge.description ?? null,
      terms: 1,
      rates: channel ? ratesOf(channel) : null,
      card: { lastFourDigits, network, fundingSource, issuingBank, entryMode: null },
      billing,
      createdAt: deps.clock.now(),
    });
    if (payment === undefined) return undefined;
    const purpose = holdFunds ? 'hold' : 'charge';
    const claimed = deps.journal.claim(tx, { purpose, subjectId: payment.id, amount: payment.amount });
    return { payment, claimed };
  });
}

function tokenOf(deps: Deps, method: PaymentMethodRow): Secret<string> {
  if (method.sealedToken === null) throw new Error('an active card without a token');
  return unseal(deps.vaultKey, method.id, method.sealedToken);
}

async function carryOutCharge(
  deps: Deps,
  token: Secret<string>,
  { payment, claimed }: ClaimedCharge,
): Promise<AnswerOf<typeof contract>> {
  const kind = payment.holdFunds ? 'authorize' : 'sale';
  const { outcome, row } = await deps.journal.carryOut(claimed, { kind, token, amount: payment.amount });
  if (outcome === 'not_sent') throw new Refusal('BANK_UNAVAILABLE');
  // Nothing is read here: the database may be what kept the outcome from being written down.
  if (outcome === 'unknown') return answerCharge(payment, deps.clock.now());
  return answerCharge(row ?? (await lookAgain(deps.db, payment.id)), deps.clock.now());
}

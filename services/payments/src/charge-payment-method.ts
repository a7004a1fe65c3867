import type { Place } from '@cobro/bank/bank-places.ts';
import type { Claimed } from '@cobro/bank/journal.ts';
import type { CallerOf } from '@cobro/contracts/caller.ts';
import { chargeBody, type ChargeBody } from '@cobro/contracts/payments.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Secret } from '@cobro/contracts/secret.ts';
import { validate } from '@cobro/contracts/validation.ts';
import { chooseFeeChannel } from '@cobro/domain/fees.ts';
import type { Answer } from '@cobro/service-kit/handle.ts';
import { unseal } from '@cobro/service-kit/seal.ts';
import { answerCharge } from './payment-answer.ts';
import { replayCharge } from './earlier-charge.ts';
import type { Deps } from './deps.ts';
import type { FeeChannelRow } from './fee-channel.store.ts';
import { statusOf } from './payment-method.rules.ts';
import type { PaymentMethodRow } from './payment-method.rules.ts';
import { findMethodToCharge } from './payment-method.store.ts';
import type { PaymentRow } from './payment.rules.ts';
import { claimPayment, findByExternalId, lookAgain } from './payment.store.ts';

interface Input {
  caller: CallerOf<'merchant'>;
  params: { id: string };
  deadline: number;
  body: unknown;
}

/** POST /payment-method/{id}/payment: 201 CONFIRMED or HELD, 202 while the outcome is unknown, 402 declined. */
export async function chargePaymentMethod(deps: Deps, input: Input): Promise<Answer> {
  const { organizationId } = input.caller;
  const method = await findMethodToCharge(deps.db, organizationId, input.params.id);
  if (method === undefined) throw new Refusal('PAYMENT_METHOD_NOT_FOUND');
  const charge = validate(chargeBody, input.body ?? {});

  const asked = { paymentMethodId: method.id, amount: charge.amount };
  const earlier = charge.externalId && (await findByExternalId(deps.db, organizationId, charge.externalId));
  if (earlier && earlier.status !== 'NOT_INITIALIZED') return replayCharge(deps, earlier.id, asked);

  if (statusOf(method, deps.clock.now()) !== 'ACTIVE') throw new Refusal('PAYMENT_METHOD_NOT_ACTIVE');
  const channel = feeChannelOf(method, charge);
  const token = tokenOf(deps, method);
  const { externalId } = charge;
  const request = { organizationId, cardId: method.id, externalId, deadline: input.deadline };
  const answer = await deps.journal.withPlace(request, async (place) => {
    place.take();
    const claim = await claimCharge(deps, method, { charge, channel, place });
    return claim && carryOutCharge(deps, token, claim);
  });
  if (answer !== undefined) return answer;
  const winner = await findByExternalId(deps.db, organizationId, externalId ?? '');
  if (winner === undefined) throw new Error('a conflict without a row');
  return replayCharge(deps, winner.id, asked);
}

type MethodToCharge = PaymentMethodRow & { channels: FeeChannelRow[] };

/** Undefined where there is none, which is right for a hold only. */
function feeChannelOf({ network, fundingSource, channels }: MethodToCharge, charge: ChargeBody) {
  const channel = chooseFeeChannel(channels, { type: 'CARD_NOT_PRESENT', network, fundingSource, terms: 1 });
  if (channel === undefined && charge.holdFunds !== true) throw new Refusal('FEE_CHANNEL_UNKNOWN');
  return channel;
}

interface ClaimedCharge {
  payment: PaymentRow;
  claimed: Claimed;
}

async function claimCharge(
  deps: Deps,
  method: MethodToCharge,
  { charge, channel, place }: { charge: ChargeBody; channel: FeeChannelRow | undefined; place: Place },
): Promise<ClaimedCharge | undefined> {
  const { organizationId, lastFourDigits, network, fundingSource, issuingBank, billing } = method;
  const holdFunds = charge.holdFunds ?? false;
  return deps.db.inTransaction(async (tx) => {
    const payment = await claimPayment(tx, {
      organizationId,
      paymentMethodId: method.id,
      type: 'CARD_NOT_PRESENT',
      source: 'SAVED_CARD',
      holdFunds,
      amount: charge.amount,
      externalId: charge.externalId,
      description: charge.description,
      terms: 1,
      rates: channel
        ? {
            feeBps: channel.feeBps,
            promotionFeeDiscountBps: channel.promotionFeeDiscountBps,
            promotionBusinessTakeBps: channel.promotionBusinessTakeBps,
          }
        : null,
      card: { lastFourDigits, network, fundingSource, issuingBank, entryMode: null },
      billing,
      createdAt: deps.clock.now(),
    });
    if (payment === undefined) return undefined;
    const purpose = holdFunds ? 'hold' : 'charge';
    const claimed = deps.journal.claim(tx, { purpose, subjectId: payment.id, amount: payment.amount }, place);
    return { payment, claimed };
  });
}

function tokenOf(deps: Deps, method: PaymentMethodRow): Secret<string> {
  if (method.sealedToken === null) throw new Error('an active card without a token');
  return unseal(deps.vaultKey, method.id, method.sealedToken);
}

async function carryOutCharge(deps: Deps, token: Secret<string>, { payment, claimed }: ClaimedCharge): Promise<Answer> {
  const kind = payment.holdFunds ? 'authorize' : 'sale';
  const { outcome, row } = await deps.journal.carryOut(claimed, { kind, token, amount: payment.amount });
  if (outcome === 'not_sent') throw new Refusal('BANK_UNAVAILABLE');
  // Nothing is read here: the database may be what kept the outcome from being written down.
  if (outcome === 'unknown') return answerCharge(payment, deps.clock.now());
  return answerCharge(row ?? (await lookAgain(deps.db, payment.id)), deps.clock.now());
}

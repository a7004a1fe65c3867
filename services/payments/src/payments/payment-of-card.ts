import { Refusal } from '@cobro/contracts/refusals.ts';
import { chooseFeeChannel } from '@cobro/domain/fees.ts';
import { tokenOf } from '../cards/card-token.ts';
import type { PaymentMethodRow } from '../cards/payment-method.row.ts';
import type { Deps } from '../deps.ts';
import type { Pricing } from '../fees/fee-channel.store.ts';
import { promotionsFor } from '../promotions/promote.ts';
import { type Attempt, newPayment, type Origin } from './payment-attempt.ts';

interface Asked {
  origin: Extract<Origin, { paymentMethodId: string }>;
  amount: bigint;
  description: string | null;
  holdFunds?: boolean;
  productId?: string | null;
}

/**
 * Makes the payment of a saved card, always in one term, and what all attempts to charge the card share. @throws Refusal if no fee
 * channel fits a charge; a hold needs none
 */
export function paymentOfCard(
  deps: Deps,
  method: PaymentMethodRow & Pricing,
  { productId, holdFunds = false, ...asked }: Asked,
) {
  const { acquirer, organizationId, lastFourDigits, network, fundingSource, issuingBank, billing } = method;
  const kind = { type: 'CARD_NOT_PRESENT', terms: 1 } as const;
  const channel = chooseFeeChannel(method.channels, { ...kind, network, fundingSource });
  if (channel === undefined && !holdFunds) throw new Refusal('FEE_CHANNEL_UNKNOWN');
  const payment = newPayment(deps, {
    ...kind,
    ...asked,
    acquirer,
    organizationId,
    holdFunds,
    channel,
    card: { lastFourDigits, network, fundingSource, issuingBank, entryMode: null },
    billing,
  });
  return {
    payment,
    purpose: holdFunds ? 'hold' : 'charge',
    amount: asked.amount,
    token: tokenOf(deps, method),
    rates: payment.rates,
    promotions: promotionsFor(payment, method.promotions, productId),
  } as const satisfies Partial<Attempt> & { payment: unknown };
}

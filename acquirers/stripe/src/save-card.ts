import type { z } from 'zod';
import type { operationRequests } from '@cobro/contracts/acquirer/operation-requests.ts';
import { Stripe } from 'stripe';
import { approve, decline, type Ending } from './answer.ts';
import { insertCard } from './card.store.ts';
import type { Deps } from './deps.ts';
import type { Operation } from './operation.store.ts';
import { readStripeError } from './stripe-error.rules.ts';

type CardRequest = z.output<typeof operationRequests.tokenize>;

const NETWORKS: Record<string, string> = { visa: 'VISA', mastercard: 'MASTERCARD', amex: 'AMEX' };

/** Exchanges a card for a PaymentMethod. A card to be saved belongs to a customer and is checked by a SetupIntent. */
export async function saveCard(deps: Deps, { key }: Operation, card: CardRequest): Promise<Ending> {
  const { db, stripe, capabilities } = deps;
  if ('entryMode' in card)
    return { is: 'not done', problem: 'refused', message: 'no cards at a terminal are taken here' };
  try {
    const method = await stripe.paymentMethods.create(methodOf(card), { idempotencyKey: `${key}:method` });
    const network = NETWORKS[method.card?.brand ?? ''];
    if (method.card == null || network === undefined || !capabilities.networks.includes(network)) {
      return decline('unsupported_network');
    }
    const customerId = card.use === 'saved' ? await attach(deps, key, method.id) : null;
    if (customerId === undefined) return decline('authentication_required');
    await insertCard(db, { token: method.id, customerId }, key);
    const { last4, funding, issuer } = method.card as Stripe.PaymentMethod.Card & { issuer?: string | null };
    return approve(
      method.id,
      {},
      {
        token: method.id,
        lastFourDigits: last4,
        network,
        fundingSource: funding === 'unknown' ? 'CREDIT' : funding.toUpperCase(),
        issuingBank: issuer ?? 'UNKNOWN',
      },
    );
  } catch (error) {
    // An error of our own database says nothing about Stripe.
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const said = readStripeError(error);
    if (said.means === 'declined') return decline(said.declineCode, null, { text: said.text });
    // A card that was saved at Stripe and not here moves no money, and nobody has its token.
    return { is: 'not done', problem: 'retry', message: 'Stripe does not answer' };
  }
}

const methodOf = (card: Exclude<CardRequest, { entryMode: unknown }>): Stripe.PaymentMethodCreateParams => ({
  type: 'card',
  card: {
    number: card.number.reveal(),
    exp_month: card.expirationMonth,
    exp_year: card.expirationYear,
    cvc: card.cvc.reveal(),
  },
  // Half of a surrogate pair cannot be written in a form.
  billing_details: { name: card.holderName.toWellFormed() },
});

/** The customer that the card belongs to now; undefined if the issuer wants the cardholder to confirm. */
async function attach({ stripe }: Deps, key: string, method: string): Promise<string | undefined> {
  const customer = await stripe.customers.create(
    { metadata: { operation: key } },
    { idempotencyKey: `${key}:customer` },
  );
  const setup = await stripe.setupIntents.create(
    {
      customer: customer.id,
      usage: 'off_session',
      allowed_payment_method_types: ['card'],
      metadata: { operation: key },
    },
    { idempotencyKey: `${key}:setup` },
  );
  const checked = await stripe.setupIntents.confirm(
    setup.id,
    { payment_method: method },
    { idempotencyKey: `${key}:check` },
  );
  if (checked.status === 'succeeded') return customer.id;
  await stripe.setupIntents.cancel(setup.id).catch(() => {});
  return undefined;
}

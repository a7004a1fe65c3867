import type { z } from 'zod';
import type { operationRequests } from '@cobro/contracts/acquirer/operation-requests.ts';
import type { Stripe } from 'stripe';
import { approve, decline, type Ending, unknown } from './answer.ts';
import { findCard, useCard } from './card.store.ts';
import type { Deps } from './deps.ts';
import { beginClosing, commitSending, find, noteReused, type Operation } from './operation.store.ts';
import { declineCodeOf, readStripeError } from './stripe-error.rules.ts';

type Intent = Stripe.PaymentIntent;
type ChargeRequest =
  | ({ kind: 'authorize' } & z.output<typeof operationRequests.authorize>)
  | ({ kind: 'sale' } & z.output<typeof operationRequests.sale>);

const expand = ['latest_charge'];

/**
 * Charges a card in steps that let an inquiry surely find out what became of it: the PaymentIntent is made unconfirmed, its id is
 * committed, and only then it is confirmed. A repeat takes the same steps under the same keys of Stripe.
 */
export async function chargeCard(deps: Deps, { key }: Operation, request: ChargeRequest): Promise<Ending> {
  const { db, stripe } = deps;
  const card = await findCard(db, request.token);
  if (card === undefined) return decline('unknown_token');
  if (!(await useCard(db, request.token, key))) return decline('token_spent');
  let made: Intent;
  try {
    made = await stripe.paymentIntents.create(intentOf(key, request, card.customerId), {
      idempotencyKey: `${key}:create`,
    });
  } catch (error) {
    const said = readStripeError(error);
    if (said.isOfAnotherRequest) {
      // That request may have moved money: a person decides.
      await noteReused(db, key);
      return unknown;
    }
    // Nothing is confirmed without an id in the row, so an intent that Stripe made moves nothing.
    return said.means === 'declined'
      ? { is: 'not done', problem: 'refused', message: `Stripe refuses the charge: ${said.declineCode}` }
      : { is: 'not done', problem: 'retry', message: 'Stripe does not answer' };
  }
  const plan = planFor(made, request);
  if (plan === 'none') {
    return { is: 'not done', problem: 'refused', message: 'Stripe does not offer these installments for this card' };
  }
  if (!(await commitSending(db, key, made.id))) return cancelUnused(deps, key, made.id);
  const isRecurring = request.kind === 'sale' && request.recurring === true;
  const offSession = request.initiatedBy === 'merchant' && (isRecurring ? ('recurring' as const) : true);
  try {
    const confirmed = await stripe.paymentIntents.confirm(
      made.id,
      { expand, ...(offSession !== false && { off_session: offSession }), ...plan },
      { idempotencyKey: `${key}:confirm` },
    );
    return await endingOf(deps, request.kind, confirmed);
  } catch (error) {
    const said = readStripeError(error);
    // A refused request may only mean that the intent has moved on, so what the intent shows decides.
    return said.means === 'unknown' ? unknown : lookUp(deps, request.kind, made.id);
  }
}

function intentOf(key: string, request: ChargeRequest, customer: string | null): Stripe.PaymentIntentCreateParams {
  const { merchant, amount, token } = request;
  const descriptor = merchant.descriptor?.replaceAll(/[<>\\'"*]/g, ' ').trim() ?? '';
  const isInParts = request.kind === 'sale' && request.terms > 1;
  return {
    amount: Number(amount),
    currency: 'mxn',
    payment_method: token,
    allowed_payment_method_types: ['card'],
    capture_method: request.kind === 'authorize' ? 'manual' : 'automatic',
    metadata: { operation: key, merchant: merchant.id },
    ...(customer !== null && { customer }),
    ...(/[a-z]/i.test(descriptor) && { statement_descriptor_suffix: descriptor }),
    ...(isInParts && { payment_method_options: { card: { installments: { enabled: true } } } }),
  };
}

/** The installments to confirm with; `none` if Stripe does not offer them for this card. */
function planFor(made: Intent, request: ChargeRequest): 'none' | Stripe.PaymentIntentConfirmParams {
  if (request.kind === 'authorize' || request.terms === 1) return {};
  const offered = made.payment_method_options?.card?.installments?.available_plans ?? [];
  const found = offered.find(({ count, interval }) => count === request.terms && interval === 'month');
  if (found === undefined) return 'none';
  const plan = { type: 'fixed_count', count: request.terms, interval: 'month' } as const;
  return { payment_method_options: { card: { installments: { enabled: true, plan } } } };
}

async function lookUp(deps: Deps, kind: 'authorize' | 'sale', intentId: string): Promise<Ending> {
  try {
    return await endingOf(deps, kind, await deps.stripe.paymentIntents.retrieve(intentId, { expand }));
  } catch {
    return unknown;
  }
}

const chargeOf = (intent: Intent): Stripe.Charge | null => intent.latest_charge as Stripe.Charge | null;

async function endingOf(deps: Deps, kind: 'authorize' | 'sale', intent: Intent): Promise<Ending> {
  const { status, id } = intent;
  const charge = chargeOf(intent);
  switch (status) {
    case 'requires_capture':
    case 'succeeded':
      return approval(kind, intent);
    case 'requires_payment_method':
      await cancelForGood(deps, id);
      return decline(declineCodeOf(charge?.outcome?.reason ?? reasonOf(intent)), id, shownOf(charge));
    case 'requires_action':
      return (await cancelForGood(deps, id)) ? decline('authentication_required', id) : unknown;
    case 'canceled':
      // Stripe cancelled it when the network let go of the money: it was held before.
      return charge?.status === 'succeeded' ? approval(kind, intent) : { is: 'closed' };
    case 'requires_confirmation':
    case 'processing':
      return unknown;
    default:
      return unknown;
  }
}

const reasonOf = ({ last_payment_error: error }: Intent) => error?.decline_code ?? error?.code;

function approval(kind: 'authorize' | 'sale', intent: Intent): Ending {
  const charge = chargeOf(intent);
  const captureBefore = charge?.payment_method_details?.card?.capture_before;
  const until = captureBefore === undefined ? null : new Date(captureBefore * 1_000).toISOString();
  return approve(
    intent.id,
    shownOf(charge),
    kind === 'authorize' ? { captureBefore: until } : { amount: intent.amount },
  );
}

const shownOf = (charge: Stripe.Charge | null) => ({
  at: charge?.created,
  authCode: charge?.authorization_code,
  resultCode: charge?.outcome?.network_decline_code,
  text: charge?.outcome?.seller_message,
});

/** Cancels the intent of a request whose key was closed. If the row has an id, the intent may be in use. */
async function cancelUnused(deps: Deps, key: string, intentId: string): Promise<Ending> {
  const operation = await find(deps.db, key);
  if (operation?.closedAt != null && operation.intentId === null) await cancelForGood(deps, intentId);
  return unknown;
}

/** Cancels the intent. Even if this fails, nobody else can confirm it: only the adapter has its secret. */
async function cancelForGood({ stripe }: Deps, intentId: string): Promise<boolean> {
  const cancelled = await stripe.paymentIntents.cancel(intentId).catch(() => undefined);
  return cancelled?.status === 'canceled';
}

/** What became of a charge whose id was committed. With `close`, an unconfirmed charge is cancelled, which closes its key. */
export async function settleCharge(deps: Deps, operation: Operation, close: boolean): Promise<Ending> {
  const { db, stripe } = deps;
  const { key, kind, intentId, closingAt } = operation;
  if (intentId === null || (kind !== 'authorize' && kind !== 'sale')) return unknown;
  const intent = await stripe.paymentIntents.retrieve(intentId, { expand }).catch(() => undefined);
  if (intent === undefined) return unknown;
  if (closingAt === null) {
    if (intent.status !== 'requires_confirmation') return endingOf(deps, kind, intent);
    if (!close || !(await beginClosing(db, key))) return unknown;
  }
  // From here on a cancellation may be under way, so only a charge that Stripe can no longer cancel is approved.
  if (intent.status === 'canceled') return { is: 'closed' };
  if (intent.status === 'succeeded') return endingOf(deps, kind, intent);
  return (await cancelForGood(deps, intentId)) ? { is: 'closed' } : unknown;
}

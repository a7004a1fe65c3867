import { testCards } from '@cobro/contracts/test-cards.ts';
import { type Expected, refused } from './expected.ts';
import { at, type Model } from './model.ts';
import { newPayment } from './new-payment.ts';
import type { Request } from './steps.ts';
import type { Subscription } from './subscription.ts';

type Of<Op extends Request['op']> = Extract<Request, { op: Op }>;

const shown = (subscription: number) => ({ shows: { as: 'subscription', subscription } }) as const;

function answer({ endReason }: Subscription, position: number, replayed: boolean): Expected {
  if (endReason !== 'FIRST_CHARGE_FAILED') return { status: 201, ...shown(position), replayed };
  return {
    ...refused(402, 'CHARGE_DECLINED'),
    shows: { as: 'declinedSubscription', subscription: position },
    replayed,
  };
}

export function subscribe(model: Model, { card: position, amount, externalId }: Of<'subscribe'>): Expected {
  const earlier = model.subscriptions.findIndex((one) => externalId !== null && one.externalId === externalId);
  if (earlier >= 0) {
    const subscription = at(model.subscriptions, earlier);
    const isSame = subscription.card === position && subscription.amount === amount;
    return isSame ? answer(subscription, earlier, true) : refused(409, 'EXTERNAL_ID_MISMATCH');
  }
  const card = at(model.cards, position);
  if (card.status !== 'ACTIVE') return refused(409, 'PAYMENT_METHOD_NOT_ACTIVE');
  const isDeclined = card.number === testCards.declined;
  const asked = { origin: { card: position }, externalId: null, asked: amount };
  const payment = newPayment(model, asked, isDeclined ? 'CANCELLED' : 'CONFIRMED');
  const outcome = isDeclined
    ? ({ status: 'CANCELLED', endReason: 'FIRST_CHARGE_FAILED' } as const)
    : ({ status: 'ACTIVE', endReason: null } as const);
  const knownLater = { id: undefined, createdAt: undefined };
  const made = { card: position, amount, externalId, payment, cancelAtPeriodEnd: false, ...outcome };
  model.subscriptions.push({ ...knownLater, ...made });
  const last = model.subscriptions.length - 1;
  return answer(at(model.subscriptions, last), last, false);
}

export function cancelSubscription(
  model: Model,
  { subscription: position, atPeriodEnd }: Of<'cancelSubscription'>,
): Expected {
  const subscription = at(model.subscriptions, position);
  if (subscription.status !== 'CANCELLED') {
    if (atPeriodEnd) subscription.cancelAtPeriodEnd = true;
    else Object.assign(subscription, { status: 'CANCELLED', endReason: 'MERCHANT' });
  }
  return { status: 200, ...shown(position) };
}

export function turnSubscription(
  model: Model,
  { op, subscription: position }: Of<'pauseSubscription' | 'resumeSubscription'>,
): Expected {
  const subscription = at(model.subscriptions, position);
  if (subscription.status === 'CANCELLED') return refused(409, 'SUBSCRIPTION_ENDED');
  if (op === 'pauseSubscription') subscription.status = 'PAUSED';
  else Object.assign(subscription, { status: 'ACTIVE', cancelAtPeriodEnd: false });
  return { status: 200, ...shown(position) };
}

/** Its first period is paid; the second is a year away. */
export function collect(model: Model, { subscription: position, number }: Of<'collect'>): Expected {
  const { status, payment, endReason } = at(model.subscriptions, position);
  const isPaid = endReason !== 'FIRST_CHARGE_FAILED';
  if (number === 1 && isPaid) return { status: 201, shows: { as: 'payment', payment }, replayed: true };
  return refused(409, status === 'CANCELLED' ? 'SUBSCRIPTION_ENDED' : 'SUBSCRIPTION_PERIOD_NOT_DUE');
}

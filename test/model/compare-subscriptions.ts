import { type Body, learn, type Window } from './learn.ts';
import { at, type Model, type Payment } from './model.ts';
import { showPeriods, showSubscription, shownOf, type Subscription } from './subscription.ts';

/** Days and times are taken from the answer. */
export function subscriptionBody(model: Model, subscription: Subscription, received: Body, window: Window): object {
  learn(subscription, received, window);
  const { currentPeriod, nextBillingAt, nextRetryAt, lastDeclineCode, endedAt, updatedAt } = received;
  const times = { currentPeriod, nextBillingAt, nextRetryAt, lastDeclineCode, endedAt, updatedAt };
  return { ...showSubscription(subscription, at(model.cards, subscription.card).id), ...times };
}

const isDeclined = (model: Model) => (position: number) => at(model.payments, position).status === 'CANCELLED';

/** True if it is an attempt of a period that shows another attempt, so that no answer has shown its id. */
export function isHidden(model: Model, payment: Payment): boolean {
  const position = model.payments.indexOf(payment);
  const its = model.subscriptions.flatMap((one) => Object.values(one.payments)).find((all) => all.includes(position));
  return its !== undefined && payment.id === undefined && shownOf(its, isDeclined(model)) !== position;
}

/** Days are taken from the answer. */
export function periodsBody(model: Model, one: Subscription, received: Body, now: number, window: Window): object {
  const days = new Map((received['items'] as Body[]).map(({ number, ...its }) => [number, its]));
  const items = showPeriods(one, now, isDeclined(model)).map(({ payment: position, ...period }) => {
    const { startsOn, endsOn, paymentId } = days.get(period.number) ?? {};
    const payment = position === undefined ? undefined : at(model.payments, position);
    // The period shows the attempt before until the clock has made this one.
    const isNew = typeof paymentId === 'string' && !model.payments.some(({ id }) => id === paymentId);
    if (payment !== undefined && isNew) learn(payment, { id: paymentId }, window);
    return { ...period, startsOn, endsOn, paymentId: payment === undefined ? null : payment.id };
  });
  return { count: items.length, page: 1, pageSize: 100, items };
}

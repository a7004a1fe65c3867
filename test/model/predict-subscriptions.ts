import { testCards } from '@cobro/contracts/test-cards.ts';
import { dayOf } from './days.ts';
import { type Expected, refused } from './expected.ts';
import { at, type Model } from './model.ts';
import { newPayment } from './new-payment.ts';
import type { Request } from './steps.ts';
import { begins, due, isSkipped, numberAt, slots, type Subscription } from './subscription.ts';

type Of<Op extends Request['op']> = Extract<Request, { op: Op }>;

const shown = (subscription: number) => ({ shows: { as: 'subscription', subscription } }) as const;

function answer({ ended }: Subscription, position: number, replayed: boolean): Expected {
  if (ended?.reason !== 'FIRST_CHARGE_FAILED') return { status: 201, ...shown(position), replayed };
  return {
    ...refused(402, 'CHARGE_DECLINED'),
    shows: { as: 'declinedSubscription', subscription: position },
    replayed,
  };
}

const firstDayOf = ({ begins: when }: Pick<Subscription, 'begins'>, now: number) =>
  dayOf(now) + (when === 'tomorrow' ? 1 : 0);

/** Without `begins` no day is sent, so the request stays the same on any day. */
function isRepeated(earlier: Subscription, asked: Of<'subscribe'>, now: number): boolean {
  const isSame = (['card', 'amount', 'periodicity', 'begins'] as const).every((name) => earlier[name] === asked[name]);
  return isSame && (asked.begins === undefined || earlier.firstDay === firstDayOf(asked, now));
}

export function subscribe(model: Model, asked: Of<'subscribe'>, now: number): Expected {
  const { card, amount, externalId, periodicity, begins: when } = asked;
  const earlier = model.subscriptions.findIndex(
    (one) => asked.externalId !== null && one.externalId === asked.externalId,
  );
  if (earlier >= 0) {
    const subscription = at(model.subscriptions, earlier);
    return isRepeated(subscription, asked, now)
      ? answer(subscription, earlier, true)
      : refused(409, 'EXTERNAL_ID_MISMATCH');
  }
  if (at(model.cards, asked.card).status !== 'ACTIVE') return refused(409, 'PAYMENT_METHOD_NOT_ACTIVE');
  const made: Subscription = {
    id: undefined,
    createdAt: undefined,
    card,
    amount,
    externalId,
    periodicity,
    begins: when,
    firstDay: firstDayOf(asked, now),
    ended: null,
    pausedAt: null,
    cancelsAt: null,
    chargesFrom: 1,
    latest: 0,
    attemptedAt: now,
    isPastDue: false,
    givesUpAt: null,
    payments: {},
  };
  model.subscriptions.push(made);
  if (asked.begins === undefined) {
    made.latest = 1;
    if (pay(model, made, 1) === 'declined') made.ended = { at: now, reason: 'FIRST_CHARGE_FAILED' };
  }
  const last = model.subscriptions.length - 1;
  return answer(made, last, false);
}

/** Charges a period. The card decides. */
function pay(model: Model, one: Subscription, number: number): 'paid' | 'declined' {
  const isDeclined = at(model.cards, one.card).number === testCards.declined;
  const asked = { origin: { card: one.card }, externalId: null, asked: one.amount };
  const payment = newPayment(model, asked, isDeclined ? 'CANCELLED' : 'CONFIRMED');
  one.payments[number] = [...(one.payments[number] ?? []), payment];
  return isDeclined ? 'declined' : 'paid';
}

const isPaid = (model: Model, { payments }: Subscription, number: number) =>
  payments[number]?.find((payment) => at(model.payments, payment).status !== 'CANCELLED');

/** An attempt that counts has ended without money: the subscription ends now if it was the last retry, else with the period. */
function wentWithout(one: Subscription, number: number, now: number): void {
  const last = slots(one, number).at(-1) ?? due(one, number);
  Object.assign(one, { isPastDue: true, givesUpAt: now >= last ? now : begins(one, number + 1) });
}

function attempt(model: Model, one: Subscription, number: number, now: number): void {
  Object.assign(one, { latest: number, attemptedAt: now, givesUpAt: null });
  const hasCard = at(model.cards, one.card).status === 'ACTIVE';
  if (hasCard && pay(model, one, number) === 'paid') one.isPastDue = false;
  else wentWithout(one, number, now);
}

function endByClock(one: Subscription, now: number): void {
  const { givesUpAt, cancelsAt, pausedAt } = one;
  if (pausedAt === null && givesUpAt !== null && givesUpAt <= now)
    one.ended = { at: givesUpAt, reason: 'PAYMENT_FAILED' };
  else if (cancelsAt !== null && cancelsAt <= now) one.ended = { at: cancelsAt, reason: 'MERCHANT' };
}

/** What the service's job does at this time: charges the current period, retries it, or ends the subscription. */
export function passRenewals(model: Model, now: number): void {
  for (const one of model.subscriptions) {
    if (one.ended !== null) continue;
    endByClock(one, now);
    if (one.ended !== null || one.pausedAt !== null) continue;
    const number = numberAt(one, now);
    const isNew = number > one.latest && number >= one.chargesFrom && one.cancelsAt === null;
    const isRetried =
      one.isPastDue &&
      number === one.latest &&
      slots(one, number).some((slot) => slot > one.attemptedAt && slot <= now);
    if (number > 0 && ((isNew && now >= due(one, number)) || isRetried)) attempt(model, one, number, now);
    endByClock(one, now);
  }
}

export function cancelSubscription(
  model: Model,
  { subscription: position, atPeriodEnd }: Of<'cancelSubscription'>,
  now: number,
): Expected {
  const one = at(model.subscriptions, position);
  if (one.ended === null) {
    const paid = Object.keys(one.payments)
      .map(Number)
      .filter((number) => isPaid(model, one, number) !== undefined);
    const billed = Math.max(one.latest, ...paid);
    if (!atPeriodEnd || billed === 0 || billed < numberAt(one, now)) one.ended = { at: now, reason: 'MERCHANT' };
    else one.cancelsAt ??= begins(one, billed + 1);
  }
  return { status: 200, ...shown(position) };
}

export function turnSubscription(
  model: Model,
  { op, subscription: position }: Of<'pauseSubscription' | 'resumeSubscription'>,
  now: number,
): Expected {
  const one = at(model.subscriptions, position);
  if (one.ended !== null) return refused(409, 'SUBSCRIPTION_ENDED');
  if (op === 'pauseSubscription') one.pausedAt ??= now;
  else resume(one, now);
  return { status: 200, ...shown(position) };
}

/** Periods that began during the pause are skipped, the current one too; missed retries are dropped and end nothing. */
function resume(one: Subscription, now: number): void {
  one.cancelsAt = null;
  if (one.pausedAt === null) return;
  one.pausedAt = null;
  const number = numberAt(one, now);
  if (number > one.latest) one.chargesFrom = Math.max(one.chargesFrom, number + 1);
  if (!one.isPastDue) return;
  one.attemptedAt = Math.max(one.attemptedAt, now);
  if ((slots(one, one.latest).at(-1) ?? 0) <= now) one.givesUpAt = null;
}

export function collect(model: Model, { subscription: position, number }: Of<'collect'>, now: number): Expected {
  const one = at(model.subscriptions, position);
  const paid = isPaid(model, one, number);
  if (paid !== undefined) return { status: 201, shows: { as: 'payment', payment: paid }, replayed: true };
  if (one.ended !== null) return refused(409, 'SUBSCRIPTION_ENDED');
  const current = numberAt(one, now);
  if (number > current) return refused(409, 'SUBSCRIPTION_PERIOD_NOT_DUE');
  if ((one.payments[number] ?? []).length >= 15) return refused(429, 'TOO_MANY_ATTEMPTS');
  if (at(model.cards, one.card).status !== 'ACTIVE') return refused(409, 'PAYMENT_METHOD_NOT_ACTIVE');
  const counts =
    number === current &&
    number >= one.latest &&
    !isSkipped(one, number) &&
    (number > one.latest || !one.isPastDue || one.givesUpAt !== null);
  if (counts) Object.assign(one, { latest: number, attemptedAt: now, givesUpAt: null });
  const outcome = pay(model, one, number);
  const payment = one.payments[number]?.at(-1) ?? 0;
  if (outcome === 'paid') {
    if (number === one.latest) Object.assign(one, { isPastDue: false, givesUpAt: null });
    return { status: 201, shows: { as: 'payment', payment } };
  }
  if (counts) wentWithout(one, number, now);
  else if (number === one.latest) one.isPastDue = true;
  endByClock(one, now);
  return { ...refused(402, 'CHARGE_DECLINED'), shows: { as: 'declined', payment } };
}

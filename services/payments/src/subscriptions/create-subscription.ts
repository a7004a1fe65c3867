import { newId } from '@cobro/contracts/ids.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { createSubscription as contract } from '@cobro/contracts/routes/subscriptions.ts';
import { FIRST_BILLING_DATE_RULE, SUBSCRIBED_RULE, type SubscriptionBody } from '@cobro/contracts/subscriptions.ts';
import { refuseCardData } from '@cobro/contracts/text.ts';
import { refuseField } from '@cobro/contracts/validation.ts';
import { beginsAt, dueAt, latestFirstBilling } from '@cobro/domain/billing-periods.ts';
import { dayInMexicoCity } from '@cobro/domain/mexico-city.ts';
import { DatabaseUnavailable } from '@cobro/postgres/unavailable.ts';
import { digestOf } from '@cobro/service-kit/create-once.ts';
import { findPaymentMethod } from '../cards/payment-method.store.ts';
import { productOnSale } from '../products/product-on-sale.ts';
import { claimKey } from '../claim-key.ts';
import type { Deps } from '../deps.ts';
import type { PaymentRow } from '../payments/payment.row.ts';
import { lookAgain, writingFirstPayment } from '../payments/payment.store.ts';
import { type Attempt, type AttemptEnd, attemptWasSent, makeAttempt } from '../payments/payment-attempt.ts';
import { boundedForPeople } from '../payments/people-limit.ts';
import { bankKeyOf } from './bank-key.ts';
import { cardToCharge, paymentOf, triedNow } from './charge-period.ts';
import { ownSubscription } from './own-subscription.ts';
import { answerSubscription, replaySubscription } from './subscription-answer.ts';
import type { SubscriptionRow } from './subscription.row.ts';
import {
  findSubscriptionByExternalId,
  insertingWithPayment,
  insertSubscription,
  type NewSubscription,
} from './subscription.store.ts';

/** POST /subscription: 201 ACTIVE; if the first charge is today, 202 while its outcome is unknown, 402 declined. */
export async function createSubscription(
  deps: Deps,
  input: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { organizationId } = input.caller;
  const asked = input.readBody();
  const { amount, productId, externalId } = asked;
  if ((amount === undefined) === (productId === undefined)) throw refuseField('amount', SUBSCRIBED_RULE);
  const requestDigest = digestOf(asked);
  const now = deps.clock.now();
  const earlier = () =>
    externalId === undefined ? undefined : findSubscriptionByExternalId(deps.db, organizationId, externalId, now);
  const original = await earlier();
  if (original !== undefined) return replaySubscription(deps, original, requestDigest);
  refuseCardData(externalId);

  const firstBillingDate = firstDay(asked, now);
  const method = await findPaymentMethod(deps.db, organizationId, asked.paymentMethodId);
  if (method === undefined) throw new Refusal('PAYMENT_METHOD_NOT_FOUND');
  const subscription = {
    id: newId(now.getTime()),
    organizationId,
    externalId: externalId ?? null,
    requestDigest,
    paymentMethodId: method.id,
    ...(await whatIsCharged(deps, organizationId, asked)),
    currency: 'MXN',
    periodicity: asked.periodicity,
    firstBillingDate,
    totalPeriods: asked.totalPeriods ?? null,
    createdAt: now,
    updatedAt: now,
  } as const;
  const isToday = firstBillingDate === dayInMexicoCity(now);
  const made = await (isToday ? chargeFirst : beginLater)(deps, subscription, input);
  if (made !== undefined) return made;
  const winner = await earlier();
  if (winner === undefined) await cardToCharge(deps, subscription);
  // The first request with the externalId was not sent, so its subscription is in no list.
  if (winner === undefined) throw new Refusal('BANK_UNAVAILABLE');
  return replaySubscription(deps, winner, requestDigest);
}

/** @throws Refusal 400 */
function firstDay({ firstBillingDate }: SubscriptionBody, now: Date): string {
  const today = dayInMexicoCity(now);
  const day = firstBillingDate ?? today;
  if (day < today || day > latestFirstBilling(today)) throw refuseField('firstBillingDate', FIRST_BILLING_DATE_RULE);
  return day;
}

/** The subscription's own amount, or a product's present price, which is frozen. @throws Refusal 404, 409 */
async function whatIsCharged(deps: Deps, organizationId: string, asked: SubscriptionBody) {
  const { amount, productId, description = null } = asked;
  if (amount !== undefined) return { amount, productId: null, productName: null, description };
  const product = await productOnSale(deps.db, organizationId, productId ?? '');
  const { price, id, name } = product;
  return { amount: price, productId: id, productName: name, description: description ?? name };
}

type Made = Omit<
  NewSubscription,
  'completesAt' | 'isStarted' | 'latestNumber' | 'attemptedAt' | 'retriesEndAt' | 'periodEndsAt' | 'wakeAt'
> &
  Pick<SubscriptionRow, 'productName'>;

const completesAt = (made: Made) => (made.totalPeriods === null ? null : beginsAt(made, made.totalPeriods + 1));

/**
 * Creates a subscription whose first period is charged later, like any other. Returns undefined if the externalId was taken
 * meanwhile.
 */
async function beginLater(
  deps: Deps,
  made: Made,
  { caller }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract> | undefined> {
  await cardToCharge(deps, made);
  const subscription = {
    ...made,
    completesAt: completesAt(made),
    isStarted: true,
    latestNumber: 0,
    attemptedAt: null,
    retriesEndAt: null,
    periodEndsAt: null,
    wakeAt: dueAt(made, 1),
  };
  const { organizationId, amount } = made;
  const charged = { what: 'charged', organizationId, amount } as const;
  const insert = () => insertSubscription(deps.db, subscription);
  const inserted = await boundedForPeople(deps.peopleLimit, caller.by, charged, insert, () => true);
  if (inserted === undefined) return undefined;
  const now = deps.clock.now();
  return answerSubscription(await ownSubscription(deps.db, { ...made, now }), now);
}

/**
 * One statement claims the subscription, its first period and the charge. Returns undefined if the externalId was taken or the card
 * was revoked meanwhile.
 */
async function chargeFirst(
  deps: Deps,
  made: Made,
  { caller, deadline }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract> | undefined> {
  const { organizationId, amount, description, externalId } = made;
  const method = await cardToCharge(deps, made);
  const first = { subscription: made, number: 1, amount, description };
  const { payment, ...attempt } = paymentOf(deps, method, first);
  const subscription = {
    ...made,
    completesAt: completesAt(made),
    isStarted: false,
    ...triedNow(made, 1, payment.createdAt),
    wakeAt: made.createdAt,
  };
  const { acquirer, id: cardId } = method;
  const shared = externalId === null ? {} : { externalId: `subscription ${externalId}` };
  const request = { acquirer, organizationId, askedBy: caller.by, cardId, ...shared, deadline };
  const claim: Attempt = {
    ...attempt,
    id: bankKeyOf(made.id, 1, 1),
    key: claimKey(organizationId, externalId ?? undefined),
    origin: (room) => insertingWithPayment(subscription, room),
    writing: (rates) => writingFirstPayment({ ...payment, rates }),
  };
  const charged = { what: 'charged', organizationId, amount } as const;
  const end = await deps.journal.withPermit(request, (permit) =>
    boundedForPeople(deps.peopleLimit, caller.by, charged, () => makeAttempt(deps, claim, permit), attemptWasSent),
  );
  return end && answerFirst(deps, subscription, end);
}

type Claimed = NewSubscription & Pick<SubscriptionRow, 'productName'>;

/**
 * Once claimed, the subscription exists, so an unavailable database is not answered as a 503, after which a retry would create a
 * second one. If the outcome is not known, nothing is read, because the database may be why.
 */
async function answerFirst(
  deps: Deps,
  claimed: Claimed,
  { payment, outcome: { outcome, row } }: AttemptEnd,
): Promise<AnswerOf<typeof contract>> {
  if (outcome === 'not_sent') throw new Refusal('BANK_UNAVAILABLE');
  const now = deps.clock.now();
  const unread = (first: PaymentRow) => answerSubscription(asClaimed(claimed, first), now, first);
  if (outcome === 'unknown') return unread(payment);
  try {
    const current = await ownSubscription(deps.db, { ...claimed, now });
    return answerSubscription(current, now, row ?? (await lookAgain(deps.db, payment.id)));
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return unread(row ?? payment);
    throw error;
  }
}

/** The subscription as the claim and the outcome of its first charge left it. */
function asClaimed(claimed: Claimed, first: PaymentRow): SubscriptionRow {
  const isPending = first.status === 'PENDING';
  return {
    ...claimed,
    isListed: true,
    isStarted: !isPending,
    status: isPending ? 'PENDING' : 'ACTIVE',
    cancelsAt: null,
    pausedAt: null,
    endedAt: null,
    endReason: null,
    chargesFrom: 1,
    isPastDue: false,
    isHard: false,
    givesUpAt: null,
    triesAgain: false,
    lastDeclineCode: null,
    waitsFor: null,
    version: 1,
    standingNumber: 1,
    standingStatus: isPending ? 'PENDING' : 'CONFIRMED',
    askedNumber: 1,
    isCharging: isPending,
  };
}

import { testCards } from '@cobro/contracts/test-cards.ts';
import { type Expected, refused } from './expected.ts';
import { at, expired, LINK_LIFETIME, type Model, type Payment, passTime, windowEnd } from './model.ts';
import {
  changePaymentLink,
  createPaymentLink,
  payPaymentLink,
  withoutPlace,
  withPlace,
} from './predict-payment-links.ts';
import { changeProduct, changeStock, createProduct } from './predict-products.ts';
import { cancelSubscription, collect, passRenewals, subscribe, turnSubscription } from './predict-subscriptions.ts';
import { newPayment } from './new-payment.ts';
import { createPromotion, endPromotion } from './predict-promotions.ts';
import type { Request } from './steps.ts';
import { whileUnderWay } from './under-way.ts';

type Of<Op extends Request['op']> = Extract<Request, { op: Op }>;

function save(model: Model, { number, externalId }: Of<'save'>): Expected {
  const earlier = model.cards.findIndex(
    (card) => externalId !== null && card.externalId === externalId && card.status === 'ACTIVE',
  );
  if (earlier >= 0) {
    if (at(model.cards, earlier).number !== number) return refused(409, 'EXTERNAL_ID_MISMATCH');
    return { status: 201, shows: { as: 'card', card: earlier }, replayed: true };
  }
  model.cards.push({ id: undefined, createdAt: undefined, number, externalId, status: 'ACTIVE' });
  return { status: 201, shows: { as: 'card', card: model.cards.length - 1 } };
}

const answerCharge = (payment: Payment, position: number, replayed: boolean): Expected =>
  payment.status === 'CANCELLED'
    ? { ...refused(402, 'CHARGE_DECLINED'), shows: { as: 'declined', payment: position }, replayed }
    : { status: 201, shows: { as: 'payment', payment: position }, replayed };

function charge(model: Model, { card: position, amount, hold, externalId }: Of<'charge'>): Expected {
  const card = at(model.cards, position);
  const earlier = model.payments.findIndex((payment) => externalId !== null && payment.externalId === externalId);
  if (earlier >= 0) {
    const payment = at(model.payments, earlier);
    const same = 'card' in payment.origin && payment.origin.card === position && payment.asked === amount;
    return same ? answerCharge(payment, earlier, true) : refused(409, 'EXTERNAL_ID_MISMATCH');
  }
  if (card.status !== 'ACTIVE') return refused(409, 'PAYMENT_METHOD_NOT_ACTIVE');
  const outcome = card.number === testCards.declined ? 'CANCELLED' : hold ? 'HELD' : 'CONFIRMED';
  const made = newPayment(model, { origin: { card: position }, externalId, asked: amount }, outcome);
  return answerCharge(at(model.payments, made), made, false);
}

const numberOf = (model: Model, { origin }: Payment) => ('card' in origin ? at(model.cards, origin.card).number : '');

function capture(model: Model, { payment: position, amount }: Of<'capture'>, now: number): Expected {
  const payment = at(model.payments, position);
  if (amount === 0) return refused(400, 'INVALID_CAPTURE_AMOUNT');
  if (payment.status !== 'HELD') return refused(409, 'PAYMENT_NOT_HELD');
  if (now >= windowEnd(payment.heldAt ?? '')) return refused(409, 'HOLD_WINDOW_CLOSED');
  if ((amount ?? 0) > payment.asked) return refused(400, 'CAPTURE_AMOUNT_EXCEEDS_HOLD');
  if (numberOf(model, payment) === testCards.captureDeclined) return refused(402, 'CAPTURE_DECLINED');
  Object.assign(payment, { status: 'CONFIRMED', amount: amount ?? payment.asked, capturedAt: undefined });
  return { status: 200, shows: { as: 'payment', payment: position } };
}

function release(model: Model, { payment: position }: Of<'release' | 'refund'>): Expected {
  const payment = at(model.payments, position);
  if (payment.status !== 'HELD' && payment.status !== 'HOLD_RELEASED') return refused(409, 'PAYMENT_NOT_HELD');
  if (payment.status === 'HELD') Object.assign(payment, { status: 'HOLD_RELEASED', holdReleasedAt: undefined });
  return { status: 200, shows: { as: 'payment', payment: position } };
}

/** @param position undefined if there is no payment to refund */
function refund(model: Model, position: number | undefined): Expected {
  const payment = position === undefined ? undefined : at(model.payments, position);
  if (payment?.status === 'REFUNDED') return refused(409, 'PAYMENT_ALREADY_REFUNDED');
  if (position === undefined || payment?.status !== 'CONFIRMED') return refused(409, 'PAYMENT_NOT_REFUNDABLE');
  if (numberOf(model, payment) === testCards.refundDeclined) return refused(402, 'REFUND_DECLINED');
  payment.status = 'REFUNDED';
  return { status: 200, shows: { as: 'refund', payment: position } };
}

function createLink(model: Model, { amount, externalId }: Of<'createLink'>): Expected {
  const earlier = model.links.findIndex((link) => externalId !== null && link.externalId === externalId);
  if (earlier >= 0) {
    if (at(model.links, earlier).amount !== amount) return refused(409, 'EXTERNAL_ID_MISMATCH');
    return { status: 201, shows: { as: 'link', link: earlier }, replayed: true };
  }
  const knownLater = { id: undefined, createdAt: undefined };
  model.links.push({ ...knownLater, amount, externalId, status: 'PENDING', paidBy: undefined });
  return { status: 201, shows: { as: 'link', link: model.links.length - 1 } };
}

function payLink(model: Model, { link: position, declined }: Of<'payLink'>, now: number): Expected {
  const link = at(model.links, position);
  if (link.status !== 'PENDING') return refused(409, 'ONE_TIME_PAYMENT_NOT_PENDING');
  if (expired(link, LINK_LIFETIME, now)) return refused(409, 'ONE_TIME_PAYMENT_EXPIRED');
  const asked = { origin: { link: position }, externalId: null, asked: link.amount };
  const payment = newPayment(model, asked, declined ? 'CANCELLED' : 'CONFIRMED');
  if (declined) return { ...refused(402, 'CHARGE_DECLINED'), shows: { as: 'declined', payment } };
  Object.assign(link, { status: 'CONFIRMED', paidBy: payment });
  return { status: 201, shows: { as: 'paidLink', link: position } };
}

function cancelLink(model: Model, { link: position }: Of<'cancelLink' | 'refundLink'>): Expected {
  const link = at(model.links, position);
  if (link.status === 'CONFIRMED') return refused(409, 'ONE_TIME_PAYMENT_NOT_PENDING');
  link.status = 'CANCELLED';
  return { status: 200, shows: { as: 'cancelledLink', link: position } };
}

const openAt = (model: Model, terminal: number) =>
  model.intents.findIndex((intent) => intent.status === 'PENDING' && intent.terminal === terminal);

function createIntent(model: Model, { terminal, amount, externalId }: Of<'createIntent'>): Expected {
  const earlier = model.intents.findIndex((intent) => intent.externalId === externalId);
  if (earlier >= 0) {
    const { amount: before, asked } = at(model.intents, earlier);
    if (before !== amount || asked !== terminal) return refused(409, 'EXTERNAL_ID_MISMATCH');
    return { status: 201, shows: { as: 'intent', intent: earlier }, replayed: true };
  }
  const superseded = terminal === undefined ? undefined : model.intents[openAt(model, terminal)];
  if (superseded !== undefined) superseded.status = 'CANCELLED';
  const knownLater = { id: undefined, createdAt: undefined, latest: undefined };
  model.intents.push({ ...knownLater, amount, externalId, asked: terminal, terminal, status: 'PENDING' });
  return { status: 201, shows: { as: 'intent', intent: model.intents.length - 1 } };
}

function oldestFree({ intents }: Model): number | undefined {
  const age = (position: number) => `${at(intents, position).createdAt} ${at(intents, position).id}`;
  const free = intents.flatMap(({ status, terminal }, position) =>
    status === 'PENDING' && terminal === undefined ? [position] : [],
  );
  return free.toSorted((one, other) => (age(one) < age(other) ? -1 : 1))[0];
}

/** The terminal's own open intent; else it takes the oldest that no terminal has. */
function next(model: Model, { terminal }: Of<'next'>): Expected {
  const own = openAt(model, terminal);
  const position = own >= 0 ? own : oldestFree(model);
  if (position === undefined) return { status: 204 };
  at(model.intents, position).terminal = terminal;
  return { status: 200, shows: { as: 'nextIntent', intent: position } };
}

function tap(model: Model, { terminal, intent: position, declined, attemptId }: Of<'tap'>): Expected {
  const intent = at(model.intents, position);
  if (intent.terminal !== undefined && intent.terminal !== terminal) return refused(404, 'PAYMENT_INTENT_NOT_FOUND');
  const earlier = model.taps[attemptId];
  if (earlier !== undefined) return { ...answerTap(earlier, position), replayed: true };
  if (intent.status !== 'PENDING') return refused(409, 'INTENT_NOT_PENDING');
  if (intent.terminal === undefined && openAt(model, terminal) >= 0) return refused(409, 'INTENT_IN_PROGRESS');
  const asked = { origin: { intent: position }, externalId: null, asked: intent.amount };
  const payment = newPayment(model, asked, declined ? 'CANCELLED' : 'CONFIRMED');
  Object.assign(intent, { terminal, latest: payment, status: declined ? 'PENDING' : 'CONFIRMED' });
  const made = { payment, declined };
  model.taps[attemptId] = made;
  return answerTap(made, position);
}

const answerTap = ({ payment, declined }: { payment: number; declined: boolean }, intent: number): Expected =>
  declined
    ? { ...refused(402, 'CHARGE_DECLINED'), shows: { as: 'declined', payment } }
    : { status: 201, shows: { as: 'paidIntent', intent } };

function cancelIntent(model: Model, position: number, by: number | undefined): Expected {
  const intent = at(model.intents, position);
  if (by !== undefined && intent.terminal !== by) return refused(404, 'PAYMENT_INTENT_NOT_FOUND');
  if (intent.status === 'CONFIRMED') return refused(409, 'INTENT_NOT_PENDING');
  intent.status = 'CANCELLED';
  return { status: 200, shows: { as: 'nothing' } };
}

/** What the clock alone does. */
export function passAll(model: Model, now: number): void {
  passTime(model, now);
  passRenewals(model, now);
}

/** By operation: changes the model as the request does at this time, and returns the expected answer. */
const predictions: { [Op in Request['op']]: (model: Model, request: Of<Op>, now: number) => Expected } = {
  save,
  revoke: (model, { card }) => {
    at(model.cards, card).status = 'REVOKED';
    return { status: 200, shows: { as: 'success' } };
  },
  charge,
  capture,
  release,
  refund: (model, { payment }) => refund(model, payment),
  subscribe,
  cancelSubscription,
  pauseSubscription: turnSubscription,
  resumeSubscription: turnSubscription,
  collect,
  createLink,
  payLink,
  cancelLink,
  refundLink: (model, { link }) => refund(model, at(model.links, link).paidBy),
  createProduct,
  changeProduct,
  changeStock,
  createPaymentLink,
  linkProduct: createPaymentLink,
  changePaymentLink,
  payPaymentLink,
  refundPaymentOfLink: (model, { linkPayment }) => refund(model, linkPayment),
  createPromotion,
  endPromotion,
  createIntent,
  next,
  tap,
  decline: (model, { intent, terminal }) => cancelIntent(model, intent, terminal),
  cancelIntent: (model, { intent }) => cancelIntent(model, intent, undefined),
  refundIntent: (model, { intent }) => refund(model, at(model.intents, intent).latest),
};

function predict(model: Model, request: Request, now: number): Expected {
  passAll(model, now);
  return predictions[request.op](model, request as never, now);
}

export interface Candidate {
  /** The model after all requests. */
  model: Model;
  /** Each request's answer, and the model when it was given. */
  answers: { expected: Expected; state: Model }[];
}

/** All possible outcomes of requests sent at once. Two may come in either order, or one while the other is under way. */
export function candidatesOf(model: Model, requests: readonly Request[], now: number): Candidate[] {
  const [first, second] = requests;
  if (first === undefined) return [];
  const apply = (before: Model, request: Request) => {
    const state = structuredClone(before);
    return { expected: predict(state, request, now), state };
  };
  if (second === undefined) {
    const answer = apply(model, first);
    return [{ model: answer.state, answers: [answer] }];
  }
  const inOrder = (one: Request, other: Request): Candidate[] => {
    const came = apply(model, one);
    const after = apply(came.state, other);
    const both = { model: after.state, answers: [came, after] };
    const meanwhile = whileUnderWay(one, came.expected, other, after.expected);
    const ordered = [both, ...whilePlaceIsTaken(one, came, other)];
    if (meanwhile === undefined) return ordered;
    return [...ordered, { model: came.state, answers: [came, { expected: meanwhile, state: came.state }] }];
  };
  /** Until it is declined, a payment counts and holds its unit. */
  const whilePlaceIsTaken = (one: Request, came: Candidate['answers'][number], other: Request): Candidate[] => {
    const isKept = one.op === 'payPaymentLink' && came.expected.status === 402 && came.expected.replayed !== true;
    if (!isKept) return [];
    const after = apply(withPlace(came.state, one.paymentLink), other);
    return [{ model: withoutPlace(after.state, one.paymentLink), answers: [came, after] }];
  };
  const backwards = inOrder(second, first).map((candidate) => ({
    ...candidate,
    answers: candidate.answers.toReversed(),
  }));
  return [...inOrder(first, second), ...backwards];
}

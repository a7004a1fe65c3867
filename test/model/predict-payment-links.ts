import { type Expected, refused } from './expected.ts';
import { at, type Model, priceOf, statusOf } from './model.ts';
import { newPayment } from './new-payment.ts';
import type { Request } from './steps.ts';

type Of<Op extends Request['op']> = Extract<Request, { op: Op }>;

export function createPaymentLink(model: Model, request: Of<'createPaymentLink' | 'linkProduct'>): Expected {
  const { maxPayments } = request;
  const amount = request.op === 'createPaymentLink' ? request.amount : null;
  const externalId = request.op === 'createPaymentLink' ? request.externalId : null;
  const product = request.op === 'linkProduct' ? request.product : null;
  const earlier = model.paymentLinks.findIndex((link) => externalId !== null && link.externalId === externalId);
  if (earlier >= 0) {
    const { firstAmount, firstMost } = at(model.paymentLinks, earlier);
    if (firstAmount !== amount || firstMost !== maxPayments) return refused(409, 'EXTERNAL_ID_MISMATCH');
    return { status: 201, shows: { as: 'paymentLink', paymentLink: earlier }, replayed: true };
  }
  if (product !== null && at(model.products, product).status === 'ARCHIVED') {
    return refused(409, 'PRODUCT_NOT_ACTIVE');
  }
  model.paymentLinks.push({
    id: undefined,
    createdAt: undefined,
    firstAmount: amount,
    firstMost: maxPayments,
    amount,
    product,
    maxPayments,
    paymentsCount: 0,
    externalId,
    active: true,
  });
  return { status: 201, shows: { as: 'paymentLink', paymentLink: model.paymentLinks.length - 1 } };
}

export function changePaymentLink(model: Model, request: Of<'changePaymentLink'>): Expected {
  const { paymentLink: position, amount, maxPayments, active } = request;
  const link = at(model.paymentLinks, position);
  if (amount !== null && link.product !== null) return refused(400, 'VALIDATION_ERROR');
  if (amount !== null) link.amount = amount;
  if (maxPayments !== null) link.maxPayments = maxPayments;
  if (active !== null) link.active = active;
  return { status: 200, shows: { as: 'paymentLink', paymentLink: position } };
}

export function payPaymentLink(model: Model, request: Of<'payPaymentLink'>): Expected {
  const { paymentLink: position, attemptId, amount, declined } = request;
  const link = at(model.paymentLinks, position);
  const attempt = `${position} ${attemptId}`;
  const earlier = model.attempts[attempt];
  if (earlier !== undefined) {
    const isSame = earlier.declined === declined && at(model.payments, earlier.payment).asked === amount;
    return isSame ? answer(model, earlier.payment, true) : refused(409, 'ATTEMPT_MISMATCH');
  }
  const status = statusOf(link, model);
  if (status === 'INACTIVE') return refused(409, 'PAYMENT_LINK_NOT_ACTIVE');
  if (status === 'SOLD_OUT') return refused(409, 'PAYMENT_LINK_SOLD_OUT');
  if (amount !== priceOf(link, model)) return refused(409, 'AMOUNT_CHANGED');
  const asked = { origin: { paymentLink: position }, externalId: null, asked: amount ?? 0 };
  const payment = newPayment(model, asked, declined ? 'CANCELLED' : 'CONFIRMED');
  model.attempts[attempt] = { payment, declined };
  if (!declined) take(model, position, 1);
  return answer(model, payment, false);
}

function answer(model: Model, payment: number, replayed: boolean): Expected {
  const isDeclined = at(model.payments, payment).status === 'CANCELLED';
  if (isDeclined) return { ...refused(402, 'CHARGE_DECLINED'), shows: { as: 'declined', payment }, replayed };
  return { status: 201, shows: { as: 'linkPayment', payment }, replayed };
}

function take(model: Model, position: number, units: number): void {
  const link = at(model.paymentLinks, position);
  link.paymentsCount += units;
  const product = link.product === null ? undefined : at(model.products, link.product);
  if (product?.stock != null) product.stock -= units;
}

function withUnits(model: Model, position: number, units: number): Model {
  const changed = structuredClone(model);
  take(changed, position, units);
  return changed;
}

/** The model while a payment of this link is under way, and after it gave its unit back. */
export const withPlace = (model: Model, position: number): Model => withUnits(model, position, 1);
export const withoutPlace = (model: Model, position: number): Model => withUnits(model, position, -1);

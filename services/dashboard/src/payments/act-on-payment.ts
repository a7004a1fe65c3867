import { holdsCardData } from '@cobro/contracts/card-data.ts';
import type { Result } from '@cobro/client/refusal.ts';
import type { PaymentRecord } from '@cobro/contracts/payment-timeline.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import {
  actionPage,
  type ActionProblem,
  type PaymentAction,
  paymentActions,
  readAmount,
} from '@cobro/dashboard/payments/action-page.ts';
import { centavosIn } from '@cobro/dashboard/parts/small-parts.ts';
import { dayInMexicoCity } from '@cobro/domain/mexico-city.ts';
import { paymentHref } from '@cobro/dashboard/payments/payment-parts.ts';
import { audited } from '../audit/audited.ts';
import type { Deps } from '../deps.ts';
import { problemOf, refusedAs } from '../http/problem.ts';
import { type SignedIn, toConfirm } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field, redirect } from '../http/visit.ts';
import { isProved } from '../sessions/session.rules.ts';
import { addRefund, takeRefundBack } from './refund-day.store.ts';
import { readTimeline } from './show-payment.ts';

/** Centavos above which a refund, or a person's refunds of a day, need a recent second factor. */
const REFUND_WITHOUT_FACTOR = 500_000n;
const DAY_WITHOUT_FACTOR = 2_000_000n;

/** The owning service answers for a refunded one. Refunding a link or intent refunds its paid attempt, so others are refused here. */
const REFUNDABLE: ReadonlySet<string> = new Set(['CONFIRMED', 'REFUNDED']);

/** GET /payments/{id}/{action}: the form alone, for browsers without script. */
export async function showAction(deps: Deps, visit: SignedIn): Promise<Answer> {
  const action = actionIn(visit);
  const { payment } = await readTimeline(visit);
  return draw(deps, visit, action, payment, null);
}

/**
 * POST /payments/{id}/{action}: calls the route of the payment's origin. The service that owns the payment, not this one, makes a double
 * click one operation: it answers the second that the first is in progress, or done.
 */
export async function actOnPayment(deps: Deps, visit: SignedIn): Promise<Answer> {
  const action = actionIn(visit);
  const { payment } = await readTimeline(visit);
  if (action === 'refund' && !REFUNDABLE.has(payment.status)) {
    return draw(deps, visit, action, payment, refusedAs(visit, 'PAYMENT_NOT_REFUNDABLE'));
  }
  const typed = field(visit.form, 'amount');
  const amount = typed === '' ? undefined : readAmount(typed);
  if (action === 'capture' && typed !== '' && amount === undefined) {
    return draw(deps, visit, action, payment, { kind: 'wrong-amount' });
  }
  const send = callOf(visit, action, payment, amount);
  const refund = { personId: visit.person.id, day: dayInMexicoCity(new Date()), centavos: centavosIn(payment.amount) };
  if (action === 'refund' && !(await mayRefund(deps, visit, refund))) return toConfirm(visit);
  const result = await audited(deps, visit, { what: `payment.${action}`, target: payment.id, send });
  if (result.kind === 'done') {
    // While the outcome is unknown the page says so, and updates itself.
    return redirect(result.status === 202 ? paymentHref(payment.id) : `${paymentHref(payment.id)}?done=${action}`);
  }
  const problem = problemOf(visit, result);
  if (action === 'refund' && problem.kind === 'refused') await takeRefundBack(deps.db, refund);
  return draw(deps, visit, action, payment, problem);
}

/** Adds an allowed refund to the person's day, so that a session left open cannot refund without limit. */
function mayRefund({ db }: Deps, { session }: SignedIn, refund: Parameters<typeof addRefund>[1]): Promise<boolean> {
  if (isProved(session.provedAt, new Date())) return addRefund(db, refund, null);
  if (refund.centavos > REFUND_WITHOUT_FACTOR) return Promise.resolve(false);
  return addRefund(db, refund, DAY_WITHOUT_FACTOR);
}

function actionIn({ params }: SignedIn): PaymentAction {
  const action = paymentActions.find((one) => one === params['action']);
  if (action === undefined) throw new Refusal('NOT_FOUND');
  return action;
}

/**
 * The API's call for the action, made before the audit so that a refusal here leaves no row without an answer. It is sent once, because a
 * lost one may have been carried out. @throws Refusal NOT_FOUND if payments of this origin have no such action
 */
function callOf(
  { api, form }: SignedIn,
  action: PaymentAction,
  { id: paymentId, paymentMethodId, oneTimePaymentId, paymentIntentId, paymentLinkId }: PaymentRecord,
  amount: number | undefined,
): () => Promise<Result<unknown>> {
  const once = { attempts: 1 };
  const reason = field(form, 'reason');
  const refunding = reason === '' ? {} : { reason };
  if (action !== 'refund') {
    if (paymentMethodId === null) throw new Refusal('NOT_FOUND');
    return action === 'capture'
      ? () => api.payments.capture(paymentMethodId, paymentId, amount === undefined ? {} : { amount }, once).result()
      : () => api.payments.release(paymentMethodId, paymentId, once).result();
  }
  if (oneTimePaymentId !== null) return () => api.oneTimePayments.refund(oneTimePaymentId, refunding, once).result();
  if (paymentLinkId !== null) return () => api.paymentLinks.refund(paymentLinkId, paymentId, refunding, once).result();
  if (paymentIntentId !== null) return () => api.paymentIntents.refund(paymentIntentId, refunding, once).result();
  if (paymentMethodId === null) throw new Refusal('NOT_FOUND');
  return () => api.payments.refund(paymentMethodId, paymentId, refunding, once).result();
}

function draw(
  deps: Deps,
  visit: SignedIn,
  action: PaymentAction,
  { id, operationCode, status, amount, heldAmount }: PaymentRecord,
  problem: ActionProblem | null,
): Answer {
  const payment = { id, operationCode, amount: status === 'HELD' && heldAmount !== null ? heldAmount : amount };
  const typed = { amount: visit.form.get('amount') ?? undefined, reason: visit.form.get('reason') ?? undefined };
  const given = Object.fromEntries(
    Object.entries(typed).filter(([, value]) => value !== undefined && !holdsCardData(value)),
  );
  return show(deps, visit, (frame) => actionPage(frame, { action, payment, typed: given, problem }));
}

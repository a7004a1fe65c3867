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
import { paymentHref } from '@cobro/dashboard/payments/payment-parts.ts';
import { audited } from '../audit/audited.ts';
import type { Deps } from '../deps.ts';
import { type SignedIn, toConfirm } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field, redirect } from '../http/visit.ts';
import { isProved } from '../sessions/session.rules.ts';
import { readTimeline } from './show-payment.ts';

/** Pesos above which a refund asks for a second factor of the last minutes. */
const REFUND_WITHOUT_FACTOR = 5_000;

/** GET /payments/{id}/{action}: the form alone, for who has no script. */
export async function showAction(deps: Deps, visit: SignedIn): Promise<Answer> {
  const action = actionIn(visit);
  const { payment } = await readTimeline(visit);
  return draw(deps, visit, action, payment, null);
}

/**
 * POST /payments/{id}/{action}: by the route of the payment's origin. Nothing here keeps a double click to one operation: the owner does,
 * and the second one is answered that the first is in progress, or has been done.
 */
export async function actOnPayment(deps: Deps, visit: SignedIn): Promise<Answer> {
  const action = actionIn(visit);
  const { payment } = await readTimeline(visit);
  const asksForFactor = action === 'refund' && payment.amount > REFUND_WITHOUT_FACTOR;
  if (asksForFactor && !isProved(visit.session.provedAt, new Date())) return toConfirm(visit, 'POST');
  const typed = field(visit.form, 'amount');
  const amount = typed === '' ? undefined : readAmount(typed);
  if (action === 'capture' && typed !== '' && amount === undefined) {
    return draw(deps, visit, action, payment, { kind: 'wrong-amount' });
  }
  const result = await audited(deps, visit, {
    what: `payment.${action}`,
    target: payment.id,
    send: () => send(visit, action, payment, amount),
  });
  if (result.kind === 'done') {
    // While the bank's answer is not known the page says so, and turns by itself.
    return redirect(result.status === 202 ? paymentHref(payment.id) : `${paymentHref(payment.id)}?done=${action}`);
  }
  return draw(deps, visit, action, payment, problemOf(visit, result));
}

function actionIn({ params }: SignedIn): PaymentAction {
  const action = paymentActions.find((one) => one === params['action']);
  if (action === undefined) throw new Refusal('NOT_FOUND');
  return action;
}

/** Each is sent once: what was lost may have been carried out. */
function send(
  { api, form }: SignedIn,
  action: PaymentAction,
  { id: paymentId, paymentMethodId, oneTimePaymentId, paymentIntentId }: PaymentRecord,
  amount: number | undefined,
): Promise<Result<unknown>> {
  const once = { attempts: 1 };
  const reason = field(form, 'reason');
  const refunding = reason === '' ? {} : { reason };
  if (action !== 'refund') {
    if (paymentMethodId === null) throw new Refusal('NOT_FOUND');
    return action === 'capture'
      ? api.payments.capture(paymentMethodId, paymentId, amount === undefined ? {} : { amount }, once).result()
      : api.payments.release(paymentMethodId, paymentId, once).result();
  }
  if (oneTimePaymentId !== null) return api.oneTimePayments.refund(oneTimePaymentId, refunding, once).result();
  if (paymentIntentId !== null) return api.paymentIntents.refund(paymentIntentId, refunding, once).result();
  if (paymentMethodId === null) throw new Refusal('NOT_FOUND');
  return api.payments.refund(paymentMethodId, paymentId, refunding, once).result();
}

function problemOf({ requestId }: SignedIn, result: Exclude<Result<unknown>, { kind: 'done' }>): ActionProblem {
  if (result.kind === 'lost') return { kind: 'lost', requestId };
  const { code, status } = result.refusal;
  return { kind: 'refused', code, status, requestId };
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

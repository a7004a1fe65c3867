import type { Outcome } from '@cobro/bank/journal.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { refundPayment as contract } from '@cobro/contracts/routes/saved-card-payments.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import { acceptedPayment } from './payment-answer.ts';
import type { Deps } from '../deps.ts';
import { followHold } from './hold-copy.ts';
import { findPaymentMethod } from '../cards/payment-method.store.ts';
import { refundRefusal, showRefund } from './payment.rules.ts';
import type { PaymentRow } from './payment.row.ts';
import { findPayment, lockPayment, lookAgain } from './payment.store.ts';

/** POST /payment-method/{id}/payment/{paymentId}/refund: always in full. 200 REFUNDED, 202 still CONFIRMED, 402 declined. */
export async function refundPayment(deps: Deps, input: InputOf<typeof contract>): Promise<AnswerOf<typeof contract>> {
  const { organizationId } = input.caller;
  const method = await findPaymentMethod(deps.db, organizationId, input.params.id);
  if (method === undefined) throw new Refusal('PAYMENT_METHOD_NOT_FOUND');
  let payment = await findPayment(deps.db, organizationId, input.params.paymentId);
  if (payment?.paymentMethodId !== method.id) throw new Refusal('PAYMENT_NOT_FOUND');
  const { reason } = input.readBody();

  // Our copy of a hold may lag behind its owner's: what holds says decides.
  if (payment.status === 'HELD') payment = await followHold(deps, payment);
  const { claimed, row } = await claimRefund(deps, payment.id, reason);
  const original = row.captureReference ?? row.bankReference;
  if (original === null) throw new Error('a confirmed payment without a reference');
  const outcome = await deps.journal.carryOut(claimed, { kind: 'refund', original, amount: row.amount });
  return answerRefund(deps, row, outcome);
}

const claimRefund = (deps: Deps, paymentId: string, reason: string | undefined) =>
  deps.db.inTransaction(async (tx) => {
    const [row, open] = await Promise.all([lockPayment(tx, paymentId), deps.journal.openOperation(tx, paymentId)]);
    const refused = refundRefusal(row.status);
    if (refused !== undefined) throw new Refusal(refused);
    // A confirmed payment has no other operation than a refund.
    if (open !== undefined) throw new Refusal('REFUND_IN_PROGRESS');
    const claim = { purpose: 'refund', subjectId: row.id, amount: row.amount } as const;
    const claimed = deps.journal.claim(tx, reason === undefined ? claim : { ...claim, note: reason });
    return { row, claimed };
  });

async function answerRefund(
  deps: Deps,
  payment: PaymentRow,
  ending: Outcome<PaymentRow>,
): Promise<AnswerOf<typeof contract>> {
  const { outcome, row } = ending;
  if (outcome === 'not_sent') throw new Refusal('BANK_UNAVAILABLE');
  if (outcome === 'unknown') return acceptedPayment(payment, showRefund(payment));
  if (outcome !== 'approved') {
    const declineCode = outcome === 'declined' ? ending.declineCode : 'not_processed';
    throw new Refusal('REFUND_DECLINED', { fields: { declineCode, paymentId: payment.id } });
  }
  return ok(showRefund(row ?? (await lookAgain(deps.db, payment.id))));
}

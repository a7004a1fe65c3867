import type { Place } from '@cobro/bank/bank-places.ts';
import type { Outcome } from '@cobro/bank/journal.ts';
import type { CallerOf } from '@cobro/contracts/caller.ts';
import { refundBody } from '@cobro/contracts/payments.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { validate } from '@cobro/contracts/validation.ts';
import { type Answer, ok } from '@cobro/service-kit/handle.ts';
import { acceptedPayment } from './payment-answer.ts';
import type { Deps } from './deps.ts';
import { followHold } from './hold-copy.ts';
import { findPaymentMethod } from './payment-method.store.ts';
import { refundRefusal, showRefund } from './payment.rules.ts';
import type { PaymentRow } from './payment.rules.ts';
import { findPayment, lockPayment, lookAgain } from './payment.store.ts';

interface Input {
  caller: CallerOf<'merchant'>;
  params: { id: string; paymentId: string };
  deadline: number;
  body: unknown;
}

/** POST /payment-method/{id}/payment/{paymentId}/refund: always in full. 200 REFUNDED, 202 still CONFIRMED, 402 declined. */
export async function refundPayment(deps: Deps, input: Input): Promise<Answer> {
  const { deadline } = input;
  const { organizationId } = input.caller;
  const method = await findPaymentMethod(deps.db, organizationId, input.params.id);
  if (method === undefined) throw new Refusal('PAYMENT_METHOD_NOT_FOUND');
  const payment = await findPayment(deps.db, organizationId, input.params.paymentId);
  if (payment?.paymentMethodId !== method.id) throw new Refusal('PAYMENT_NOT_FOUND');
  const { reason } = validate(refundBody, input.body ?? {});

  // Our copy of a hold may lag behind its owner's: what holds says decides.
  if (payment.status === 'HELD') await followHold(deps, payment, deadline);
  return deps.journal.withPlace({ organizationId, cardId: method.id, deadline }, async (place) => {
    const { claimed, row } = await claimRefund(deps, payment.id, reason, place);
    const original = row.captureReference ?? row.bankReference;
    if (original === null) throw new Error('a confirmed payment without a reference');
    const outcome = await deps.journal.carryOut(claimed, { kind: 'refund', original, amount: row.amount });
    return answerRefund(deps, row, outcome);
  });
}

const claimRefund = (deps: Deps, paymentId: string, reason: string | undefined, place: Place) =>
  deps.db.inTransaction(async (tx) => {
    const [row, open] = await Promise.all([lockPayment(tx, paymentId), deps.journal.openOperation(tx, paymentId)]);
    const refused = refundRefusal(row.status);
    if (refused !== undefined) throw new Refusal(refused);
    // A confirmed payment has no other operation than a refund.
    if (open !== undefined) throw new Refusal('REFUND_IN_PROGRESS');
    const claim = { purpose: 'refund', subjectId: row.id, amount: row.amount } as const;
    const claimed = deps.journal.claim(tx, reason === undefined ? claim : { ...claim, note: reason }, place);
    return { row, claimed };
  });

async function answerRefund(deps: Deps, payment: PaymentRow, ending: Outcome<PaymentRow>): Promise<Answer> {
  const { outcome, row } = ending;
  if (outcome === 'not_sent') throw new Refusal('BANK_UNAVAILABLE');
  if (outcome === 'unknown') return acceptedPayment(payment, showRefund(payment));
  if (outcome !== 'approved') {
    const declineCode = outcome === 'declined' ? ending.declineCode : 'not_processed';
    throw new Refusal('REFUND_DECLINED', { fields: { declineCode, paymentId: payment.id } });
  }
  return ok(showRefund(row ?? (await lookAgain(deps.db, payment.id))));
}

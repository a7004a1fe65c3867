import type { Place } from '@cobro/bank/bank-places.ts';
import type { Outcome } from '@cobro/bank/journal.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { accepted, ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { refundRefusal, showRefund } from './payment.rules.ts';
import type { PaymentRow } from './payment.row.ts';
import { lockPayment, lookAgain } from './payment.store.ts';

export interface RefundRequest {
  reason: string | undefined;
  deadline: number;
  /** Where the caller can read the refund's outcome while it is not known yet. */
  location: string;
}

/**
 * Refunds a payment of any origin, always in full: 200 REFUNDED, 202 still CONFIRMED, 402 declined, 409 where the payment cannot
 * be refunded.
 */
export function refund(deps: Deps, payment: PaymentRow, { reason, deadline, location }: RefundRequest) {
  const { organizationId, paymentMethodId: cardId } = payment;
  return deps.journal.withPlace({ organizationId, cardId, deadline }, async (place) => {
    const { claimed, row } = await claimRefund(deps, payment.id, reason, place);
    const original = row.captureReference ?? row.bankReference;
    if (original === null) throw new Error('a confirmed payment without a reference');
    const outcome = await deps.journal.carryOut(claimed, { kind: 'refund', original, amount: row.amount });
    return answerRefund(deps, row, outcome, location);
  });
}

const claimRefund = (deps: Deps, paymentId: string, reason: string | undefined, place: Place) =>
  deps.db.inSharedTransaction(paymentId, async (tx) => {
    const [row, open] = await Promise.all([lockPayment(tx, paymentId), deps.journal.openOperation(tx, paymentId)]);
    const refused = refundRefusal(row.status);
    if (refused !== undefined) throw new Refusal(refused);
    // The only operation that a confirmed payment can have open is a refund.
    if (open !== undefined) throw new Refusal('REFUND_IN_PROGRESS');
    const claim = { purpose: 'refund', subjectId: row.id, amount: row.amount } as const;
    const claimed = deps.journal.claim(tx, reason === undefined ? claim : { ...claim, note: reason }, place);
    return { row, claimed };
  });

async function answerRefund(deps: Deps, payment: PaymentRow, ending: Outcome<PaymentRow>, location: string) {
  const { outcome, row } = ending;
  if (outcome === 'not_sent') throw new Refusal('BANK_UNAVAILABLE');
  if (outcome === 'unknown') return accepted(showRefund(payment), location);
  if (outcome !== 'approved') {
    const declineCode = outcome === 'declined' ? ending.declineCode : 'not_processed';
    throw new Refusal('REFUND_DECLINED', { fields: { declineCode, paymentId: payment.id } });
  }
  return ok(showRefund(row ?? (await lookAgain(deps.db, payment.id))));
}

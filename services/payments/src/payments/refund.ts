import type { Permit } from '@cobro/bank/bank-permits.ts';
import type { Outcome } from '@cobro/bank/journal.ts';
import type { AskedBy } from '@cobro/contracts/asked-by.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { accepted, ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { boundedForPeople } from './people-limit.ts';
import { refundRefusal, showRefund } from './payment.rules.ts';
import type { PaymentRow } from './payment.row.ts';
import { findPaymentToRefund, paymentSubject, readSettled } from './payment.store.ts';
import { settleRefund } from './settle-refund.ts';

export interface RefundRequest {
  reason: string | undefined;
  askedBy: AskedBy;
  deadline: number;
  /** Where the caller can read the refund's outcome while it is not known yet. */
  location: string;
}

/**
 * Refunds a payment of any origin, always in full: 200 REFUNDED, 202 still CONFIRMED, 402 declined, 409 if the payment cannot be
 * refunded, 429 if people have refunded too much in this hour.
 */
export async function refund(
  deps: Deps,
  { id }: PaymentRow,
  { reason: note, askedBy, deadline, location }: RefundRequest,
) {
  for (;;) {
    const { isBusy, ...row } = await findPaymentToRefund(deps.db, id);
    const original = originalOf(row, isBusy);

    const { acquirer, organizationId, paymentMethodId: cardId, amount } = row;
    const permitRequest = { acquirer, organizationId, askedBy, cardId, paymentId: id, deadline };
    const giveBack = async (permit: Permit) => {
      const claimed = await deps.journal.claim(
        { purpose: 'refund', subject: paymentSubject, row, amount, note },
        permit,
      );
      return claimed && deps.journal.carryOut(claimed, { kind: 'refund', original, amount }, settleRefund);
    };
    const refunded = { what: 'refunded', organizationId, amount } as const;
    const end = await deps.journal.withPermit(permitRequest, (permit) =>
      boundedForPeople(deps.peopleLimit, askedBy, refunded, () => giveBack(permit), wasSent),
    );
    if (end !== undefined) return answerRefund(deps, row, end, location);
    // The payment has changed since it was read, so it is read again.
  }
}

const wasSent = ({ outcome }: Outcome<PaymentRow>): boolean => outcome !== 'not_sent';

/** The bank's reference of what is to be refunded. @throws Refusal 409 */
function originalOf(row: PaymentRow, isBusy: boolean): string {
  const refused = refundRefusal(row.status);
  if (refused !== undefined) throw new Refusal(refused);
  // The only operation that a confirmed payment can have open is a refund.
  if (isBusy) throw new Refusal('REFUND_IN_PROGRESS');
  const original = row.captureReference ?? row.bankReference;
  if (original === null) throw new Error('a confirmed payment without a reference');
  return original;
}

async function answerRefund(deps: Deps, payment: PaymentRow, ending: Outcome<PaymentRow>, location: string) {
  const { outcome, row } = ending;
  if (outcome === 'not_sent') throw new Refusal('BANK_UNAVAILABLE');
  if (outcome === 'unknown') return accepted(showRefund(payment), location);
  if (outcome !== 'approved') {
    const declineCode = outcome === 'declined' ? ending.declineCode : 'not_processed';
    throw new Refusal('REFUND_DECLINED', { fields: { declineCode, paymentId: payment.id } });
  }
  const known = row ?? (await readSettled(deps.db, payment));
  return known.status === 'REFUNDED' ? ok(showRefund(known)) : accepted(showRefund(known), location);
}

import type { Outcome } from '@cobro/bank/journal.ts';
import type { AskedBy } from '@cobro/contracts/asked-by.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { accepted, ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { givePeopleRefundBack, spendPeopleRefund } from './people-refund-limit.ts';
import { refundRefusal, showRefund } from './payment.rules.ts';
import type { PaymentRow } from './payment.row.ts';
import { findPaymentToRefund, lookAgain, paymentSubject } from './payment.store.ts';
import { settleRefund } from './settle-refund.ts';

export interface RefundRequest {
  reason: string | undefined;
  askedBy: AskedBy;
  deadline: number;
  /** Where the caller can read the refund's outcome while it is not known yet. */
  location: string;
}

/**
 * Refunds a payment of any origin, always in full: 200 REFUNDED, 202 still CONFIRMED, 402 declined, 409 where the payment cannot
 * be refunded, 429 where people have refunded too much in this hour.
 */
export async function refund(
  deps: Deps,
  { id }: PaymentRow,
  { reason: note, askedBy, deadline, location }: RefundRequest,
) {
  let isCounted = false;
  const giveBack = async (row: PaymentRow) => {
    if (isCounted) await givePeopleRefundBack(deps.peopleRefunds, askedBy, row);
    isCounted = false;
  };
  for (;;) {
    const { isBusy, ...row } = await findPaymentToRefund(deps.db, id);
    const original = originalOf(row, isBusy);

    const { acquirer, organizationId, paymentMethodId: cardId, amount } = row;
    const permitRequest = { acquirer, organizationId, askedBy, cardId, paymentId: id, deadline };
    const answer = await deps.journal.withPermit(permitRequest, async (permit) => {
      // Once the bank can be asked, so that an outage uses nothing up.
      if (!isCounted) await spendPeopleRefund(deps.peopleRefunds, askedBy, row);
      isCounted = true;
      const claimed = await deps.journal.claim(
        { purpose: 'refund', subject: paymentSubject, row, amount, note },
        permit,
      );
      if (claimed === undefined) {
        await giveBack(row);
        return undefined;
      }
      const outcome = await deps.journal.carryOut(claimed, { kind: 'refund', original, amount }, settleRefund);
      if (outcome.outcome === 'not_sent') await giveBack(row);
      return answerRefund(deps, row, outcome, location);
    });
    if (answer !== undefined) return answer;
    // The payment has changed since it was read, so it is read again.
  }
}

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
  return ok(showRefund(row ?? (await lookAgain(deps.db, payment.id))));
}

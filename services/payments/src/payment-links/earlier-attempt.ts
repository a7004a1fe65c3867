import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Deps } from '../deps.ts';
import { endOfFirstAttempt, waitUntil } from '../first-attempt.ts';
import type { PaymentRow } from '../payments/payment.row.ts';
import { lookAgain } from '../payments/payment.store.ts';
import { sameAttempt } from './payment-link.rules.ts';
import type { PaymentLinkAttempt } from './payment-of-payment-link.ts';

/**
 * Returns the payment of an earlier copy of this attempt, once its call to the bank has ended or timed out. Charges nothing.
 * @throws Refusal if that was another attempt, or its call still runs
 */
export async function earlierPayment(deps: Deps, paymentId: string, attempt: PaymentLinkAttempt): Promise<PaymentRow> {
  const look = async () => {
    const row = await lookAgain(deps.db, paymentId);
    if (row.status === 'NOT_INITIALIZED') throw new Refusal('BANK_UNAVAILABLE');
    if (!sameAttempt(row, attempt)) throw new Refusal('ATTEMPT_MISMATCH');
    return row;
  };
  const row = await endOfFirstAttempt(deps, look, waitUntil());
  if (row === 'running') throw new Refusal('CHARGE_IN_PROGRESS', { fields: { paymentId } });
  return row;
}

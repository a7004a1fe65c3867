import type { AnswerOf } from '@cobro/contracts/route.ts';
import type { chargePaymentMethod as contract } from '@cobro/contracts/routes/saved-card-payments.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { answerCharge } from './payment-answer.ts';
import type { Deps } from '../deps.ts';
import { endOfFirstAttempt, waitUntil } from '../first-attempt.ts';
import { sameCharge } from './payment.rules.ts';
import { lookAgain } from './payment.store.ts';

/** The answer that the first request with this externalId got or will get. Charges nothing. */
export async function replayCharge(
  deps: Deps,
  paymentId: string,
  charge: { paymentMethodId: string; amount: bigint },
): Promise<AnswerOf<typeof contract>> {
  const look = async () => {
    const row = await lookAgain(deps.db, paymentId);
    if (row.status === 'NOT_INITIALIZED') throw new Refusal('BANK_UNAVAILABLE');
    if (!sameCharge(row, charge)) throw new Refusal('EXTERNAL_ID_MISMATCH');
    return row;
  };
  const row = await endOfFirstAttempt(deps, look, waitUntil());
  if (row === 'running') throw new Refusal('CHARGE_IN_PROGRESS', { fields: { paymentId } });
  const current = (await deps.missedEndings.apply([row])) ? await lookAgain(deps.db, paymentId) : row;
  return answerCharge(current, deps.clock.now(), true);
}

import { setTimeout as sleep } from 'node:timers/promises';
import { findOpenOperation } from '@cobro/bank/journal.store.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Answer } from '@cobro/service-kit/handle.ts';
import { answerCharge } from './payment-answer.ts';
import type { Deps } from './deps.ts';
import { callIsRunning, sameCharge } from './payment.rules.ts';
import type { PaymentRow } from './payment.rules.ts';
import { lookAgain } from './payment.store.ts';

const WAIT_MS = 2_000;
const LOOK_EVERY_MS = 50;

/** The answer that the first request with this externalId got or will get. Charges nothing. */
export async function replayCharge(
  deps: Deps,
  earlier: PaymentRow,
  paymentMethodId: string,
  amount: bigint,
): Promise<Answer> {
  // Holds no database connection while it waits.
  const until = Date.now() + WAIT_MS;
  let row = earlier;
  for (;;) {
    if (row.status === 'NOT_INITIALIZED') throw new Refusal('BANK_UNAVAILABLE');
    if (!sameCharge(row, { paymentMethodId, amount })) throw new Refusal('EXTERNAL_ID_MISMATCH');
    if (row.status !== 'PENDING') return answerCharge(row, deps.clock.now(), true);
    const open = await findOpenOperation(deps.db, row.id);
    if (open !== undefined && !callIsRunning(open, deps.callTimeoutMs)) {
      return answerCharge(row, deps.clock.now(), true);
    }
    if (Date.now() > until) {
      throw new Refusal('CHARGE_IN_PROGRESS', { fields: { paymentId: row.id } });
    }
    await sleep(LOOK_EVERY_MS);
    row = await lookAgain(deps.db, row.id);
  }
}

import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { captureHold as contract } from '@cobro/contracts/routes/saved-card-payments.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Deps } from './deps.ts';
import { answerOperation } from './hold-answer.ts';
import { findHoldOf } from './hold-question.ts';
import { amountToCapture, captureAmount } from './hold.rules.ts';
import type { HoldRow } from './hold.row.ts';
import { lockHold } from './hold.store.ts';

/** POST …/capture: 200 CONFIRMED, 202 still HELD while the outcome is unknown, 402 declined and still HELD. */
export async function captureHold(
  deps: Deps,
  { caller, params, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { organizationId } = caller;
  const found = await findHoldOf(deps, { organizationId, paymentMethodId: params.id, paymentId: params.paymentId });
  const asked = captureAmount(readBody().amount);
  if (found === undefined) throw new Refusal('PAYMENT_NOT_HELD');
  const { hold, amount, claimed } = await claimCapture(deps, found, asked);
  const authorization = hold.bankReference;
  const outcome = await deps.journal.carryOut(claimed, { kind: 'capture', authorization, amount });
  return answerOperation(deps, hold, outcome, 'CAPTURE_DECLINED');
}

const claimCapture = (deps: Deps, found: HoldRow, asked: bigint | undefined) =>
  deps.db.inTransaction(async (tx) => {
    const [hold, open] = await Promise.all([
      lockHold(tx, found.paymentId),
      deps.journal.openOperation(tx, found.paymentId),
    ]);
    const amount = amountToCapture(hold, open, asked, deps.clock.now());
    const claimed = deps.journal.claim(tx, { purpose: 'capture', subjectId: hold.paymentId, amount });
    return { hold, amount, claimed };
  });

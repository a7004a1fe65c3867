import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { captureHold as contract } from '@cobro/contracts/routes/saved-card-payments.ts';
import type { Place } from '@cobro/bank/bank-places.ts';
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
  { caller, params, deadline, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { organizationId } = caller;
  const asked = { organizationId, paymentMethodId: params.id, paymentId: params.paymentId };
  const found = await findHoldOf(deps, asked, deadline);
  const given = captureAmount(readBody().amount);
  if (found === undefined) throw new Refusal('PAYMENT_NOT_HELD');
  return deps.journal.withPlace({ organizationId, cardId: found.paymentMethodId, deadline }, async (place) => {
    const { hold, amount, claimed } = await claimCapture(deps, found, given, place);
    const authorization = hold.bankReference;
    const outcome = await deps.journal.carryOut(claimed, { kind: 'capture', authorization, amount });
    return answerOperation(deps, hold, outcome, 'CAPTURE_DECLINED');
  });
}

const claimCapture = (deps: Deps, found: HoldRow, given: bigint | undefined, place: Place) =>
  deps.db.inSharedTransaction(found.paymentId, async (tx) => {
    const [hold, open] = await Promise.all([
      lockHold(tx, found.paymentId),
      deps.journal.openOperation(tx, found.paymentId),
    ]);
    const amount = amountToCapture(hold, open, given, deps.clock.now());
    const claimed = deps.journal.claim(tx, { purpose: 'capture', subjectId: hold.paymentId, amount }, place);
    return { hold, amount, claimed };
  });

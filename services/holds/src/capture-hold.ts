import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { captureHold as contract } from '@cobro/contracts/routes/saved-card-payments.ts';
import type { Place } from '@cobro/bank/bank-places.ts';
import type { Deps } from './deps.ts';
import { answerOperation } from './hold-answer.ts';
import { claimOnHold } from './hold-question.ts';
import { amountToCapture, captureAmount } from './hold.rules.ts';
import { lockHold, type NamedHold } from './hold.store.ts';

/** POST …/capture: 200 CONFIRMED, 202 still HELD while the outcome is unknown, 402 declined and still HELD. */
export async function captureHold(
  deps: Deps,
  { caller, params, deadline, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { organizationId } = caller;
  const [cardId, paymentId] = [params.id, params.paymentId];
  const named = { organizationId, paymentMethodId: cardId, paymentId };
  const asked = () => captureAmount(readBody().amount);
  return deps.journal.withPlace({ organizationId, cardId, deadline }, async (place) => {
    const { hold, amount, claimed } = await claimOnHold(deps, named, deadline, {
      claim: () => claimCapture(deps, named, asked, place),
      checkBody: asked,
    });
    const authorization = hold.bankReference;
    const outcome = await deps.journal.carryOut(claimed, { kind: 'capture', authorization, amount });
    return answerOperation(deps, hold, outcome, 'CAPTURE_DECLINED');
  });
}

const claimCapture = (deps: Deps, named: NamedHold, asked: () => bigint | undefined, place: Place) =>
  deps.db.inSharedTransaction(named.paymentId, async (tx) => {
    const [hold, open] = await Promise.all([lockHold(tx, named), deps.journal.openOperation(tx, named.paymentId)]);
    if (hold === undefined) return undefined;
    const amount = amountToCapture(hold, open, asked(), deps.clock.now());
    const claimed = deps.journal.claim(tx, { purpose: 'capture', subjectId: hold.paymentId, amount }, place);
    return { hold, amount, claimed };
  });

import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { captureHold as contract } from '@cobro/contracts/routes/saved-card-payments.ts';
import type { Deps } from './deps.ts';
import { answerOperation } from './hold-answer.ts';
import { claimOnHold } from './hold-question.ts';
import { amountToCapture, captureAmount } from './hold.rules.ts';

/** POST …/capture: 200 CONFIRMED, 202 still HELD while the outcome is unknown, 402 declined and still HELD. */
export async function captureHold(
  deps: Deps,
  { caller, params, deadline, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { organizationId } = caller;
  const [cardId, paymentId] = [params.id, params.paymentId];
  const named = { organizationId, paymentMethodId: cardId, paymentId };
  return deps.journal.withPlace({ organizationId, cardId, deadline }, async (place) => {
    const claim = await claimOnHold(deps, named, deadline, {
      readBody: () => captureAmount(readBody().amount),
      claim: (tx, { hold, open, body: asked }) => {
        const amount = amountToCapture(hold, open, asked, deps.clock.now());
        const claimed = deps.journal.claim(tx, { purpose: 'capture', subjectId: hold.paymentId, amount }, place);
        return { hold, amount, claimed };
      },
    });
    const { hold, amount, claimed } = claim;
    const authorization = hold.bankReference;
    const outcome = await deps.journal.carryOut(claimed, { kind: 'capture', authorization, amount });
    return answerOperation(deps, hold, outcome, 'CAPTURE_DECLINED');
  });
}

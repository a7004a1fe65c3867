import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { releaseHold as contract } from '@cobro/contracts/routes/saved-card-payments.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from './deps.ts';
import { answerOperation } from './hold-answer.ts';
import { claimOnHold } from './hold-question.ts';
import { refuseOpenOperation, showHold } from './hold.rules.ts';

/** POST …/release: 200 HOLD_RELEASED, also when the hold is released already; 202 still HELD while the outcome is unknown. */
export async function releaseHold(
  deps: Deps,
  { caller, params, deadline, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { organizationId } = caller;
  const [cardId, paymentId] = [params.id, params.paymentId];
  const named = { organizationId, paymentMethodId: cardId, paymentId };
  return deps.journal.withPlace({ organizationId, cardId, deadline }, async (place) => {
    const claim = await claimOnHold(deps, named, deadline, {
      readBody,
      claim: (tx, { hold, open }) => {
        if (hold.status === 'RELEASED') return { released: hold };
        if (hold.status !== 'HELD') throw new Refusal('PAYMENT_NOT_HELD');
        refuseOpenOperation(open);
        return { hold, claimed: deps.journal.claim(tx, { purpose: 'release', subjectId: hold.paymentId }, place) };
      },
    });
    if (claim.released !== undefined) return ok(showHold(claim.released, deps.clock.now()));
    const { hold, claimed } = claim;
    const outcome = await deps.journal.carryOut(claimed, { kind: 'void', authorization: hold.bankReference });
    return answerOperation(deps, hold, outcome, 'RELEASE_DECLINED');
  });
}

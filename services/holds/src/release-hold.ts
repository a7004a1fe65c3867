import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { releaseHold as contract } from '@cobro/contracts/routes/saved-card-payments.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from './deps.ts';
import { answerOperation } from './hold-answer.ts';
import { readHold } from './hold-question.ts';
import { refuseOpenOperation, showHold } from './hold.rules.ts';
import { holdSubject } from './hold.store.ts';
import { settleHold } from './settle-hold.ts';

/** POST …/release: 200 HOLD_RELEASED, also when the hold is released already; 202 still HELD while the outcome is unknown. */
export async function releaseHold(
  deps: Deps,
  { caller, params, deadline, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { organizationId } = caller;
  const named = { organizationId, paymentMethodId: params.id, paymentId: params.paymentId };
  const permitRequest = {
    organizationId,
    askedBy: caller.by,
    cardId: params.id,
    paymentId: params.paymentId,
    deadline,
  };
  for (;;) {
    const found = await readHold(deps, named, deadline);
    readBody();
    if (found === undefined) throw new Refusal('PAYMENT_NOT_HELD');
    const { hold, open } = found;
    if (hold.status === 'RELEASED') return ok(showHold(hold, deps.clock.now()));
    if (hold.status !== 'HELD') throw new Refusal('PAYMENT_NOT_HELD');
    refuseOpenOperation(open);

    const { acquirer } = hold;
    const answer = await deps.journal.withPermit({ ...permitRequest, acquirer }, async (permit) => {
      const claimed = await deps.journal.claim({ purpose: 'release', subject: holdSubject, row: hold }, permit);
      if (claimed === undefined) return undefined;
      const request = { kind: 'void', authorization: hold.bankReference } as const;
      const outcome = await deps.journal.carryOut(claimed, request, settleHold);
      return answerOperation(deps, hold, outcome, 'RELEASE_DECLINED');
    });
    if (answer !== undefined) return answer;
    // The hold has changed since it was read, so it is read again.
  }
}

import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { captureHold as contract } from '@cobro/contracts/routes/saved-card-payments.ts';
import type { Deps } from './deps.ts';
import { answerOperation } from './hold-answer.ts';
import { readHold } from './hold-question.ts';
import { amountToCapture, captureAmount } from './hold.rules.ts';
import { holdSubject } from './hold.store.ts';
import { settleHold } from './settle-hold.ts';

/** POST …/capture: 200 CONFIRMED, 202 still HELD while the outcome is unknown, 402 declined and still HELD. */
export async function captureHold(
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
    const asked = captureAmount(readBody().amount);
    if (found === undefined) throw new Refusal('PAYMENT_NOT_HELD');
    const { hold, open } = found;
    const amount = amountToCapture(hold, open, asked, deps.clock.now());

    const { acquirer } = hold;
    const answer = await deps.journal.withPermit({ ...permitRequest, acquirer }, async (permit) => {
      const claim = { purpose: 'capture', subject: holdSubject, row: hold, amount } as const;
      const claimed = await deps.journal.claim(claim, permit);
      if (claimed === undefined) return undefined;
      const request = { kind: 'capture', authorization: hold.bankReference, amount } as const;
      const outcome = await deps.journal.carryOut(claimed, request, settleHold);
      return answerOperation(deps, hold, outcome, 'CAPTURE_DECLINED');
    });
    if (answer !== undefined) return answer;
    // The hold has changed since it was read, so it is read again.
  }
}

import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { releaseHold as contract } from '@cobro/contracts/routes/saved-card-payments.ts';
import type { Place } from '@cobro/bank/bank-places.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from './deps.ts';
import { answerOperation } from './hold-answer.ts';
import { findHoldOf } from './hold-question.ts';
import { refuseOpenOperation, showHold } from './hold.rules.ts';
import type { HoldRow } from './hold.row.ts';
import { lockHold } from './hold.store.ts';

/** POST …/release: 200 HOLD_RELEASED, also when the hold is released already; 202 still HELD while the outcome is unknown. */
export async function releaseHold(
  deps: Deps,
  { caller, params, deadline, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { organizationId } = caller;
  const asked = { organizationId, paymentMethodId: params.id, paymentId: params.paymentId };
  const found = await findHoldOf(deps, asked, deadline);
  readBody();
  if (found === undefined) throw new Refusal('PAYMENT_NOT_HELD');
  return deps.journal.withPlace({ organizationId, cardId: found.paymentMethodId, deadline }, async (place) => {
    const claim = await claimRelease(deps, found, place);
    if (claim.released !== undefined) return ok(showHold(claim.released, deps.clock.now()));
    const { hold, claimed } = claim;
    const outcome = await deps.journal.carryOut(claimed, { kind: 'void', authorization: hold.bankReference });
    return answerOperation(deps, hold, outcome, 'RELEASE_DECLINED');
  });
}

const claimRelease = (deps: Deps, found: HoldRow, place: Place) =>
  deps.db.inSharedTransaction(found.paymentId, async (tx) => {
    const [hold, open] = await Promise.all([
      lockHold(tx, found.paymentId),
      deps.journal.openOperation(tx, found.paymentId),
    ]);
    if (hold.status === 'RELEASED') return { released: hold };
    if (hold.status !== 'HELD') throw new Refusal('PAYMENT_NOT_HELD');
    refuseOpenOperation(open);
    return { hold, claimed: deps.journal.claim(tx, { purpose: 'release', subjectId: hold.paymentId }, place) };
  });

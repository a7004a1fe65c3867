import { findUnanswered } from '@cobro/bank/timeline.store.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { askForUnansweredOfHolds as contract } from '@cobro/contracts/routes/internal.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from './deps.ts';
import { isHoldOf } from './hold.store.ts';

/** GET /internal/unanswered: payments asks this for its list of operations that the bank has not answered. */
export const answerUnanswered = async (
  deps: Deps,
  { query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> => ok(await findUnanswered(deps.db, isHoldOf(query.organizationId), query.limit));

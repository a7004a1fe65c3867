import { timelineOf } from '@cobro/bank/timeline.store.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { askForHoldOperations as contract } from '@cobro/contracts/routes/internal.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from './deps.ts';

/** GET /internal/holds/{id}/operations: payments asks this for the timeline of a payment that was held. */
export const answerHoldOperations = async (
  deps: Deps,
  { params }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> => ok({ operations: await timelineOf(deps.db, params.id) });

import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { askForAcquirer as contract } from '@cobro/contracts/routes/internal.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { findAcquirerChoice } from './acquirer-choice.store.ts';

/** GET /internal/organizations/{id}/acquirer: intents asks this before a tapped card goes to a vault. */
export async function answerAcquirerQuestion(
  deps: Deps,
  { params }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { acquirer } = await findAcquirerChoice(deps.db, params.id);
  return ok({ acquirer });
}

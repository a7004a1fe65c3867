import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { askForIntent as contract } from '@cobro/contracts/routes/internal.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { findIntent } from './payment-intent.store.ts';

/** GET /internal/payment-intents/{id}: payments asks this before it refuses to refund an intent that it has no payment for. */
export async function answerIntentQuestion(
  deps: Deps,
  { params, query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  return ok({ known: (await findIntent(deps.db, query.organizationId, params.id)) !== undefined });
}

import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { askPaymentIntent as contract } from '@cobro/contracts/routes/payment-intents.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { findIntentForTerminal } from '../intents/payment-intent.store.ts';
import { findConfirmedAttempt } from './attempt.store.ts';
import { showPaid } from './show-attempt.ts';

/** GET /terminal/v1/payment-intent/{id}: shows a terminal the state of its intent. */
export async function askPaymentIntent(
  deps: Deps,
  { caller, params }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const intent = await findIntentForTerminal(deps.db, caller, params.id);
  if (intent === undefined) throw new Refusal('PAYMENT_INTENT_NOT_FOUND');
  const { id, status } = intent;
  if (status !== 'CONFIRMED') return ok({ id, status });
  const attempt = await findConfirmedAttempt(deps.db, id);
  if (attempt === undefined) throw new Error('an intent was confirmed without an attempt');
  return ok(showPaid(intent, attempt));
}

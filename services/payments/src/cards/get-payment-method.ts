import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { getPaymentMethod as contract } from '@cobro/contracts/routes/saved-cards.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { showPaymentMethod } from './payment-method.rules.ts';
import { findPaymentMethod } from './payment-method.store.ts';

/** GET /payment-method/{id}, and /developer/v1/payment-method/{id}. */
export async function getPaymentMethod(
  deps: Deps,
  { caller, params }: Pick<InputOf<typeof contract>, 'caller' | 'params'>,
): Promise<AnswerOf<typeof contract>> {
  const row = await findPaymentMethod(deps.db, caller.organizationId, params.id);
  if (row === undefined) throw new Refusal('PAYMENT_METHOD_NOT_FOUND');
  return ok(showPaymentMethod(row, deps.clock.now()));
}

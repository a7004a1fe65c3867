import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { readDeveloperPayment as contract } from '@cobro/contracts/routes/payment-reads.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from './deps.ts';
import { developerPayment } from './payment.rules.ts';
import { findPayment } from './payment.store.ts';

export async function readDeveloperPayment(
  deps: Deps,
  { caller, params }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const row = await findPayment(deps.reads.merchants, caller.organizationId, params.id);
  if (row === undefined) {
    throw new Refusal('PAYMENT_NOT_FOUND', {
      message: 'There is no such payment, or it has no outcome yet: payments appear here once the bank has answered.',
    });
  }
  return ok(developerPayment(row, deps.clock.now()));
}

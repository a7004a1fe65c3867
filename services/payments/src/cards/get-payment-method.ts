import type { CallerOf } from '@cobro/contracts/caller.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { type Answer, ok } from '@cobro/service-kit/handle.ts';
import type { Deps } from '../deps.ts';
import { showPaymentMethod } from './payment-method.rules.ts';
import { findPaymentMethod } from './payment-method.store.ts';

interface Input {
  caller: CallerOf<'merchant'>;
  params: { id: string };
}

/** GET /payment-method/{id} */
export async function getPaymentMethod(deps: Deps, { caller, params }: Input): Promise<Answer> {
  const row = await findPaymentMethod(deps.db, caller.organizationId, params.id);
  if (row === undefined) throw new Refusal('PAYMENT_METHOD_NOT_FOUND');
  return ok(showPaymentMethod(row, deps.clock.now()));
}

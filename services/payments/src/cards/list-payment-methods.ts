import type { CallerOf } from '@cobro/contracts/caller.ts';
import type { OffsetList } from '@cobro/contracts/paging.ts';
import type { PaymentMethod, PaymentMethodQuery } from '@cobro/contracts/payment-methods.ts';
import { type Answer, ok } from '@cobro/service-kit/handle.ts';
import type { Deps } from '../deps.ts';
import { monthNow, showPaymentMethod } from './payment-method.rules.ts';
import { listPaymentMethods as list } from './payment-method.store.ts';

interface Input {
  caller: CallerOf<'merchant'>;
  query: PaymentMethodQuery;
}

/** GET /payment-method: newest first. */
export async function listPaymentMethods(deps: Deps, { caller, query }: Input): Promise<Answer> {
  const { page, pageSize, status } = query;
  const now = deps.clock.now();
  const { organizationId } = caller;
  const { count, rows } = await list(deps.db, { organizationId, status, monthNow: monthNow(now), page, pageSize });
  const body: OffsetList<PaymentMethod> = {
    count,
    page,
    pageSize,
    items: rows.map((row) => showPaymentMethod(row, now)),
  };
  return ok(body);
}

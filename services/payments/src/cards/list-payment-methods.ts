import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listPaymentMethods as contract } from '@cobro/contracts/routes/saved-cards.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { monthNow, showPaymentMethod } from './payment-method.rules.ts';
import { listPaymentMethods as list } from './payment-method.store.ts';

/** GET /payment-method: newest first. */
export async function listPaymentMethods(
  deps: Deps,
  { caller, query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { page, pageSize, status } = query;
  const now = deps.clock.now();
  const { organizationId } = caller;
  const { count, rows } = await deps.reads.inTurn(organizationId, () =>
    list(deps.reads, { organizationId, status, monthNow: monthNow(now), page, pageSize }),
  );
  return ok({ count, page, pageSize, items: rows.map((row) => showPaymentMethod(row, now)) });
}

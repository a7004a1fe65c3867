import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listPromotions as contract } from '@cobro/contracts/routes/promotions.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { showPromotion } from './promotion.rules.ts';
import { listPromotions as find } from './promotion.store.ts';

/** GET /promotion: newest first. */
export async function listPromotions(
  deps: Deps,
  { caller, query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { organizationId } = caller;
  const { page, pageSize, status } = query;
  const now = deps.clock.now();
  const filters = { owner: { organizationId }, statuses: status && [status], now };
  const { count, rows } = await deps.reads.inTurn(organizationId, () =>
    find(deps.reads, filters, { offset: (page - 1) * pageSize, limit: pageSize }),
  );
  return ok({ count, page, pageSize, items: rows.map((row) => showPromotion(row, now)) });
}

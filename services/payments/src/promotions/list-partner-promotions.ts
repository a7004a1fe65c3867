import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listPartnerPromotions as contract } from '@cobro/contracts/routes/promotions.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { showToSponsor } from './promotion.rules.ts';
import { findSponsored, listPromotions } from './promotion.store.ts';

/** GET /developer/promotion: what this partner sponsors, also for organizations that have left it. */
export const listPartnerPromotions = (
  deps: Deps,
  input: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> => deps.reads.inTurn(input.caller.partnerId, () => readPage(deps, input));

async function readPage(
  { reads, clock }: Deps,
  { caller: { partnerId }, query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { limit, offset, status, organizationId } = query;
  if (organizationId !== undefined) {
    const sponsored = new Set((await findSponsored(reads, partnerId)).map(({ id }) => id));
    // Another partner's organization and one that does not exist are refused in the same way.
    if (!organizationId.every((id) => sponsored.has(id))) throw new Refusal('FORBIDDEN');
  }
  const now = clock.now();
  const filters = { owner: { partnerId }, organizationIds: organizationId, statuses: status, now };
  const { count, rows } = await listPromotions(reads, filters, { offset, limit });
  return ok({ data: rows.map((row) => showToSponsor(row, now)), pagination: { limit, offset, count } });
}

import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listSalespeople as contract } from '@cobro/contracts/routes/salespeople.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { countSalespeople, findSalespersonPage } from './staff.store.ts';
import { showSalesperson } from './staff-answer.ts';

/** GET /salesperson: newest first. */
export async function listSalespeople(
  { reads }: Deps,
  { caller: { organizationId }, query: { page, pageSize, status } }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const listed = { organizationId, status };
  const part = { ...listed, offset: (page - 1) * pageSize, limit: pageSize };
  const [{ count }, rows] = await reads.inTurn(organizationId, async () => [
    await countSalespeople(reads, listed),
    await findSalespersonPage(reads, part),
  ]);
  return ok({ count, page, pageSize, items: rows.map(showSalesperson) });
}

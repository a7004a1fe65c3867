import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listBranches as contract } from '@cobro/contracts/routes/branches.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { countBranches, findBranchPage } from './staff.store.ts';
import { showBranch } from './staff-answer.ts';

/** GET /business-store-branch: newest first. */
export async function listBranches(
  { reads }: Deps,
  { caller: { organizationId }, query: { page, pageSize } }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const part = { organizationId, offset: (page - 1) * pageSize, limit: pageSize };
  const [{ count }, rows] = await reads.inTurn(organizationId, async () => [
    await countBranches(reads, organizationId),
    await findBranchPage(reads, part),
  ]);
  return ok({ count, page, pageSize, items: rows.map(showBranch) });
}

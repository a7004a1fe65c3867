import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { getBranch as contract } from '@cobro/contracts/routes/branches.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { requireBranch, showBranch } from './staff-answer.ts';

/** GET /business-store-branch/{id} */
export async function getBranch(
  { db }: Deps,
  { caller: { organizationId }, params: { id } }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  return ok(showBranch(await requireBranch(db, organizationId, id)));
}

import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { changeBranch as contract } from '@cobro/contracts/routes/branches.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { changeBranch as change } from './register-staff.ts';
import { requireBranch, showBranch } from './staff-answer.ts';

/** PATCH /business-store-branch/{id} */
export async function changeBranch(
  { db, clock, handOver }: Deps,
  { caller: { organizationId }, params: { id }, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  await requireBranch(db, organizationId, id);
  const written = await change(db, { id, sent: readBody(), at: clock.now() });
  if (written === undefined) throw new Refusal('BUSINESS_STORE_BRANCH_NOT_FOUND');
  await handOver(written.events);
  return ok(showBranch(written.row));
}

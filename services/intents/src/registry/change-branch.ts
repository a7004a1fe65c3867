import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { changeBranch as contract } from '@cobro/contracts/routes/branches.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { changeBranch as rename } from './register-staff.ts';
import { requireBranch, showBranch } from './staff-answer.ts';

/** PATCH /business-store-branch/{id} */
export async function changeBranch(
  { db, clock, handOver }: Deps,
  { caller: { organizationId }, params: { id }, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const branch = await requireBranch(db, organizationId, id);
  const { name } = readBody();
  if (name === undefined) return ok(showBranch(branch));
  const changed = await rename(db, id, { name, at: clock.now() });
  if (changed === undefined) throw new Error('a branch is gone');
  await handOver([changed.event]);
  return ok(showBranch(changed.row));
}

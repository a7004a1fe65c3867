import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { changeSalesperson as contract } from '@cobro/contracts/routes/salespeople.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { changeSalesperson as change } from './register-staff.ts';
import { requireBranch, requireSalesperson, showSalesperson } from './staff-answer.ts';

/** PATCH /salesperson/{id} */
export async function changeSalesperson(
  { db, clock, handOver }: Deps,
  { caller: { organizationId }, params: { id }, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  await requireSalesperson(db, organizationId, id);
  const { businessStoreBranchId: branchId, ...sent } = readBody();
  if (branchId !== undefined) await requireBranch(db, organizationId, branchId);
  const written = await change(db, { id, sent: { ...sent, branchId }, at: clock.now() });
  if (written === undefined) throw new Refusal('SALESPERSON_NOT_FOUND');
  await handOver(written.events);
  return ok(showSalesperson(written.row));
}

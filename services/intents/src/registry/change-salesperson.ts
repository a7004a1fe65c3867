import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { changeSalesperson as contract } from '@cobro/contracts/routes/salespeople.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { changeSalesperson as change } from './register-staff.ts';
import { requireBranch, requireSalesperson, showSalesperson } from './staff-answer.ts';

/** PATCH /salesperson/{id}: changes what is sent. Of two changes at once each writes its own fields, one after the other. */
export async function changeSalesperson(
  { db, clock, handOver }: Deps,
  { caller: { organizationId }, params: { id }, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const salesperson = await requireSalesperson(db, organizationId, id);
  const { name, status, businessStoreBranchId: branchId } = readBody();
  if (name === undefined && status === undefined && branchId === undefined) {
    return ok(await showSalesperson(db, salesperson));
  }
  if (branchId !== undefined) await requireBranch(db, organizationId, branchId);
  const changed = await change(db, id, { name, status, branchId, at: clock.now() });
  if (changed === undefined) throw new Error('a salesperson is gone');
  await handOver([changed.event]);
  return ok(await showSalesperson(db, changed.row));
}

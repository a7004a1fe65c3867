import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { askForSalesperson as contract } from '@cobro/contracts/routes/internal.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { branchChanged, salespersonChanged } from './registry-events.ts';
import { findBranch, findSalesperson } from './staff.store.ts';

/** GET /internal/salespeople/{id}: answers with the events about this person that payments may have missed. */
export async function answerSalespersonQuestion(
  { db }: Deps,
  { params: { id }, query: { organizationId } }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const row = await findSalesperson(db, id);
  if (row?.organizationId !== organizationId) return ok({ events: [] });
  const branch = row.branchId === null ? undefined : await findBranch(db, row.branchId);
  return ok({ events: [...(branch === undefined ? [] : [branchChanged(branch)]), salespersonChanged(row)] });
}

import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { getSalesperson as contract } from '@cobro/contracts/routes/salespeople.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { requireSalesperson, showSalesperson } from './staff-answer.ts';

/** GET /salesperson/{id} */
export async function getSalesperson(
  { db }: Deps,
  { caller: { organizationId }, params: { id } }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  return ok(await showSalesperson(db, await requireSalesperson(db, organizationId, id)));
}

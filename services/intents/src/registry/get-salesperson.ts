import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { getSalesperson as contract } from '@cobro/contracts/routes/salespeople.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { requireSalesperson, showSalesperson } from './staff-answer.ts';

/** GET /salesperson/{id}, and /developer/v1/salesperson/{id}. */
export async function getSalesperson(
  { db }: Deps,
  { caller, params }: Pick<InputOf<typeof contract>, 'caller' | 'params'>,
): Promise<AnswerOf<typeof contract>> {
  return ok(showSalesperson(await requireSalesperson(db, caller.organizationId, params.id)));
}

import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listDeveloperSalespeople as contract } from '@cobro/contracts/routes/salespeople.ts';
import { developerList } from '@cobro/frame/developer-list.ts';
import type { Deps } from '../deps.ts';
import { salespeopleByStatus } from './staff.store.ts';
import { showSalesperson } from './staff-answer.ts';

/** GET /developer/v1/salesperson */
export async function listDeveloperSalespeople(
  deps: Deps,
  { caller: { organizationId }, query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const source = salespeopleByStatus(organizationId);
  return developerList(deps, {
    name: 'developer-salespeople',
    organizationId,
    query,
    ...source,
    show: showSalesperson,
  });
}

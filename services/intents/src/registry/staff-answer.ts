import type { Branch, Salesperson } from '@cobro/contracts/salespeople.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import { type BranchRow, findBranch, findBranchesOfIds, findSalesperson, type SalespersonRow } from './staff.store.ts';

const times = ({ createdAt, updatedAt }: Pick<BranchRow, 'createdAt' | 'updatedAt'>) => ({
  createdAt: createdAt.toISOString(),
  updatedAt: (updatedAt ?? createdAt).toISOString(),
});

export const showBranch = (row: BranchRow): Branch => {
  const { id, name, externalId } = row;
  return { id, name, externalId, ...times(row) };
};

/** Each with the branch as it is called now. */
export async function showSalespeople(queries: Queries, rows: readonly SalespersonRow[]): Promise<Salesperson[]> {
  const ids = rows.flatMap(({ branchId }) => branchId ?? []);
  const branches = ids.length === 0 ? [] : await findBranchesOfIds(queries, ids);
  const names = new Map(branches.map(({ id, name }) => [id, name]));
  return rows.map((row) => {
    const { id, name, username, status, branchId } = row;
    const businessStoreBranch = branchId === null ? null : { id: branchId, name: names.get(branchId) ?? '' };
    return { id, name, username, status, businessStoreBranch, ...times(row) };
  });
}

export async function showSalesperson(queries: Queries, row: SalespersonRow): Promise<Salesperson> {
  const [shown] = await showSalespeople(queries, [row]);
  if (shown === undefined) throw new Error('nobody was shown');
  return shown;
}

/** @throws Refusal 404 where it is another's */
export async function requireBranch(queries: Queries, organizationId: string, id: string): Promise<BranchRow> {
  const row = await findBranch(queries, id);
  if (row?.organizationId !== organizationId) throw new Refusal('BUSINESS_STORE_BRANCH_NOT_FOUND');
  return row;
}

/** @throws Refusal 404 where it is another's */
export async function requireSalesperson(
  queries: Queries,
  organizationId: string,
  id: string,
): Promise<SalespersonRow> {
  const row = await findSalesperson(queries, id);
  if (row?.organizationId !== organizationId) throw new Refusal('SALESPERSON_NOT_FOUND');
  return row;
}

import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Branch, Salesperson } from '@cobro/contracts/salespeople.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import { type BranchRow, findBranch, findSalesperson, type SalespersonRow } from './staff.store.ts';

const times = ({ createdAt, updatedAt }: Pick<BranchRow, 'createdAt' | 'updatedAt'>) => ({
  createdAt: createdAt.toISOString(),
  updatedAt: (updatedAt ?? createdAt).toISOString(),
});

export const showBranch = (row: BranchRow): Branch => {
  const { id, name, externalId } = row;
  return { id, name, externalId, ...times(row) };
};

export const showSalesperson = (row: SalespersonRow): Salesperson => {
  const { id, name, username, status, branchId, branchName } = row;
  const businessStoreBranch = branchId === null || branchName === null ? null : { id: branchId, name: branchName };
  return { id, name, username, status, businessStoreBranch, ...times(row) };
};

/** @throws Refusal 404 if it is another organization's */
export async function requireBranch(queries: Queries, organizationId: string, id: string): Promise<BranchRow> {
  const row = await findBranch(queries, id);
  if (row?.organizationId !== organizationId) throw new Refusal('BUSINESS_STORE_BRANCH_NOT_FOUND');
  return row;
}

/** @throws Refusal 404 if it is another organization's */
export async function requireSalesperson(
  queries: Queries,
  organizationId: string,
  id: string,
): Promise<SalespersonRow> {
  const row = await findSalesperson(queries, id);
  if (row?.organizationId !== organizationId) throw new Refusal('SALESPERSON_NOT_FOUND');
  return row;
}

import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import { findBranch, findSalesperson, type SalespersonRow } from './staff.store.ts';
import { requireSalesperson } from './staff-answer.ts';
import type { TerminalRow } from './terminal.store.ts';

/** @throws Refusal 404; 409 if nothing new may be attributed to this person */
export async function requireSeller(queries: Queries, organizationId: string, id: string): Promise<SalespersonRow> {
  const row = await requireSalesperson(queries, organizationId, id);
  if (row.status !== 'ACTIVE') throw new Refusal('SALESPERSON_NOT_ACTIVE');
  return row;
}

/**
 * Who sold at this terminal and in which branch, under today's names: the person that the tap names, else the one that the terminal is
 * assigned to, active or not.
 */
export async function soldAt(queries: Queries, terminal: TerminalRow, named: SalespersonRow | undefined) {
  const assigned = terminal.salespersonId;
  const seller = named ?? (assigned === null ? undefined : await findSalesperson(queries, assigned));
  const branchId = terminal.branchId ?? seller?.branchId ?? null;
  const branch = branchId === null ? undefined : await findBranch(queries, branchId);
  return {
    salespersonId: seller?.id ?? null,
    salespersonName: seller?.name ?? null,
    salespersonUsername: seller?.username ?? null,
    branchId,
    branchName: branch?.name ?? null,
  };
}

import type { Handler } from '@cobro/events/event-handlers.ts';
import { keepBranch, keepSalesperson } from './salesperson.store.ts';

/** Updates our copy of a salesperson. */
export const onSalespersonChanged: Handler<'SalespersonChanged'> = async (
  tx,
  { salespersonId, ...salesperson },
  { sequence },
) => {
  await keepSalesperson(tx, { id: salespersonId, ...salesperson, sequence });
};

/** Updates our copy of a branch. */
export const onBranchChanged: Handler<'BranchChanged'> = async (tx, { branchId, name }, { sequence }) => {
  await keepBranch(tx, { id: branchId, name, sequence });
};

import type { Handler } from '@cobro/events/event-handlers.ts';
import { keepBranch, keepSalesperson } from './salesperson.store.ts';

/** Keeps our copy of who sells. */
export const onSalespersonChanged: Handler<'SalespersonChanged'> = async (
  tx,
  { salespersonId, ...salesperson },
  { sequence },
) => {
  await keepSalesperson(tx, { id: salespersonId, ...salesperson, sequence });
};

/** Keeps our copy of where people sell. */
export const onBranchChanged: Handler<'BranchChanged'> = async (tx, { branchId, name }, { sequence }) => {
  await keepBranch(tx, { id: branchId, name, sequence });
};

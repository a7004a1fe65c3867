import type { Handler } from '@cobro/events/event-handlers.ts';
import { recordBranch, recordSalesperson, recordTerminal } from './registry.store.ts';

/** Terminals, branches and salespeople, for the partner list and the takings. */
export const onTerminalChanged: Handler<'TerminalChanged'> = async (tx, { terminalId, serialNumber }, { sequence }) => {
  await recordTerminal(tx, { id: terminalId, serialNumber, sequence });
};

export const onBranchChanged: Handler<'BranchChanged'> = async (tx, { branchId, name }, { sequence }) => {
  await recordBranch(tx, { id: branchId, name, sequence });
};

export const onSalespersonChanged: Handler<'SalespersonChanged'> = async (tx, data, { sequence }) => {
  const { salespersonId, name, username } = data;
  await recordSalesperson(tx, { id: salespersonId, name, username, sequence });
};

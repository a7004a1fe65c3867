import { type Envelope, newEvent } from '@cobro/contracts/events.ts';
import type { BranchRow, SalespersonRow } from './staff.store.ts';
import type { TerminalRow } from './terminal.store.ts';

const about = ({ id, version }: { id: string; version: number }) => ({
  subject: id,
  sequence: version,
  time: new Date(),
});

export const terminalChanged = (row: TerminalRow): Envelope => {
  const { id: terminalId, organizationId, serialNumber, branchId, salespersonId } = row;
  const data = { terminalId, organizationId, serialNumber, branchId, salespersonId };
  return newEvent('TerminalChanged', { ...about(row), data });
};

export const branchChanged = (row: BranchRow): Envelope => {
  const { id: branchId, organizationId, name } = row;
  return newEvent('BranchChanged', { ...about(row), data: { branchId, organizationId, name } });
};

export const salespersonChanged = (row: SalespersonRow): Envelope => {
  const { id: salespersonId, organizationId, name, username, status, branchId } = row;
  const data = { salespersonId, organizationId, name, username, status, branchId };
  return newEvent('SalespersonChanged', { ...about(row), data });
};

import { newId } from '@cobro/contracts/ids.ts';
import { appendToOutbox } from '@cobro/events/outbox.ts';
import type { Database, Queries } from '@cobro/postgres/database.ts';
import { OperatorError } from '@cobro/service-kit/operator-error.ts';
import { terminalChanged } from './registry-events.ts';
import { findBranch, findSalesperson } from './staff.store.ts';
import { findTerminal, insertTerminal, type TerminalRow, updateTerminal } from './terminal.store.ts';

interface Assignment {
  branchId: string | null | undefined;
  salespersonId: string | null | undefined;
}

/** Registers a terminal of a merchant. The gateway makes its key. @throws OperatorError */
export const registerTerminal = (
  db: Database,
  terminal: Assignment & { organizationId: string; serialNumber: string },
): Promise<TerminalRow> =>
  db.inTransaction(async (tx) => {
    await requireAssignment(tx, terminal.organizationId, terminal);
    const row = await insertTerminal(tx, {
      id: newId(),
      organizationId: terminal.organizationId,
      serialNumber: terminal.serialNumber,
      branchId: terminal.branchId ?? null,
      salespersonId: terminal.salespersonId ?? null,
      createdAt: new Date(),
    });
    if (row === undefined) throw new OperatorError(`There is a terminal ${terminal.serialNumber} already.`);
    appendToOutbox(tx, terminalChanged(row));
    return row;
  });

/** Moves a terminal to another branch or gives it to somebody else. Payments made before keep theirs. @throws OperatorError */
export const changeTerminal = (db: Database, change: Assignment & { id: string }): Promise<TerminalRow> =>
  db.inTransaction(async (tx) => {
    const terminal = await findTerminal(tx, change.id);
    if (terminal === undefined) throw new OperatorError(`There is no terminal ${change.id}.`);
    await requireAssignment(tx, terminal.organizationId, change);
    const row = await updateTerminal(tx, change);
    if (row === undefined) throw new Error('a terminal is gone');
    appendToOutbox(tx, terminalChanged(row));
    return row;
  });

async function requireAssignment(queries: Queries, organizationId: string, { branchId, salespersonId }: Assignment) {
  const branch = branchId ? await findBranch(queries, branchId) : undefined;
  if (branchId && branch?.organizationId !== organizationId) {
    throw new OperatorError(`The merchant has no branch ${branchId}.`);
  }
  const salesperson = salespersonId ? await findSalesperson(queries, salespersonId) : undefined;
  if (salespersonId && salesperson?.organizationId !== organizationId) {
    throw new OperatorError(`The merchant has no salesperson ${salespersonId}.`);
  }
}

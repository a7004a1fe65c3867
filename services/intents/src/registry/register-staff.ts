import { newId } from '@cobro/contracts/ids.ts';
import { appendToOutbox } from '@cobro/events/outbox.ts';
import type { Database } from '@cobro/postgres/database.ts';
import { OperatorError } from '@cobro/service-kit/operator-error.ts';
import { branchChanged, salespersonChanged } from './registry-events.ts';
import {
  type BranchRow,
  insertBranch,
  insertSalesperson,
  renameBranch,
  renameSalesperson,
  type SalespersonRow,
} from './staff.store.ts';

export const registerBranch = (db: Database, branch: { organizationId: string; name: string }): Promise<BranchRow> =>
  db.inTransaction(async (tx) => {
    const row = await insertBranch(tx, { id: newId(), ...branch, createdAt: new Date() });
    appendToOutbox(tx, branchChanged(row));
    return row;
  });

/** @throws OperatorError where there is no such branch */
export const changeBranch = (db: Database, { id, name }: { id: string; name: string }): Promise<BranchRow> =>
  db.inTransaction(async (tx) => {
    const row = await renameBranch(tx, id, name);
    if (row === undefined) throw new OperatorError(`There is no branch ${id}.`);
    appendToOutbox(tx, branchChanged(row));
    return row;
  });

/** @throws OperatorError where the merchant has somebody with this username */
export const registerSalesperson = (
  db: Database,
  salesperson: { organizationId: string; name: string; username: string },
): Promise<SalespersonRow> =>
  db.inTransaction(async (tx) => {
    const row = await insertSalesperson(tx, { id: newId(), ...salesperson, createdAt: new Date() });
    if (row === undefined) throw new OperatorError(`The merchant has a salesperson ${salesperson.username} already.`);
    appendToOutbox(tx, salespersonChanged(row));
    return row;
  });

/** @throws OperatorError where there is no such salesperson */
export const changeSalesperson = (db: Database, { id, name }: { id: string; name: string }): Promise<SalespersonRow> =>
  db.inTransaction(async (tx) => {
    const row = await renameSalesperson(tx, id, name);
    if (row === undefined) throw new OperatorError(`There is no salesperson ${id}.`);
    appendToOutbox(tx, salespersonChanged(row));
    return row;
  });

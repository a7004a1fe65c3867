import type { Envelope } from '@cobro/contracts/events.ts';
import { appendToOutbox } from '@cobro/events/outbox.ts';
import type { Database, Tx } from '@cobro/postgres/database.ts';
import { branchChanged, salespersonChanged } from './registry-events.ts';
import {
  type BranchRow,
  insertBranch,
  insertSalesperson,
  type NewBranch,
  type NewSalesperson,
  renameBranch,
  type SalespersonRow,
  type StaffChange,
  updateSalesperson,
} from './staff.store.ts';

// What endpoints and operators' commands do alike. Each is undefined where there is nothing to write.

/** The record as it was written, and the event that says so. */
export interface Written<Row> {
  row: Row;
  event: Envelope;
}

async function write<Row>(
  db: Database,
  statement: (tx: Tx) => Promise<Row | undefined>,
  eventOf: (row: Row) => Envelope,
): Promise<Written<Row> | undefined> {
  return db.inTransaction(async (tx) => {
    const row = await statement(tx);
    if (row === undefined) return undefined;
    const event = eventOf(row);
    appendToOutbox(tx, event);
    return { row, event };
  });
}

/** Undefined where the externalId is taken. */
export const registerBranch = (db: Database, branch: NewBranch): Promise<Written<BranchRow> | undefined> =>
  write(db, (tx) => insertBranch(tx, branch), branchChanged);

/** Undefined where there is no such branch. */
export const changeBranch = (
  db: Database,
  id: string,
  { name, at }: { name: string; at: Date },
): Promise<Written<BranchRow> | undefined> => write(db, (tx) => renameBranch(tx, id, name, at), branchChanged);

/** Undefined where the merchant has somebody with this username. */
export const registerSalesperson = (
  db: Database,
  salesperson: NewSalesperson,
): Promise<Written<SalespersonRow> | undefined> =>
  write(db, (tx) => insertSalesperson(tx, salesperson), salespersonChanged);

/** Undefined where there is no such salesperson. */
export const changeSalesperson = (
  db: Database,
  id: string,
  { at, ...change }: StaffChange & { at: Date },
): Promise<Written<SalespersonRow> | undefined> =>
  write(db, (tx) => updateSalesperson(tx, id, change, at), salespersonChanged);

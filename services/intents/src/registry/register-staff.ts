import type { Envelope } from '@cobro/contracts/events.ts';
import { appendToOutbox } from '@cobro/events/outbox.ts';
import type { Database, Tx } from '@cobro/postgres/database.ts';
import { changesOf } from '@cobro/service-kit/changes.ts';
import { branchChanged, salespersonChanged } from './registry-events.ts';
import {
  type BranchRow,
  insertBranch,
  insertSalesperson,
  lockBranch,
  lockSalesperson,
  type NewBranch,
  type NewSalesperson,
  type SalespersonRow,
  type StaffChanges,
  updateBranch,
  updateSalesperson,
} from './staff.store.ts';

// What endpoints and operators' commands do alike.

/** The record as it is now, and the event of what was written; none where nothing was. */
export interface Written<Row> {
  row: Row;
  events: Envelope[];
}

function published<Row>(tx: Tx, row: Row, event: Envelope): Written<Row> {
  appendToOutbox(tx, event);
  return { row, events: [event] };
}

/** Undefined where the externalId is taken. */
export const registerBranch = (db: Database, branch: NewBranch): Promise<Written<BranchRow> | undefined> =>
  db.inTransaction(async (tx) => {
    const row = await insertBranch(tx, branch);
    return row && published(tx, row, branchChanged(row));
  });

/** Undefined where the merchant has somebody with this username. */
export const registerSalesperson = (
  db: Database,
  salesperson: NewSalesperson,
): Promise<Written<SalespersonRow> | undefined> =>
  db.inTransaction(async (tx) => {
    const row = await insertSalesperson(tx, salesperson);
    return row && published(tx, row, salespersonChanged(row));
  });

/** A field that is undefined stays as it is. */
interface Change<Fields> {
  id: string;
  sent: { readonly [F in keyof Fields]: Fields[F] | undefined };
  at: Date;
}

/** Under the row's lock, so that two changes at once both stay. Undefined where there is no such branch. */
export const changeBranch = (
  db: Database,
  { id, sent, at }: Change<{ name?: string }>,
): Promise<Written<BranchRow> | undefined> =>
  db.inTransaction(async (tx) => {
    const before = await lockBranch(tx, id);
    if (before === undefined) return undefined;
    const changes = changesOf<BranchRow, 'name'>(before, sent);
    if (Object.keys(changes).length === 0) return { row: before, events: [] };
    const row = await updateBranch(tx, id, changes, at);
    return published(tx, row, branchChanged(row));
  });

/** Likewise. */
export const changeSalesperson = (
  db: Database,
  { id, sent, at }: Change<StaffChanges>,
): Promise<Written<SalespersonRow> | undefined> =>
  db.inTransaction(async (tx) => {
    const before = await lockSalesperson(tx, id);
    if (before === undefined) return undefined;
    const changes = changesOf<SalespersonRow, keyof StaffChanges>(before, sent);
    if (Object.keys(changes).length === 0) return { row: before, events: [] };
    const row = await updateSalesperson(tx, id, changes, at);
    return published(tx, row, salespersonChanged(row));
  });

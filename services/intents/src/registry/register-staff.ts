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

// Shared by endpoints and operators' commands.

/** The record as it is now, and the event of what was written; no event if nothing was. */
export interface Written<Row> {
  row: Row;
  events: Envelope[];
}

function published<Row>(tx: Tx, row: Row, event: Envelope): Written<Row> {
  appendToOutbox(tx, event);
  return { row, events: [event] };
}

/** Returns undefined if the externalId is taken. */
export const registerBranch = (db: Database, branch: NewBranch): Promise<Written<BranchRow> | undefined> =>
  db.inTransaction(async (tx) => {
    const row = await insertBranch(tx, branch);
    return row && published(tx, row, branchChanged(row));
  });

/** Returns undefined if the merchant has somebody with this username. */
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
  sent: { readonly [F in keyof Fields]?: Fields[F] | undefined };
  at: Date;
}

/** Changes a row under its lock, so that two changes at once both stay. Returns undefined if there is no such row. */
const changing =
  <Row extends object, F extends keyof Row & string>(
    lock: (tx: Tx, id: string) => Promise<Row | undefined>,
    update: (tx: Tx, id: string, changes: Partial<Pick<Row, F>>, at: Date) => Promise<Row>,
    eventOf: (row: Row) => Envelope,
  ) =>
  (db: Database, { id, sent, at }: Change<Pick<Row, F>>): Promise<Written<Row> | undefined> =>
    db.inTransaction(async (tx) => {
      const before = await lock(tx, id);
      if (before === undefined) return undefined;
      const changes = changesOf<Row, F>(before, sent);
      if (Object.keys(changes).length === 0) return { row: before, events: [] };
      const row = await update(tx, id, changes, at);
      return published(tx, row, eventOf(row));
    });

export const changeBranch = changing<BranchRow, 'name'>(lockBranch, updateBranch, branchChanged);
export const changeSalesperson = changing<SalespersonRow, keyof StaffChanges>(
  lockSalesperson,
  updateSalesperson,
  salespersonChanged,
);

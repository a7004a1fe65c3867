import type { Envelope } from '@cobro/contracts/events.ts';
import type { Database, Tx } from '@cobro/postgres/database.ts';
import { countSettled } from './count-settled.ts';
import type { Approved, Declined } from './bank.ts';
import { closeOperation, type Operation, type OperationStatus, type Purpose } from './journal.store.ts';

/**
 * How an operation ended. `not_processed`: the bank, asked to close the key, had never seen it. `not_sent`: the request never
 * left.
 */
export type Ending = Approved | Declined | { outcome: 'not_processed' } | { outcome: 'not_sent' };

/** The subject after an ending, and the events that tell of the change. `row` is absent if nothing moved. */
export interface Settled<Row> {
  row?: Row;
  events: Envelope[];
}

/** Writes down what the ending of an operation does to its subject. */
export type Settle<Row> = (tx: Tx, operation: Operation, ending: Ending) => Promise<Settled<Row>>;
export type Settlers<Row> = { readonly [P in Purpose]?: Settle<Row> };

/** Closes the operation, moves its subject and hands the events over. Undefined if the operation was already closed. */
export type Settlement<Row> = (operation: Operation, ending: Ending) => Promise<Settled<Row> | undefined>;

export interface SettlementOptions<Row> {
  /** By purpose. Each moves the subject, in the transaction that closes the operation. A missing purpose is a bug. */
  settle: Settlers<Row>;
  /** Takes the events of a settlement into the same transaction. */
  outbox: { append(tx: Tx, event: Envelope): void };
  /** Runs after that transaction's commit and before the caller gets the outcome. */
  handOver: (events: Envelope[]) => Promise<void>;
}

/**
 * Settlements that come while others commit share a transaction. One that cannot be written down does not keep the others from
 * it.
 */
export function createSettlement<Row>(options: SettlementOptions<Row>, db: Database): Settlement<Row> {
  const settle = createSettle(options);
  const count = countSettled();
  /** Sends the guard (closing the operation) and the settlement together. If the operation was already closed, both roll back. */
  const close = async (tx: Tx, operation: Operation, ending: Ending): Promise<Settled<Row>> => {
    const closing = closeOperation(tx, operation.id, statusOf(ending), JSON.stringify(ending));
    const settling = settle(tx, operation, ending);
    settling.catch(() => {});
    if ((await closing) === 0) throw new ClosedBefore();
    return settling;
  };
  return async (operation, ending) => {
    try {
      const settled = await db.inSharedTransaction(operation.subjectId, (tx) => close(tx, operation, ending));
      count(operation, ending);
      await options.handOver(settled.events);
      return settled;
    } catch (error) {
      if (error instanceof ClosedBefore) return undefined;
      throw error;
    }
  };
}

function createSettle<Row>({ settle: settlers, outbox }: SettlementOptions<Row>): Settle<Row> {
  return async (tx, operation, ending) => {
    const settleOne = settlers[operation.purpose];
    if (settleOne === undefined) throw new Error(`nobody here settles a ${operation.purpose}`);
    const settled = await settleOne(tx, operation, ending);
    for (const event of settled.events) outbox.append(tx, event);
    return settled;
  };
}

class ClosedBefore extends Error {}

function statusOf(ending: Ending): OperationStatus {
  return ending.outcome;
}

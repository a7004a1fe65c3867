import { transactionOf } from '@cobro/bank/bank.ts';
import type { Ending, Operation, Settled } from '@cobro/bank/journal.ts';
import { sql, type Tx } from '@cobro/postgres/database.ts';
import { endingEvent } from './hold-events.ts';
import { alreadyFree } from './hold.rules.ts';
import type { HoldRow } from './hold.row.ts';
import { endHold, sweepLater } from './hold.store.ts';

const SWEEP_AGAIN_S = { declined: { first: 60, most: 600 }, other: { first: 5, most: 60 } };

/** Writes down how a capture, release or expiry ended. If the bank declined, the hold stays as it is. */
export async function settleHold(tx: Tx, operation: Operation, ending: Ending): Promise<Settled<HoldRow>> {
  const row = await end(tx, operation, ending);
  if (row !== undefined) {
    const event = endingEvent(row);
    return { row, events: event === null ? [] : [event] };
  }
  if (operation.purpose === 'expire') {
    const pause = ending.outcome === 'declined' ? SWEEP_AGAIN_S.declined : SWEEP_AGAIN_S.other;
    await sweepLater(tx, operation.subjectId, pause);
  }
  return { events: [] };
}

async function end(tx: Tx, { purpose, subjectId, amount }: Operation, ending: Ending): Promise<HoldRow | undefined> {
  const row = await (purpose === 'capture'
    ? captured(tx, subjectId, amount, ending)
    : freed(tx, purpose, subjectId, ending));
  if (row === 'ended before') throw new Error('the bank moved a hold that had ended');
  return row;
}

async function captured(tx: Tx, paymentId: string, amount: bigint | null, ending: Ending) {
  if (ending.outcome !== 'approved') return undefined;
  const facts = sql`captured_amount = ${amount}, captured_at = ${ending.time},
    bank_transaction = ${JSON.stringify(transactionOf(ending))}::jsonb`;
  return (await endHold(tx, paymentId, 'CAPTURED', facts)) ?? 'ended before';
}

async function freed(tx: Tx, purpose: Operation['purpose'], paymentId: string, ending: Ending) {
  const free = ending.outcome === 'approved' || (ending.outcome === 'declined' && alreadyFree(ending.declineCode));
  if (!free) return undefined;
  const status = purpose === 'expire' ? 'EXPIRED' : 'RELEASED';
  return (await endHold(tx, paymentId, status, sql`released_at = ${ending.time}`)) ?? 'ended before';
}

import { transactionOf } from '@cobro/bank/bank.ts';
import type { Change, Ending, Operation, Settler } from '@cobro/bank/journal.ts';
import { storedTransaction } from '@cobro/contracts/events.ts';
import { endingEvent } from './hold-events.ts';
import { alreadyFree, moveHold } from './hold.rules.ts';
import type { HoldRow } from './hold.row.ts';
import { holdSubject, sweepLater } from './hold.store.ts';

const SWEEP_AGAIN_S = { declined: { first: 60, most: 600 }, other: { first: 5, most: 60 } };

/** How a capture, release or expiry ends. If the bank declined, the hold stays as it is. */
export const settleHold: Settler<HoldRow> = {
  subject: holdSubject,
  settle: (row, operation, ending) => {
    const changes = operation.purpose === 'capture' ? captured(row, operation, ending) : freed(row, operation, ending);
    if (changes !== undefined) {
      const event = endingEvent({ ...row, ...changes });
      return { changes, events: event === null ? [] : [event] };
    }
    return operation.purpose === 'expire' ? triedInVain(row, ending) : { events: [] };
  },
};

function captured(row: HoldRow, { amount }: Operation, ending: Ending): Partial<HoldRow> | undefined {
  if (ending.outcome !== 'approved') return undefined;
  const bankTransaction = storedTransaction(transactionOf(ending));
  return moveHold(row, 'CAPTURED', { capturedAmount: amount, capturedAt: ending.time, bankTransaction });
}

function freed(row: HoldRow, { purpose }: Operation, ending: Ending): Partial<HoldRow> | undefined {
  const isFree = ending.outcome === 'approved' || (ending.outcome === 'declined' && alreadyFree(ending.declineCode));
  if (!isFree) return undefined;
  return moveHold(row, purpose === 'expire' ? 'EXPIRED' : 'RELEASED', { releasedAt: ending.time });
}

function triedInVain(row: HoldRow, { outcome }: Ending): Change<HoldRow> {
  const pause = outcome === 'declined' ? SWEEP_AGAIN_S.declined : SWEEP_AGAIN_S.other;
  return { also: { writing: sweepLater(row.paymentId, pause) }, events: [] };
}

import { transactionOf } from '@cobro/bank/bank.ts';
import type { Change, Ending, Operation, Settler } from '@cobro/bank/journal.ts';
import { storedTransaction } from '@cobro/contracts/events.ts';
import { endingEvent } from './hold-events.ts';
import { alreadyFree, CLOCK_SKEW_MS, isLetGo, moveHold } from './hold.rules.ts';
import type { HoldRow } from './hold.row.ts';
import { holdSubject, lettingGo, sweepLater } from './hold.store.ts';

const SWEEP_AGAIN_S = { declined: { first: 60, most: 600 }, other: { first: 5, most: 60 } };

/** Settles a capture, release or expiry. If the bank declined, the hold stays HELD. */
export const settleHold: Settler<HoldRow> = {
  subject: holdSubject,
  settle: (row, operation, ending) => {
    const changes = operation.purpose === 'capture' ? captured(row, operation, ending) : freed(row, operation, ending);
    if (changes !== undefined) {
      const event = endingEvent({ ...row, ...changes });
      return { changes, events: event === null ? [] : [event] };
    }
    if (operation.purpose === 'expire') return triedInVain(row, ending);
    return operation.purpose === 'capture' ? notCaptured(row, ending) : { events: [] };
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

/** A merchant may still think that the money is held, so the hold ends as soon as it can. */
function notCaptured(row: HoldRow, ending: Ending): Change<HoldRow> {
  if (ending.outcome !== 'declined' || !isLetGo(ending.declineCode)) return { events: [] };
  const letGoAt = new Date(ending.time.getTime() - CLOCK_SKEW_MS);
  return { also: { writing: lettingGo(row.paymentId, letGoAt) }, events: [] };
}

function triedInVain(row: HoldRow, { outcome }: Ending): Change<HoldRow> {
  const pause = outcome === 'declined' ? SWEEP_AGAIN_S.declined : SWEEP_AGAIN_S.other;
  return { also: { writing: sweepLater(row.paymentId, pause) }, events: [] };
}

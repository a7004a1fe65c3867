import { notProcessed, transactionOf } from '@cobro/bank/bank.ts';
import type { Ending, Operation, Settled } from '@cobro/bank/journal.ts';
import type { BankTransaction } from '@cobro/contracts/events.ts';
import { holdExpiresAt } from '@cobro/domain/hold-window.ts';
import { sql, type Tx } from '@cobro/postgres/database.ts';
import type { Clock } from '@cobro/service-kit/clock.ts';
import { holdPlaced, paymentConfirmed, paymentDeclined } from './payment-events.ts';
import { endOneTimePayment } from '../one-time-payments/one-time-payment.store.ts';
import { removeTap } from '../payment-intents/tap.store.ts';
import type { PaymentRow } from './payment.row.ts';
import { cancelPayment, movePayment } from './payment.store.ts';

/** Writes down how a charge or hold ended. Times are those of the bank, even when an inquiry learns of them later. */
export async function settleCharge(
  clock: Clock,
  tx: Tx,
  operation: Operation,
  ending: Ending,
): Promise<Settled<PaymentRow>> {
  const id = operation.subjectId;
  switch (ending.outcome) {
    case 'approved': {
      const said = sql`, bank_reference = ${ending.reference},
        bank_transaction = ${JSON.stringify(transactionOf(ending))}::jsonb`;
      if (operation.purpose === 'charge') {
        const row = moved(await movePayment(tx, id, 'CONFIRMED', said));
        await confirmOrigin(tx, row, clock.now());
        endTap(tx, row);
        return { row, events: [paymentConfirmed(row)] };
      }
      const held = sql`${said}, held_amount = amount, held_at = ${ending.time},
        hold_expires_at = ${holdExpiresAt(ending.time)}`;
      const row = moved(await movePayment(tx, id, 'HELD', held));
      return { row, events: [holdPlaced(row)] };
    }
    case 'declined':
      return decline(tx, id, ending.declineCode, transactionOf(ending));
    case 'not_processed':
      return decline(tx, id, 'not_processed', notProcessed(clock.now()));
    case 'not_sent':
      // The externalId stays free: the next request with it claims this payment again, with a new key at the bank. So does the
      // next try of a tap.
      return { row: moved(await movePayment(tx, id, 'NOT_INITIALIZED')), events: [] };
  }
}

async function decline(
  tx: Tx,
  id: string,
  declineCode: string,
  transaction: BankTransaction,
): Promise<Settled<PaymentRow>> {
  const row = moved(await cancelPayment(tx, id, declineCode, transaction));
  endTap(tx, row);
  return { row, events: [paymentDeclined(row)] };
}

function moved(row: PaymentRow | undefined): PaymentRow {
  if (row === undefined) throw new Error('the payment is not in a state that this operation can end in');
  return row;
}

/** Marks what was paid for as paid, in the same transaction. */
async function confirmOrigin(tx: Tx, { oneTimePaymentId }: PaymentRow, now: Date): Promise<void> {
  if (oneTimePaymentId === null) return;
  const link = await endOneTimePayment(tx, oneTimePaymentId, 'CONFIRMED', now);
  if (link === undefined) throw new Error('a link was paid that was not pending');
}

/** The outcome is known, so the card's token is not needed any more. */
function endTap(tx: Tx, { id, paymentIntentId }: PaymentRow): void {
  if (paymentIntentId !== null) removeTap(tx, id);
}

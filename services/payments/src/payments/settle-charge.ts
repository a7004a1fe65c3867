import { notProcessed, transactionOf } from '@cobro/bank/bank.ts';
import type { Change, Settler } from '@cobro/bank/journal.ts';
import { type BankTransaction, storedTransaction } from '@cobro/contracts/events.ts';
import { holdExpiresAt } from '@cobro/domain/hold-window.ts';
import type { Clock } from '@cobro/service-kit/clock.ts';
import { holdPlaced, paymentConfirmed, paymentDeclined } from './payment-events.ts';
import type { PaymentRow } from './payment.row.ts';
import { movePayment } from './payment.rules.ts';
import { paymentSubject } from './payment.store.ts';

/** What the outcome of a payment changes in what it was made for. `payment` is CONFIRMED, CANCELLED or NOT_INITIALIZED. */
export type OnOutcome = (payment: PaymentRow, now: Date) => Pick<Change<PaymentRow>, 'also' | 'counting'>;

/** How a charge or hold ends. Times are those of the bank, even when an inquiry learns of them later. */
export const settleCharge = (
  clock: Clock,
  onOutcome: Readonly<Record<PaymentRow['source'], OnOutcome>>,
): Settler<PaymentRow> => ({
  subject: paymentSubject,
  settle: (row, operation, ending) => {
    const ended = (changes: Partial<PaymentRow>, eventOf?: typeof paymentConfirmed): Change<PaymentRow> => {
      const payment = { ...row, ...changes };
      const events = eventOf === undefined ? [] : [eventOf(payment)];
      return { changes, ...onOutcome[row.source](payment, clock.now()), events };
    };
    switch (ending.outcome) {
      case 'approved': {
        const said = { bankReference: ending.reference, bankTransaction: storedTransaction(transactionOf(ending)) };
        if (operation.purpose === 'charge') return ended(movePayment(row, 'CONFIRMED', said), paymentConfirmed);
        const changes = movePayment(row, 'HELD', {
          ...said,
          heldAmount: row.amount,
          heldAt: ending.time,
          holdExpiresAt: holdExpiresAt(ending.time),
          captureBefore: ending.captureBefore ?? null,
        });
        return { changes, events: [holdPlaced({ ...row, ...changes })] };
      }
      case 'declined':
        return ended(declined(row, ending.declineCode, transactionOf(ending)), paymentDeclined);
      case 'not_processed':
        return ended(declined(row, 'not_processed', notProcessed(clock.now())), paymentDeclined);
      case 'not_sent':
        // The externalId stays free: the next request with it claims this payment again, with a new key at the bank. So does the
        // next try of a tap.
        return ended(movePayment(row, 'NOT_INITIALIZED'));
    }
  },
});

const declined = (row: PaymentRow, declineCode: string, transaction: BankTransaction) =>
  movePayment(row, 'CANCELLED', { declineCode, bankTransaction: storedTransaction(transaction) });

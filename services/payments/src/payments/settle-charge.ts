import { isDeepStrictEqual } from 'node:util';
import { type Approved, notProcessed, transactionOf } from '@cobro/bank/bank.ts';
import { type Change, type Counting, NotTheOutcome, type Settler } from '@cobro/bank/journal.ts';
import { type BankTransaction, storedTransaction } from '@cobro/contracts/events.ts';
import { holdExpiresAt } from '@cobro/domain/hold-window.ts';
import type { Clock } from '@cobro/service-kit/clock.ts';
import { withoutPromotion } from '../promotions/promote.ts';
import { countingPayment } from '../promotions/promotion-in-force.ts';
import { holdPlaced, paymentConfirmed, paymentDeclined } from './payment-events.ts';
import type { PaymentRow } from './payment.row.ts';
import { movePayment } from './payment.rules.ts';
import { paymentSubject } from './payment.store.ts';

/**
 * What a payment's outcome changes in its origin. `payment`: CONFIRMED, CANCELLED or NOT_INITIALIZED; `note`: what its claim noted;
 * `isKeyClosed`: the acquirer asks for the request again under another key.
 */
export type OnOutcome = (
  payment: PaymentRow,
  now: Date,
  ended: { note: string | null; isKeyClosed: boolean },
) => Pick<Change<PaymentRow>, 'also' | 'counting'>;

/** How a charge or hold ends. Times are those of the bank, even when an inquiry learns of them later. */
export const settleCharge = (
  clock: Clock,
  onOutcome: Readonly<Record<PaymentRow['source'], OnOutcome>>,
): Settler<PaymentRow> => ({
  subject: paymentSubject,
  settle: (row, operation, ending) => {
    const isKeyClosed = ending.outcome === 'not_sent' && ending.isKeyClosed === true;
    const ended = (changes: Partial<PaymentRow>, eventOf?: typeof paymentConfirmed): Change<PaymentRow> => {
      const payment = { ...row, ...changes };
      const events = eventOf === undefined ? [] : [eventOf(payment)];
      const { note } = operation;
      const { counting = [], ...rest } = onOutcome[row.source](payment, clock.now(), { note, isKeyClosed });
      // Last, because a promotion is always locked after what the payment is made for.
      return { changes, ...rest, counting: [...counting, ...promotionGivenBack(row, payment)], events };
    };
    switch (ending.outcome) {
      case 'approved': {
        const said = { bankReference: ending.reference, bankTransaction: storedTransaction(transactionOf(ending)) };
        if (operation.purpose === 'charge') {
          return ended(movePayment(row, 'CONFIRMED', { ...said, ...charged(row, ending) }), paymentConfirmed);
        }
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
        return ended(
          movePayment(row, 'NOT_INITIALIZED', {
            rates: row.rates && withoutPromotion(row.rates),
            closedKeys: row.closedKeys + (isKeyClosed ? 1 : 0),
          }),
        );
    }
  },
});

/**
 * Returns what differs in the bank's record. The key of a subscription's charge may have been used before, if the database was
 * restored: then the earlier request was charged. Any other key is new, so another amount under it is no outcome of this charge.
 * @throws NotTheOutcome
 */
function charged({ source, amount, card }: PaymentRow, said: Approved): Partial<PaymentRow> {
  const saidAmount = said.amount === undefined ? amount : BigInt(said.amount);
  if (source !== 'SUBSCRIPTION') {
    if (saidAmount !== amount)
      throw new NotTheOutcome(`approved for ${saidAmount} centavos where ${amount} were asked`);
    return {};
  }
  const shown = { ...card, ...said.card };
  return { amount: saidAmount, ...(!isDeepStrictEqual(shown, card) && { card: shown }) };
}

const declined = (row: PaymentRow, declineCode: string, transaction: BankTransaction) =>
  movePayment(row, 'CANCELLED', { declineCode, bankTransaction: storedTransaction(transaction) });

/**
 * A payment that was declined or not sent counts for no promotion. What the bank took or held stays counted, also after a refund, a
 * release or an expiry.
 */
const promotionGivenBack = ({ rates }: PaymentRow, { status }: PaymentRow): Counting[] =>
  rates?.promotion !== undefined && (status === 'CANCELLED' || status === 'NOT_INITIALIZED')
    ? [countingPayment(rates.promotion, -1)]
    : [];

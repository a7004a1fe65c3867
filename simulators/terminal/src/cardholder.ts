import type { Routes } from '@cobro/client/api.ts';
import { type Card, type EntryMode, type TestCardName, testCard } from './card.ts';

export type NextIntent = Routes['nextPaymentIntent']['answers'][200];

/** What the terminal shows while it waits for a card. */
export interface Shown {
  intent: NextIntent;
  /** How many cards the bank has declined for this intent so far. */
  declines: number;
}

export type Decision =
  | { does: 'pay'; card: Card; entryMode: EntryMode; terms?: Routes['payPaymentIntent']['body']['terms'] }
  /** The terminal turns the intent down before a card is read, which cancels it. */
  | { does: 'decline'; reason?: string }
  /** Nobody does anything: the intent stays open until it is replaced or cancelled, or expires. */
  | { does: 'walkAway' };

/**
 * Stands for the cardholder and the cashier. Called for each intent that is shown, and again after a decline of the bank. The
 * signal ends the call if the intent is gone meanwhile.
 */
export type Cardholder = (shown: Shown, signal: AbortSignal) => Decision | Promise<Decision>;

export interface Habits {
  does?: Decision['does'];
  /** The cards, each tried after the one before was declined; then the cardholder walks away. */
  cards?: TestCardName[];
  entryMode?: EntryMode;
}

/** A cardholder with fixed habits: by default, one who holds a card of the test bank to the terminal at once. */
export const cardholderWith =
  ({ does = 'pay', cards = ['approved'], entryMode = 'CONTACTLESS' }: Habits = {}): Cardholder =>
  ({ declines }) => {
    if (does !== 'pay') return { does };
    const card = cards[declines];
    return card === undefined ? { does: 'walkAway' } : { does, card: testCard(card), entryMode };
  };

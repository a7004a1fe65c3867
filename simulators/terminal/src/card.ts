import type { Routes } from '@cobro/client/api.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';

export type TestCardName = keyof typeof testCards;
/** How the terminal reads the card. */
export type EntryMode = Routes['payPaymentIntent']['body']['card']['entryMode'];

/** A card in front of the terminal. */
export interface Card {
  number: Secret<string>;
  expirationMonth: number;
  expirationYear: number;
}

/** A card of the bank simulator, good until the end of 2039. */
export const testCard = (name: TestCardName): Card => ({
  number: new Secret(testCards[name]),
  expirationMonth: 12,
  expirationYear: 2039,
});

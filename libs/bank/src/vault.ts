import { newId } from '@cobro/contracts/ids.ts';
import type { BankAnswer, CardToExchange } from './bank.ts';
import { type BankPermits, createBankPermits, type Permit, type PermitBounds } from './bank-permits.ts';
import type { WatchedBank } from './bank-watch.ts';

/** The bank's vault, which keeps card numbers so that we need not. */
export interface Vault extends BankPermits, Pick<WatchedBank, 'offers'> {
  /**
   * Exchanges a card for a token of the vault without writing anything down, because the exchange moves no money and a lost token
   * is worth nothing to anybody.
   */
  exchange(card: CardToExchange, permit: Permit): Promise<BankAnswer>;
}

export interface VaultOptions {
  bank: WatchedBank;
  callTimeoutMs: number;
  bounds: PermitBounds;
}

export function createVault({ bank, callTimeoutMs, bounds }: VaultOptions): Vault {
  return {
    ...createBankPermits({ ...bounds, callTimeoutMs, bank }),
    offers: bank.offers,
    exchange: (card, permit) => {
      const deadline = performance.now() + callTimeoutMs;
      return bank.send(newId(), { kind: 'tokenize', ...card }, deadline, permit);
    },
  };
}

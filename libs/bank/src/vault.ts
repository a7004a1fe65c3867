import { newId } from '@cobro/contracts/ids.ts';
import type { Capabilities } from '@cobro/contracts/acquirer/capabilities.ts';
import type { Acquirers } from './acquirers.ts';
import type { BankAnswer, CardToExchange } from './bank.ts';
import { type BankPermits, createBankPermits, type Permit, type PermitBounds } from './bank-permits.ts';

/** The acquirers' vaults, which keep card numbers so that we need not. */
export interface Vault extends BankPermits {
  /** The names of the acquirers. */
  acquirers: readonly string[];
  /** An acquirer's last capabilities. Undefined until it has sent them. */
  offers(acquirer: string): Capabilities | undefined;
  /**
   * Exchanges a card for a token of the permit's acquirer without writing anything down, because the exchange moves no money and a lost
   * token is worth nothing to anybody.
   */
  exchange(card: CardToExchange, permit: Permit): Promise<BankAnswer>;
}

export interface VaultOptions {
  acquirers: Acquirers;
  callTimeoutMs: number;
  bounds: PermitBounds;
}

export function createVault({ acquirers, callTimeoutMs, bounds }: VaultOptions): Vault {
  return {
    ...createBankPermits({ ...bounds, callTimeoutMs, acquirers }),
    acquirers: acquirers.names,
    offers: (acquirer) => acquirers.of(acquirer).offers(),
    exchange: (card, permit) => {
      const deadline = performance.now() + callTimeoutMs;
      return acquirers.of(permit.acquirer).send(newId(), { kind: 'tokenize', ...card }, deadline, permit);
    },
  };
}

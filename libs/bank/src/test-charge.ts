import { newId } from '@cobro/contracts/ids.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import type { Bank, BankRequest } from './bank.ts';

/** For tests: a request to save one of the test cards. */
export const savingOf = (name: keyof typeof testCards): BankRequest => ({
  kind: 'tokenize',
  use: 'saved',
  card: {
    number: new Secret(testCards[name]),
    expirationMonth: 12,
    expirationYear: 2032,
    cvc: new Secret('123'),
    holderName: 'Ana',
  },
});

export async function savedToken(bank: Bank): Promise<Secret<string>> {
  const answer = await bank.send(newId(), savingOf('approved'), performance.now() + 20_000, 'live');
  if (answer.outcome !== 'approved' || answer.vaulted === undefined) throw new Error('the card was not saved');
  return answer.vaulted.token;
}

/** A sale of 10.50 with this token. */
export const saleOf = (token: Secret<string>): BankRequest => ({
  kind: 'sale',
  token,
  amount: 1_050n,
  terms: 1,
  initiatedBy: 'merchant',
  organizationId: newId(),
});

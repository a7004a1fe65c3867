import { DEFAULT_ACQUIRER } from '@cobro/contracts/acquirer-name.ts';
import { type Acquirers, acquirersOf } from './acquirers.ts';
import { watchBank } from './bank-watch.ts';
import type { Bank } from './bank.ts';
import type { Journal } from './journal.ts';

/** For tests: asks about what is due, once. Returns how many operations were settled. */
export async function recoverOnce(journal: Journal, acquirer = DEFAULT_ACQUIRER): Promise<number> {
  const due = await journal.takeDue(acquirer, 20);
  const results = await Promise.all(due.map((operation) => journal.inquire(operation)));
  return results.filter((result) => result === 'settled').length;
}

const silent = { error: () => {}, warn: () => {}, info: () => {} };

/** For tests: this bank, as the one acquirer of a test deployment. */
export const onlyAcquirer = (bank: Bank): Acquirers =>
  acquirersOf({ [DEFAULT_ACQUIRER]: watchBank(bank, { acquirer: DEFAULT_ACQUIRER, isLive: false, log: silent }) });

import { DEFAULT_ACQUIRER } from '@cobro/contracts/acquirer-name.ts';
import type { Journal } from './journal.ts';

/** For tests: asks about what is due, once. Returns how many operations were settled. */
export async function recoverOnce(journal: Journal, acquirer = DEFAULT_ACQUIRER): Promise<number> {
  const due = await journal.takeDue(acquirer, 20);
  const results = await Promise.all(due.map((operation) => journal.inquire(operation)));
  return results.filter((result) => result === 'settled').length;
}

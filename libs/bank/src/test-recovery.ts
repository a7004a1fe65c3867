import type { Journal } from './journal.ts';

/** For tests: asks about what is due, once. Returns how many operations were settled. */
export async function recoverOnce(journal: Journal): Promise<number> {
  const due = await journal.takeDue(20);
  const results = await Promise.all(due.map((operation) => journal.inquire(operation)));
  return results.filter((result) => result === 'settled').length;
}

import { operationBook } from '@cobro/bank/operation-book.store.ts';
import { hoursOf } from '@cobro/books/reconcile-day.ts';
import type { Queries } from '@cobro/postgres/database.ts';

/** An acquirer that the deployment does not name, and how many operations it answered on the day. */
export interface LeftOut {
  acquirer: string;
  operations: number;
}

/** Acquirers that answered payments or holds on this day and are not known, so that nobody can compare their books. */
export async function leftOutAcquirers(
  schemas: readonly Queries[],
  known: readonly string[],
  day: string,
): Promise<LeftOut[]> {
  const counted = await Promise.all(schemas.map((db) => operationBook(db).answeredElsewhere(hoursOf(day), known)));
  const byName = Map.groupBy(counted.flat(), ({ acquirer }) => acquirer);
  return [...byName]
    .map(([acquirer, all]) => ({ acquirer, operations: all.reduce((sum, { operations }) => sum + operations, 0) }))
    .toSorted((a, b) => a.acquirer.localeCompare(b.acquirer));
}

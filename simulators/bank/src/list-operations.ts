import type { Ledger } from './ledger.store.ts';

/** A page of the ledger, oldest first. `next` is the cursor of the next page, or null where nothing follows yet. */
export function listOperations(ledger: Ledger, { after, limit }: { after: bigint; limit: number }) {
  const found = ledger.operationsAfter(after, limit + 1);
  const page = found.slice(0, limit);
  return {
    data: page.map(({ seq: _, ...operation }) => ({
      ...operation,
      amount: operation.amount === null ? null : Number(operation.amount),
    })),
    next: found.length > limit ? String(page.at(-1)?.seq) : null,
  };
}

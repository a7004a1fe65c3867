import type { Movement } from '@cobro/contracts/acquirer/settlement-report.ts';
import { dayEnd, dayStart } from '@cobro/domain/mexico-city.ts';
import type { ExecuteDeps } from './execute-operation.ts';
import type { Dispute, Ledger, ListedOperation } from './ledger.store.ts';

/** A page of the ledger, oldest first. `next` is the cursor of the next page, or null if nothing follows yet. */
export function listOperations(ledger: Ledger, { after, limit }: { after: bigint; limit: number }) {
  const found = ledger.operationsAfter(after, limit + 1);
  const page = found.slice(0, limit);
  return { data: page.map(shown), next: found.length > limit ? String(page.at(-1)?.seq) : null };
}

/**
 * A page of the settlement report of one natural day in Mexico City, by the bank's clock. `asOf` is the bank's time now: the report of
 * a day that has not ended is complete up to then.
 */
export function reportSettlements(
  { ledger, now }: ExecuteDeps,
  { day, after = '', limit }: { day: string; after?: string | undefined; limit: number },
) {
  const asOf = now();
  const [from, to] = [dayStart(day), dayEnd(day)];
  const found = [
    ...ledger.operationsBetween(from, to, after, limit + 1).map(movement),
    ...ledger.disputesBetween(from, to, after, limit + 1).map(disputed),
  ].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const page = found.slice(0, limit);
  return { day, asOf, data: page, next: found.length > limit ? page.at(-1)?.id : null };
}

const disputed = ({ id, about, amount, reference, createdAt }: Dispute): Movement => ({
  id,
  kind: 'dispute',
  about,
  gross: -Number(amount),
  fee: null,
  net: null,
  currency: 'MXN',
  reference,
  time: createdAt.toISOString(),
});

/** Fees are settled elsewhere, so they are not known here. */
const movement = ({ idempotencyKey, kind, amount, reference, createdAt }: ListedOperation): Movement => ({
  id: idempotencyKey,
  kind: kind === 'refund' ? 'refund' : 'charge',
  about: null,
  gross: Number(amount) * (kind === 'refund' ? -1 : 1),
  fee: null,
  net: null,
  currency: 'MXN',
  reference,
  time: createdAt.toISOString(),
});

const shown = ({ seq: _, ...operation }: ListedOperation) => ({
  ...operation,
  amount: operation.amount === null ? null : Number(operation.amount),
});

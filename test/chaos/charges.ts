import { bankOperations } from '@cobro/testing/bank-operations.ts';
import type { Stack } from '../../dev/stack/stack.ts';

const CHARGES = new Set(['sale', 'authorize']);

/** The keys of all charges and holds that acquirers have approved, by their books. */
export async function approvedCharges({ bankUrl, otherBanks }: Stack): Promise<string[]> {
  const ledgers = await Promise.all([bankUrl, ...Object.values(otherBanks)].map(bankOperations));
  return ledgers
    .flat()
    .filter(({ kind, outcome }) => CHARGES.has(kind) && outcome === 'approved')
    .map(({ idempotencyKey }) => idempotencyKey);
}

/** Keys for which there is more than one of these charges, with their number. */
export function chargedOftener(
  charges: readonly string[],
  named: readonly { operation: string; key: string }[],
): [key: string, times: number][] {
  const byOperation = new Map(named.map(({ operation, key }) => [operation, key]));
  const charged = Map.groupBy(
    charges.flatMap((operation) => byOperation.get(operation) ?? []),
    (key) => key,
  );
  return [...charged].flatMap(([key, { length }]): [string, number][] => (length > 1 ? [[key, length]] : []));
}

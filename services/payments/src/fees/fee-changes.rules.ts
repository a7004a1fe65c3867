import type { FeeChange, FeeChannel } from '@cobro/contracts/fee-channels.ts';

/** Returns the rows in which two states of a table differ. */
export function feeChanges(before: readonly FeeChannel[], after: readonly FeeChannel[]): FeeChange[] {
  const rows = new Map<string, FeeChange>();
  for (const [state, table] of Object.entries({ before, after })) {
    for (const { type, network, fundingSource, terms, ...rates } of table) {
      const channel = { type, network, fundingSource, terms };
      const key = JSON.stringify(channel);
      rows.set(key, { ...channel, before: null, after: null, ...rows.get(key), [state]: rates });
    }
  }
  return [...rows.values()].filter(({ before: old, after: now }) => JSON.stringify(old) !== JSON.stringify(now));
}

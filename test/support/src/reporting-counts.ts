import type { Queries } from '@cobro/postgres/database.ts';
import { findMissummed } from '../../../services/reporting/src/day-sum.store.ts';
import { findMiscounted } from '../../../services/reporting/src/payment-tally.store.ts';

const MOST = 20;

/** One sentence for each count of payments or sum of a day in reporting that differs from its rows. */
export async function wrongCounts(reporting: Queries): Promise<string[]> {
  const [counts, sums] = await Promise.all([findMiscounted(reporting, MOST), findMissummed(reporting, MOST)]);
  return [
    ...counts.map(({ cell, counted, rows }) => `reporting counts ${counted} of ${cell}, and has ${rows}`),
    ...sums.map((sum) => `reporting sums a day wrongly: ${Object.values(sum).join(' ')}`),
  ];
}

import type { Queries } from '@cobro/postgres/database.ts';
import { measure } from '@cobro/service-kit/measure.ts';
import { findLastReconciliation } from './reconciliation.store.ts';

/**
 * Measures what came of the last reconciliation. The reconciliation itself is a process that has ended by the time that metrics are
 * read, so the service that keeps its outcome tells of it.
 */
export function measureReconciliation(db: Queries): void {
  measure(
    {
      name: 'cobro.reconciliation.differences',
      description: 'Differences between our books and the bank’s on the latest day that has been compared.',
    },
    async () => {
      const last = await findLastReconciliation(db);
      return last && Number(last.differences);
    },
  );
  measure(
    { name: 'cobro.reconciliation.age', description: 'How long ago that comparison ended.', unit: 's' },
    async () => (await findLastReconciliation(db))?.age,
  );
}

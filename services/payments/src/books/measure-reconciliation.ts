import { gaugeOf } from '@cobro/metrics/instruments.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import { findLastReconciliation } from './reconciliation.store.ts';

/**
 * Measures what came of the last reconciliation. The reconciliation itself is a process that has ended by the time that metrics are
 * read, so the service that keeps its outcome exports it.
 */
export function measureReconciliation(db: Queries): void {
  gaugeOf('cobro.reconciliation.differences', async () => {
    const last = await findLastReconciliation(db);
    return last && Number(last.differences);
  });
  gaugeOf('cobro.reconciliation.age.seconds', async () => (await findLastReconciliation(db))?.age);
}

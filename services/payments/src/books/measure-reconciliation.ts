import { gauge } from '@cobro/metrics/instruments.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import { listLastReconciliations } from './reconciliation.store.ts';

/**
 * Measures what came of each acquirer's last reconciliation. The reconciliation itself is a process that has ended by the time that metrics
 * are read, so the service that keeps its outcome exports it.
 */
export function measureReconciliation(db: Queries, acquirers: readonly string[]): void {
  const last = () => listLastReconciliations(db, acquirers);
  gauge('cobro.reconciliation.differences', async () =>
    (await last()).map(({ acquirer, differences }) => ({ acquirer, value: Number(differences) })),
  );
  gauge('cobro.reconciliation.age.seconds', async () =>
    (await last()).map(({ acquirer, age }) => ({ acquirer, value: age })),
  );
}

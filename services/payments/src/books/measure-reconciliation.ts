import { gauge, gaugeOf } from '@cobro/metrics/instruments.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import { lastCounterReconciliation } from './counter-book.store.ts';
import { listLastReconciliations } from './reconciliation.store.ts';

/**
 * Measures the last comparison of counters with payments, and each acquirer's last reconciliation; of an acquirer that this
 * deployment no longer names only the differences, which stay until the day is compared. The reconciliation is a process that has
 * ended when metrics are read, so the service that keeps its outcome exports it.
 */
export function measureReconciliation(db: Queries, acquirers: readonly string[]): void {
  gauge('cobro.reconciliation.differences', async () =>
    (await listLastReconciliations(db)).map(({ acquirer, differences }) => ({ acquirer, value: Number(differences) })),
  );
  gauge('cobro.reconciliation.age.seconds', async () =>
    (await listLastReconciliations(db)).flatMap(({ acquirer, age }) =>
      age !== null && acquirers.includes(acquirer) ? [{ acquirer, value: age }] : [],
    ),
  );
  gaugeOf('cobro.counters.reconciliation.differences', async () => {
    const last = await lastCounterReconciliation(db);
    return last && Number(last.differences);
  });
}

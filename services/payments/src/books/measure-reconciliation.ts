import { gauge, gaugeOf } from '@cobro/metrics/instruments.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import { lastCounterReconciliation } from './counter-book.store.ts';
import { listLastReconciliations } from './reconciliation.store.ts';

/**
 * Measures the last comparison of counters with payments, and each acquirer's last reconciliation. An acquirer no longer
 * named keeps its differences until the day is compared, and has no age. The service exports this, because `admin reconcile` has
 * ended when metrics are read.
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

import { gaugeOf } from '@cobro/metrics/instruments.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import { lastEventReconciliation } from './event-book.store.ts';

/** Differences and age of the last comparison of events with what happened, which an operator's command makes. */
export function measureReconciliation(db: Queries): void {
  gaugeOf('cobro.webhooks.reconciliation.differences', async () => {
    const last = await lastEventReconciliation(db);
    return last && Number(last.differences);
  });
  gaugeOf('cobro.webhooks.reconciliation.age.seconds', async () => (await lastEventReconciliation(db))?.age);
}

import { gaugeOf } from '@cobro/metrics/instruments.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import { lastEventReconciliation } from './event-book.store.ts';

/** Measures what came of the last comparison of what happened with what merchants were shown, which an operator's command makes. */
export function measureReconciliation(db: Queries): void {
  gaugeOf('cobro.webhooks.reconciliation.differences', async () => {
    const last = await lastEventReconciliation(db);
    return last && Number(last.differences);
  });
  gaugeOf('cobro.webhooks.reconciliation.age.seconds', async () => (await lastEventReconciliation(db))?.age);
}

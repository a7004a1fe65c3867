import { gaugeOf } from '@cobro/metrics/instruments.ts';
import type { Deps } from '../deps.ts';
import { findLongestDue } from './delivery.store.ts';

/** How long the oldest due delivery has waited for its first try. */
export function measureWaiting({ db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  gaugeOf('cobro.webhooks.waiting.seconds', async () => {
    const now = clock.now();
    const { oldest } = await findLongestDue(db, now);
    return oldest === null ? 0 : (now.getTime() - oldest.getTime()) / 1_000;
  });
}

import { gauge, gaugeOf, type Reading } from '@cobro/metrics/instruments.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import { ageOfOldestTap, countPending } from './payment-intent.store.ts';

/** Measures the intents that wait for a terminal or a card, and the taps that wait for their outcome. */
export function measureIntents(db: Queries): void {
  gauge('cobro.intents.open', async (): Promise<Reading<'cobro.intents.open'>[]> => {
    const { unassigned, assigned, charging } = await countPending(db);
    return [
      { value: unassigned, state: 'unassigned' },
      { value: assigned, state: 'assigned' },
      { value: charging, state: 'charging' },
    ];
  });
  gaugeOf('cobro.intents.charging.seconds', () => ageOfOldestTap(db));
}

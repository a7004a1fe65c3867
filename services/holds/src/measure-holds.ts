import { holdDaysRemaining } from '@cobro/domain/hold-window.ts';
import { catalogue } from '@cobro/metrics/catalogue.ts';
import { atMostEvery, gauge, gaugeOf } from '@cobro/metrics/instruments.ts';
import type { Deps } from './deps.ts';
import { countDueHolds, countHeld, countLetGo, findOldestHeld } from './hold.store.ts';

const COUNT_EVERY_MS = 60_000;
const DAY_MS = 86_400_000;

/** Measures HELD holds, how far the sweep is behind, and holds that the bank let go before their time. All queries read indexes. */
export function measureHolds({ db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  const held = atMostEvery(COUNT_EVERY_MS, () => countHeld(db));
  gauge('cobro.holds.held', async () => {
    const now = clock.now();
    const counts = new Map<string, number>();
    for (const { expiresAt, count } of await held()) {
      // Every hold was placed before now, so when exactly does not matter.
      const days = String(holdDaysRemaining(expiresAt, now, now));
      counts.set(days, (counts.get(days) ?? 0) + count);
    }
    return catalogue['cobro.holds.held'].attributes.days.map((days) => ({ value: counts.get(days) ?? 0, days }));
  });
  gaugeOf('cobro.holds.due', () => countDueHolds(db, clock.now()));
  gaugeOf('cobro.holds.let_go', async () => {
    const since = new Date(clock.now().getTime() - DAY_MS);
    return (await countLetGo(db, since)).count;
  });
  gaugeOf('cobro.holds.overdue.seconds', async () => {
    const oldest = await findOldestHeld(db);
    return oldest === undefined ? 0 : Math.max(0, (clock.now().getTime() - oldest.endsAt.getTime()) / 1_000);
  });
}
